#!/usr/bin/env python3
"""The core as two files: they build without a warning, a program in C++ uses them, and state_hashes linked with them prints
what it prints in the release build. Who hands supple.c to a C++ compiler is told what to do.

usage: check_amalgamation.py FOLDER HASHES COMPILER BUILD [EMULATOR]
FOLDER has supple.h and supple.c, HASHES is what the release build prints, BUILD the one whose scenes are linked.
"""
import glob
import os
import subprocess
import sys

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
PROGRAM = """#include "supple.h"
#include <cstdio>
int main()
{
    supError error = {};
    supRig* rig = nullptr;
    supResult result = supCreateRig( nullptr, &rig, &error );
    supDestroyRig( rig );
    supPool* pool = nullptr;
    supPoolDef def = supDefaultPoolDef();
    def.workerCount = 3;
    result = result == sup_success ? supCreatePool( &def, &pool, &error ) : result;
    bool three = result == sup_success && supPool_Tasks( pool ).workerCount == 3;
    supDestroyPool( pool );
    std::printf( "%s\\n", supVersion() );
    return three ? 0 : 1;
}
"""


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}:\n{done.stdout}{done.stderr}")
    return done.stdout.replace("\r", "")


def main():
    folder, hashes, compiler, build = sys.argv[1:5]
    emulator = sys.argv[5:]
    windows, other = "mingw" in compiler, bool(emulator)
    name = os.path.join(folder, os.path.basename(compiler))
    libraries = ["-static"] if windows else ["-static"] * other + ["-lm", "-pthread"]
    run(compiler, "-std=c17", "-O1", *WARNINGS, "-c", f"{folder}/supple.c", "-o", f"{name}.o")
    scenes = glob.glob(f"{build}/tests/hash/CMakeFiles/state_hashes.dir/**/*.o*", recursive=True)
    scenes = [scene for scene in scenes if scene.endswith((".o", ".obj"))]
    if not scenes:
        sys.exit(f"{build}: there are no objects of state_hashes")
    run(compiler, *scenes, f"{build}/src/libsupple_creatures.a", f"{name}.o", *libraries, "-o", f"{name}-hashes.exe")
    if run(*emulator, f"{name}-hashes.exe") != open(hashes, encoding="utf-8").read():
        sys.exit(f"{compiler}: other hashes than {hashes}")
    if not other:
        cxx = {"gcc": "g++", "clang": "clang++"}[os.path.basename(compiler)]
        with open(f"{name}.cpp", "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        run(cxx, "-std=c++17", *WARNINGS, f"{name}.cpp", f"{name}.o", *libraries, "-o", f"{name}-program")
        print(run(f"{name}-program"), end="")
        run(cxx, "-x", "c", "-std=c17", *WARNINGS, "-fsyntax-only", f"{folder}/supple.c")
        told = subprocess.run([cxx, "-x", "c++", "-fsyntax-only", f"{folder}/supple.c"], capture_output=True, text=True)
        if told.returncode == 0 or "supple.c is C: compile it with a C compiler" not in told.stderr:
            sys.exit(f"{cxx} does not say that supple.c is C")
    print(f"{compiler}: the same hashes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
