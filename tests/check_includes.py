#!/usr/bin/env python3
"""Holds the order of the parts: base < solve < character < layers < rig < body < bake < auto.

Each part includes only what stands before it. Layers do not include one another. The core knows no library but
the C one. io, picture and creatures see the public headers and src/base. Programs, hosts and examples see the public headers alone.
Public headers include public headers alone; the core's do not include those of the libraries beside it.
Headers under supple/lab may change in any release: stable headers, hosts and examples do not include them; the examples
under examples/lab, which look inside, may.
The evaluator of the tests judges the library, so it sees nothing of it: its own folder alone.

usage: check_includes.py [ROOT]         check the project (default: the one this file stands in)
       check_includes.py --self-test    check that the checker finds what it must
"""
import os
import re
import sys
import tempfile

ORDER = ["base", "solve", "character", "layers", "rig", "body", "bake", "auto"]
BESIDE = ["io", "picture", "creatures"]  # libraries beside the core
LIBRARY_OF = {"lab/files": "io", "pixels": "picture", "lab/plot": "picture"}  # headers not called as their library is
OUTSIDE = ["tools", "js", "web", "blender", "examples", "bench"]
HOSTS = ["js", "web", "blender", "examples"]  # of these, those that do without the lab

# What the core may take from the system: the C library, threads, and the compiler's own headers.
C_HEADERS = set("""assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg
    stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype""".split())
CORE_EXTRA = {"pthread.h", "unistd.h", "windows.h", "process.h", "malloc.h", "intrin.h", "immintrin.h", "emmintrin.h", "xmmintrin.h",
              "arm_neon.h", "wasm_simd128.h"}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def includes(path):
    """The includes of a file as (line, '<' or '"', name); those in comments are left out."""
    text = open(path, encoding="utf-8").read()
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m.group(0).count("\n"), text, flags=re.S)
    for number, line in enumerate(text.splitlines(), 1):
        found = INCLUDE.match(line)
        if found:
            yield number, found.group(1), found.group(2)


def resolve(root, path, name):
    """The file of the project that an include means, relative to the root, or None for one from outside."""
    for folder in (os.path.dirname(path), "src", "include", "tests", "examples/lab"):
        candidate = os.path.normpath(os.path.join(folder, name))
        if os.path.isfile(os.path.join(root, candidate)):
            return candidate
    return None


def place(path):
    """(kind, part, layer or tier) of a file: ('core', 'layers', 'flesh'), ('beside', 'io', ''), ('public', '', 'lab'), …"""
    words = path.split("/")
    if words[0] == "include":
        name = "/".join(words[2:])[:-2]
        return ("public", name if name in BESIDE else LIBRARY_OF.get(name, ""), "lab" if words[2] == "lab" else "")
    if words[0] == "src" and len(words) > 2:
        if words[1] in ORDER:
            layer = words[2] if words[1] == "layers" and len(words) > 3 else ""
            return ("core", words[1], layer)
        if words[1] in BESIDE:
            return ("beside", words[1], "")
        return ("unknown", words[1], "")
    if words[:2] == ["tests", "evaluator"]:
        return ("evaluator", "evaluator", "")
    if words[0] in OUTSIDE:
        return ("outside", words[0], "" if words[0] in HOSTS and words[1] != "lab" else "lab")
    return ("other", words[0], "")


def judge_core(source, target):
    _, part, layer = source
    kind, other, otherLayer = target
    if kind == "public" and not other:
        return None
    if kind != "core":
        return f"the core includes {other}"
    if ORDER.index(other) > ORDER.index(part):
        return f"'{part}' stands before '{other}'"
    if layer and otherLayer and layer != otherLayer:
        return f"layer '{layer}' includes layer '{otherLayer}'"
    return None


def judge(source, target):
    """Why `source` must not include `target`, or None."""
    kind, part, tier = source
    if kind == "core":
        return judge_core(source, target)
    if kind in ("public", "outside") and target[0] == "public" and target[2] == "lab" and tier != "lab":
        return "a stable header includes the lab" if kind == "public" else "hosts and examples do without the lab"
    if kind == "public":
        if target[0] != "public":
            return "a public header includes an internal one"
        return f"a header of the core includes {target[1]}" if target[1] and not part else None
    if kind == "beside":
        if target[0] == "public" or target[:2] == ("beside", part) or target[:2] == ("core", "base"):
            return None
        return f"'{part}' may see public headers and src/base alone"
    if kind == "evaluator":
        return None if target[0] == "evaluator" else "the evaluator may see nothing of what it judges"
    if kind == "outside":
        return None if target[0] in ("public", "outside") else f"'{part}' may see public headers alone"
    return None


def judge_system(source, name):
    kind, part, _ = source
    header = name[:-2] if name.endswith(".h") else name
    if header in C_HEADERS:
        return None
    if kind == "core" and name not in CORE_EXTRA:
        return f"the core includes <{name}>"
    if kind == "public" and not name.startswith("supple/"):
        return f"a public header includes <{name}>"
    return None


def check(root):
    problems = []
    count = 0
    for top in ["include", "src", "tests/evaluator"] + OUTSIDE:
        for folder, folders, files in os.walk(os.path.join(root, top)):
            folders[:] = sorted(f for f in folders if f not in ("node_modules", "build", "dist"))
            for file in sorted(files):
                if not file.endswith((".h", ".c", ".inl", ".cpp", ".hpp")):
                    continue
                path = os.path.relpath(os.path.join(folder, file), root)
                source = place(path)
                count += 1
                if source[0] == "unknown":
                    problems.append(f"{path}: folder src/{source[1]} has no place in the order")
                for line, mark, name in includes(os.path.join(root, path)):
                    target = resolve(root, path, name) if mark == '"' or name.startswith("supple/") else None
                    if target:
                        why = judge(source, place(target))
                    elif mark == '"':
                        why = f'"{name}" is nowhere in the project'
                    else:
                        why = judge_system(source, name)
                    if why:
                        problems.append(f"{path}:{line}: {why}")
    return count, problems


# Each case: files of a small project, and a word of the message that must come (None: it is in order).
CASES = [
    ({"src/solve/a.c": '#include "base/b.h"', "src/base/b.h": ""}, None),
    ({"src/base/a.c": '#include "solve/b.h"', "src/solve/b.h": ""}, "stands before"),
    ({"src/base/a.c": '#include "../solve/b.h"', "src/solve/b.h": ""}, "stands before"),
    ({"src/base/a.c": '/* #include "solve/b.h" */', "src/solve/b.h": ""}, None),
    ({"src/layers/flesh/a.c": '#include "layers/curves/b.h"', "src/layers/curves/b.h": ""}, "includes layer"),
    ({"src/layers/flesh/a.c": '#include "b.h"', "src/layers/flesh/b.h": ""}, None),
    ({"src/layers/a.c": '#include "layers/flesh/b.h"', "src/layers/flesh/b.h": ""}, None),
    ({"src/rig/a.c": "#include <jansson.h>"}, "jansson"),
    ({"src/io/a.c": "#include <jansson.h>"}, None),
    ({"src/body/a.c": '#include "io/b.h"', "src/io/b.h": ""}, "the core includes io"),
    ({"src/io/a.c": '#include "rig/b.h"', "src/rig/b.h": ""}, "public headers and src/base"),
    ({"src/io/a.c": '#include "base/b.h"', "src/base/b.h": ""}, None),
    ({"tools/cli/a.c": '#include "base/b.h"', "src/base/b.h": ""}, "public headers alone"),
    ({"tools/cli/a.c": '#include "supple/b.h"\n#include "c.h"', "include/supple/b.h": "", "tools/cli/c.h": ""}, None),
    ({"include/supple/a.h": '#include "base/b.h"', "src/base/b.h": ""}, "a public header includes"),
    ({"include/supple/a.h": "#include <GL/gl.h>"}, "a public header includes"),
    ({"include/supple/a.h": "#include <stdint.h>"}, None),
    ({"include/supple/a.h": '#include "supple/io.h"', "include/supple/io.h": ""}, "core includes io"),
    ({"include/supple/io.h": '#include "supple/a.h"', "include/supple/a.h": ""}, None),
    ({"src/bake/a.c": '#include "supple/io.h"', "include/supple/io.h": ""}, "core includes io"),
    ({"include/supple/a.h": '#include "supple/lab/b.h"', "include/supple/lab/b.h": ""}, "a stable header"),
    ({"include/supple/lab/a.h": '#include "supple/lab/b.h"', "include/supple/lab/b.h": ""}, None),
    ({"include/supple/lab/a.h": '#include "supple/io.h"', "include/supple/io.h": ""}, "core includes io"),
    ({"include/supple/lab/files.h": '#include "supple/io.h"', "include/supple/io.h": ""}, None),
    ({"examples/a.c": '#include "supple/lab/b.h"', "include/supple/lab/b.h": ""}, "do without the lab"),
    ({"examples/lab/a.c": '#include "supple/lab/b.h"', "include/supple/lab/b.h": ""}, None),
    ({"tools/cli/a.c": '#include "supple/lab/b.h"', "include/supple/lab/b.h": ""}, None),
    ({"src/body/a.c": '#include "supple/lab/b.h"', "include/supple/lab/b.h": ""}, None),
    ({"src/base/a.c": '#include "nowhere.h"'}, "nowhere"),
    ({"src/extra/a.c": ""}, "no place"),
    ({"tests/evaluator/a.c": '#include "supple/b.h"', "include/supple/b.h": ""}, "evaluator may see nothing"),
    ({"tests/evaluator/a.c": '#include "base/b.h"', "src/base/b.h": ""}, "evaluator may see nothing"),
    ({"tests/evaluator/a.c": '#include "b.h"\n#include <jansson.h>', "tests/evaluator/b.h": ""}, None),
]


def self_test():
    failed = 0
    for files, word in CASES:
        with tempfile.TemporaryDirectory() as root:
            for name, text in files.items():
                path = os.path.join(root, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as out:
                    out.write(text + "\n")
            _, problems = check(root)
        found = bool(problems) if word is None else not (len(problems) == 1 and word in problems[0])
        if found:
            failed += 1
            print(f"self-test: {files}: expected {word!r}, got {problems}")
    print(f"{len(CASES) - failed} of {len(CASES)} cases as expected")
    return failed


def main():
    if "--self-test" in sys.argv[1:]:
        return 1 if self_test() else 0
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    count, problems = check(root)
    for problem in problems:
        print(problem)
    print(f"{count} files, {len(problems)} includes out of order")
    return 1 if problems or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
