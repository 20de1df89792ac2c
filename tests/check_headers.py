#!/usr/bin/env python3
"""Every public header compiles by itself, as C17 and as C++17, without a warning; so does every example as C++20.

usage: check_headers.py CC CXX
"""
import glob
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wundef", "-Werror", "-Wno-unused-const-variable"]

# The examples are C that C++ reads too. C++20 for designated initialisers; what is C's own way is let pass: literals of
# structs, { 0 } for all of a struct, and counts that are enumerators.
EXAMPLE_WARNINGS = ["-Wall", "-Wextra", "-Werror", "-Wno-missing-field-initializers", "-Wno-missing-braces",
                    "-Wno-deprecated-enum-float-conversion"]


def reads_example(compiler, example):
    options = EXAMPLE_WARNINGS + (["-Wno-c99-extensions"] if "clang" in os.path.basename(compiler) else [])
    folders = [f"-I{os.path.join(ROOT, folder)}" for folder in ("include", "examples/lab")]
    command = [compiler, "-x", "c++", "-std=c++20", "-fsyntax-only", "-DSUP_HAS_SUPPLE_PICTURE=1"] + folders + options
    done = subprocess.run(command + [os.path.join(ROOT, example)], text=True, capture_output=True)
    if done.returncode != 0:
        print(f"{example} by {compiler}:\n{done.stderr}")
    return done.returncode == 0


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
    examples = sorted(glob.glob("examples/**/*.c", root_dir=ROOT, recursive=True))
    examples = [e for e in examples if not e.startswith("examples/viewer/")]  # needs SDL2's headers; built by the hosts
    compilers = [cxx] + [c for c in ("g++", "clang++") if shutil.which(c) and c not in os.path.basename(cxx)]
    read = [reads_example(c, e) for c in compilers for e in examples]
    print(f"{sum(read)} of {len(read)} times an example is C++ ({', '.join(compilers)})")
    return 0 if headers and all(good) and examples and all(read) else 1


if __name__ == "__main__":
    sys.exit(main())
