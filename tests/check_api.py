#!/usr/bin/env python3
"""Keeps the stable API small, told and shown: what supple/supple.h includes holds at most 130 functions; each has a comment
(functions that stand together may share one), and an example or a test uses it.

usage: check_api.py [ROOT]         check the project (default: the one this file stands in)
       check_api.py --self-test    check that the checker finds what it must
"""
import os
import re
import sys
import tempfile

MOST = 130
FUNCTION = re.compile(r"^SUP_API\b[^;{]*?\b(sup\w+)\s*\(", re.M)
INCLUDE = re.compile(r'^#include "(supple/[^"]+)"', re.M)


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)


def stable_headers(root):
    """supple/supple.h and all that it includes, by their paths."""
    todo, found = ["supple/supple.h"], []
    while todo:
        name = todo.pop()
        if name not in found:
            found.append(name)
            todo += INCLUDE.findall(open(os.path.join(root, "include", name), encoding="utf-8").read())
    return sorted(found)


def used_names(root):
    """All names that C files of examples and tests use."""
    names = set()
    for top in ("examples", "tests"):
        for folder, _, files in os.walk(os.path.join(root, top)):
            for file in files:
                if file.endswith((".c", ".cpp", ".h")):
                    text = open(os.path.join(folder, file), encoding="utf-8").read()
                    names.update(re.findall(r"\bsup\w+", without_comments(text)))
    return names


def untold(text):
    """Functions of a header that have no comment, neither above nor beside; several lines of functions share one."""
    told, found = False, []
    for line in text.splitlines():
        if line.startswith("SUP_API"):
            names = FUNCTION.findall(line)
            if not told and "///<" not in line:
                found += names
        elif not line.startswith(" "):  # a line that goes on belongs to its function
            told = line.startswith("///")
    return found


def check(root):
    """(number of functions, problems)"""
    functions, problems = {}, []
    for header in stable_headers(root):
        text = open(os.path.join(root, "include", header), encoding="utf-8").read()
        problems += [f"{header}: {name} has no comment" for name in untold(text)]
        for name in FUNCTION.findall(without_comments(text)):
            functions[name] = header
    if len(functions) > MOST:
        problems.append(f"the stable headers hold {len(functions)} functions; {MOST} are the most: use a view or a def, "
                        "or put what hosts do without into supple/lab")
    used = used_names(root)
    problems += [f"{header}: {name} is used by no example and no test"
                 for name, header in sorted(functions.items()) if name not in used]
    return len(functions), problems


def self_test():
    def many(count):
        return "/// Told.\n" + "".join(f"SUP_API void supF{i}( void );\n" for i in range(count))

    def uses(count):
        return "".join(f"supF{i}();\n" for i in range(count))

    main = '#include "supple/a.h"\n'
    cases = [
        ({"include/supple/supple.h": main, "include/supple/a.h": many(130), "tests/t.c": uses(130)}, None),
        ({"include/supple/supple.h": main, "include/supple/a.h": many(131), "tests/t.c": uses(131)}, "131 functions"),
        ({"include/supple/supple.h": main, "include/supple/a.h": many(2), "tests/t.c": uses(1)}, "supF1 is used by no"),
        ({"include/supple/supple.h": main, "include/supple/a.h": many(1), "tests/t.c": "// supF0()"}, "supF0 is used"),
        ({"include/supple/supple.h": main, "include/supple/a.h": many(1), "examples/e.c": uses(1)}, None),
        # headers that nobody includes there are counted for nothing, and one that is included by another is
        ({"include/supple/supple.h": main, "include/supple/a.h": many(1), "include/supple/io.h": "SUP_API void supG( void );",
          "tests/t.c": uses(1)}, None),
        ({"include/supple/supple.h": main, "include/supple/a.h": '#include "supple/b.h"\n', "include/supple/b.h":
          "/// Told.\nSUP_API const supThing* supG(\n    int a );", "tests/t.c": ""}, "supG is used by no"),
        ({"include/supple/supple.h": main, "include/supple/a.h": "/// Told.\nSUP_API void supF0( void );\n\n"
          "SUP_API void supF1( void );", "tests/t.c": uses(2)}, "supF1 has no comment"),
        ({"include/supple/supple.h": main, "include/supple/a.h": "SUP_API void supF0( void ); ///< Told.", "tests/t.c":
          uses(1)}, None),
        ({"include/supple/supple.h": main, "include/supple/a.h": "// SUP_API void supG( void );", "tests/t.c": ""}, None),
    ]
    failed = 0
    for files, word in cases:
        with tempfile.TemporaryDirectory() as root:
            for name, text in files.items():
                path = os.path.join(root, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as out:
                    out.write(text)
            _, problems = check(root)
        if bool(problems) if word is None else not (len(problems) == 1 and word in problems[0]):
            failed += 1
            print(f"self-test: expected {word!r}, got {problems}")
    print(f"{len(cases) - failed} of {len(cases)} cases as expected")
    return failed


def main():
    if "--self-test" in sys.argv[1:]:
        return 1 if self_test() else 0
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    count, problems = check(root)
    for problem in problems:
        print(problem)
    print(f"{count} functions in the stable headers, {len(problems)} problems")
    return 1 if problems or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
