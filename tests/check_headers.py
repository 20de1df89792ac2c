#!/usr/bin/env python3
"""Every public header compiles by itself, as C17 and as C++17, without a warning.

usage: check_headers.py CC CXX
"""
import glob
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wundef", "-Werror", "-Wno-unused-const-variable"]


def compiles(compiler, language, standard, header):
    text = f'#include "supple/{header}"\n#include "supple/{header}"\n'
    command = [compiler, "-x", language, f"-std={standard}", "-fsyntax-only", "-I", os.path.join(ROOT, "include")]
    done = subprocess.run(command + WARNINGS + ["-"], input=text, text=True, capture_output=True)
    if done.returncode != 0:
        print(f"supple/{header} as {standard}:\n{done.stderr}")
    return done.returncode == 0


def main():
    cc, cxx = sys.argv[1:3]
    root = os.path.join(ROOT, "include", "supple")
    headers = sorted(glob.glob("**/*.h", root_dir=root, recursive=True))
    good = [compiles(cc, "c", "c17", h) and compiles(cxx, "c++", "c++17", h) for h in headers]
    print(f"{sum(good)} of {len(headers)} headers compile alone")
    return 0 if headers and all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
