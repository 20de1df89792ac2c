#!/usr/bin/env python3
"""Holds what the formatter cannot: file names are unique and snake_case, files and functions stay short, no leftovers.

usage: check_style.py [ROOT]
"""
import os
import re
import sys

FOLDERS = ["include", "src", "tools", "tests", "bench", "examples", "web"]
LONGEST_FILE = 700
LONGEST_FUNCTION = 100
LEFTOVER = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")


def c_files(root):
    for top in FOLDERS:
        for folder, folders, files in os.walk(os.path.join(root, top)):
            folders[:] = sorted(f for f in folders if f not in ("node_modules", "build", "dist", "platforms"))
            for file in sorted(files):
                if file.endswith((".c", ".h", ".cpp")):
                    yield os.path.relpath(os.path.join(folder, file), root)


def check_file(root, path, problems):
    lines = open(os.path.join(root, path), encoding="utf-8").read().splitlines()
    if len(lines) > LONGEST_FILE:
        problems.append(f"{path}: {len(lines)} lines, {LONGEST_FILE} are enough")
    start = None
    for number, line in enumerate(lines, 1):
        if LEFTOVER.search(line):
            problems.append(f"{path}:{number}: a leftover mark")
        if line.startswith("{"):
            start = number
        if line.startswith("}") and start is not None:
            if line == "}" and number - start > LONGEST_FUNCTION:
                problems.append(f"{path}:{start}: a function of {number - start} lines, {LONGEST_FUNCTION} are enough")
            start = None


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    problems = []
    seen = {}
    paths = list(c_files(root))
    for path in paths:
        check_file(root, path, problems)
        name = os.path.basename(path)
        if re.fullmatch(r"[a-z][a-z0-9_]*\.(c|h|cpp)", name) is None:
            problems.append(f"{path}: not snake_case")
        key = name if not path.startswith("include/") else "supple/" + name
        if key in seen:
            problems.append(f"{path}: the name is taken by {seen[key]}")
        seen[key] = path
    for problem in problems:
        print(problem)
    print(f"{len(paths)} files, {len(problems)} points of style")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
