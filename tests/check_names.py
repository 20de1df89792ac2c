#!/usr/bin/env python3
"""Holds docs/glossary.md against the code: each term's type is defined where the page says, a word that has one meaning is in the names
of types of no other folder, names that were given up are used nowhere, and no two files of the library define a type of one name.

usage: check_names.py              in the project's root
       check_names.py --self-test  check that the checker finds what it must
"""
import pathlib
import re
import sys

FOLDERS = ("include", "src", "tools", "js/src")
BODY = re.compile(r"^(?:typedef )?(?:struct|enum|union) (sup\w+)\s*\n\{", re.M)
DEFINED = re.compile(r"^(?:typedef )?(?:struct|enum) (sup\w+)", re.M)


def read_sources(root):
    return {str(path.relative_to(root)): path.read_text(errors="replace")
            for folder in FOLDERS for path in sorted((root / folder).rglob("*")) if path.suffix in (".c", ".h", ".inl", ".cpp")}


def read_glossary(text):
    """Rows (term, type, file, folders) and names that are not used."""
    terms, given_up = [], []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.startswith("|") else []
        codes = [re.findall(r"`([^`]+)`", cell) for cell in cells]
        if len(cells) >= 4 and codes[2] and codes[3]:
            terms.append((cells[0], codes[2][0], codes[3][0], codes[4] if len(cells) > 4 else None))
        elif len(cells) == 2 and codes[0]:
            given_up += codes[0]
    return terms, given_up


def check(glossary, sources):
    problems = []
    terms, given_up = read_glossary(glossary)
    if not terms or not given_up:
        problems.append("docs/glossary.md: no terms, or no names that are given up")
    for term, kind, file, folders in terms:
        if not re.search(r"\b%s\b" % kind, sources.get(file, "")):
            problems.append(f"docs/glossary.md: {term}: {file} does not have {kind}")
        word = re.compile(r"[a-z]%s(?:s|es|es_|s_)?(?![a-z])" % term.capitalize())
        for path, text in sources.items() if folders else ():
            if any(path.startswith(folder) for folder in folders):
                continue
            problems += [f"{path}: {name}: \"{term}\" means something else (docs/glossary.md)"
                         for name in sorted(set(DEFINED.findall(text))) if word.search(name)]
    for name in given_up:
        problems += [f"{path}: {name} is given up (docs/glossary.md)" for path, text in sources.items()
                     if re.search(r"\b%s\b" % name, text)]
    defined = {}
    for path, text in sources.items():
        for name in BODY.findall(text) if not path.startswith(("tools", "js")) and not path.endswith(".inl") else ():
            if defined.setdefault(name, path) != path:
                problems.append(f"{path}: {name} is another type in {defined[name]}")
    return problems


def self_test():
    page = ("| patch | a surface | `supPatches` | `a/patches.h` | `a` |\n| rig | data | `supRig` | `a/rig.h` |\n"
            "| `supRegionNumbers` | `supRegionNumbers` |\n")
    good = {"a/patches.h": "typedef struct supPatches supPatches;", "a/rig.h": "struct supRig\n{", "b/x.c": "struct supDispatch\n{"}
    assert check(page, good) == [], check(page, good)
    assert len(check(page, dict(good, **{"a/rig.h": ""}))) == 1
    assert len(check(page, dict(good, **{"b/x.c": "typedef struct supSkinPatch\n{"}))) == 1
    assert len(check(page, dict(good, **{"b/x.c": "supRegionNumbers manner;"}))) == 1
    assert len(check("", good)) == 1
    one = {"src/a.h": "typedef struct supBox\n{", "tools/b.c": "typedef struct supBox\n{"}
    assert check(page, dict(good, **one)) == []
    assert len(check(page, dict(good, **one, **{"src/c.c": "struct supBox\n{"}))) == 1


def main():
    if "--self-test" in sys.argv:
        self_test()
        return 0
    root = pathlib.Path(".")
    sources = read_sources(root)
    problems = check((root / "docs/glossary.md").read_text(), sources)
    for problem in problems:
        print(problem)
    print(f"{len(sources)} files, {len(problems)} names with another meaning")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
