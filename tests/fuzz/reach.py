#!/usr/bin/env python3
"""How much of the library the fuzz targets reach with their corpora, folder by folder, and which files no target reaches.

usage: reach.py BUILD-FOLDER [NAME...]     build/fuzz; the targets, all by default
"""
import glob
import os
import re
import subprocess
import sys

LINE = re.compile(r"^(UN)?COVERED_FUNC: hits: \d+ edges: (\d+)/(\d+) (\S+) .*?/src/(\S+?):\d+")


def reached_by(program, corpora):
    """{(file, function): (edges reached, edges)} of one target."""
    run = subprocess.run([program, "-runs=0", "-print_coverage=1", *corpora], capture_output=True, text=True,
                         errors="replace", check=False)
    found = {}
    for line in run.stderr.splitlines():
        match = LINE.match(line)
        if match:
            found[match[5], match[4]] = (int(match[2]), int(match[3]))
    return found


def main():
    build, names = sys.argv[1], sys.argv[2:]
    best = {}
    for program in sorted(glob.glob(f"{build}/tests/fuzz_*")):
        name = os.path.basename(program)[5:]
        corpora = [folder for folder in (f"{build}/corpus/{name}", f"tests/fuzz/corpus/{name}") if os.path.isdir(folder)]
        if (names and name not in names) or not os.access(program, os.X_OK) or not corpora:
            continue
        for place, (edges, total) in reached_by(program, corpora).items():
            old = best.get(place, (0, total))
            best[place] = (max(old[0], edges), total)
    folders, files = {}, {}
    for (file, _), (edges, total) in best.items():
        folder = "/".join(file.split("/")[:2]) if file.startswith("layers/") else file.split("/")[0]
        for table, key in ((folders, folder), (files, file)):
            entry = table.setdefault(key, [0, 0, 0, 0])
            for i, value in enumerate((edges > 0, 1, edges, total)):
                entry[i] += value
    print("folder                functions        edges, of one target at most")
    for folder, (some, count, edges, total) in sorted(folders.items()):
        print(f"{folder:20} {some:5} of {count:5} {100 * edges / max(total, 1):6.0f}%")
    print("not reached: " + (", ".join(sorted(file for file, entry in files.items() if entry[0] == 0)) or "nothing"))


if __name__ == "__main__":
    main()
