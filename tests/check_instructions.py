#!/usr/bin/env python3
"""Counts the instructions of the hot paths under callgrind and holds them to bounds: a slower path is found on a noisy machine too.

usage: check_instructions.py [--update] BUILD-FOLDER     bounds: tests/instruction_bounds.json, with 5% to spare
Exit code 77, with a word, where it cannot count: no valgrind, no AVX2, a build without SIMD, or not the compiler that the bounds are for.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
BOUNDS = os.path.join(HERE, "instruction_bounds.json")
SLACK = 1.05


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def count(program, name, times):
    with tempfile.TemporaryDirectory() as folder:
        call = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", program, name, str(times)]
        done = subprocess.run(call, capture_output=True, text=True, check=False)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or found is None:
        sys.exit(f"{' '.join(call)}\n{done.stderr}")
    return int(found.group(1))


def main():
    update = "--update" in sys.argv
    build = [word for word in sys.argv[1:] if not word.startswith("--")][0]
    program = os.path.join(build, "tests", "hot_paths")
    cache = open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8").read()
    if shutil.which("valgrind") is None:
        skip("valgrind is not installed")
    if not os.path.exists(program):
        skip("hot_paths was not built")
    if "avx2" not in open("/proc/cpuinfo", encoding="utf-8").read():
        skip("the bounds are for AVX2, which this processor lacks")
    bounds = json.load(open(BOUNDS, encoding="utf-8"))
    if re.search(r"^CMAKE_C_COMPILER:\w+=(\S*/)?gcc$", cache, re.MULTILINE) is None:
        skip("the bounds are for gcc")
    version = subprocess.run(["gcc", "-dumpversion"], capture_output=True, text=True, check=True).stdout.strip()
    if re.search(r"^CMAKE_BUILD_TYPE:\w+=Release$", cache, re.MULTILINE) is None:
        skip("the bounds are for the release build")
    if re.search(r"^SUP_SCALAR:BOOL=(ON|1|TRUE|YES)$", cache, re.MULTILINE):
        skip("the bounds are for AVX2, this build has no SIMD")
    if "-O3 -DNDEBUG" not in cache or version != bounds["gcc"] and not update:
        skip(f"the bounds are for gcc {bounds['gcc']} at -O3, this is gcc {version}")
    worse = 0
    for name, bound in bounds["instructions"].items():
        each = (count(program, name, 21) - count(program, name, 1)) / 20
        bad = not update and each > bound * SLACK
        worse += bad
        print(f"{name}: {each:.0f} instructions a call, {bound} allowed for{' - too many' if bad else ''}")
        bounds["instructions"][name] = round(each)
    if update:
        bounds["gcc"] = version
        json.dump(bounds, open(BOUNDS, "w", encoding="utf-8"), indent=4)
        open(BOUNDS, "a", encoding="utf-8").write("\n")
    sys.exit(1 if worse else 0)


if __name__ == "__main__":
    main()
