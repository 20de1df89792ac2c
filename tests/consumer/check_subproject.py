#!/usr/bin/env python3
"""Takes Supple in with add_subdirectory, as a shared library: only the core is built, it needs the C library alone, and
nothing is visible but its public functions and what src/base shares with the libraries beside the core.

usage: check_subproject.py CC
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SYSTEM_LIBRARIES = r"libc\.|libm\.|libpthread\.|ld-linux|libgcc_s\."


def run(command, folder):
    done = subprocess.run(command, cwd=folder, text=True, capture_output=True)
    if done.returncode != 0:
        print("$", " ".join(command), "\n" + done.stdout + done.stderr)
        sys.exit(1)
    return done.stdout


def api_names(folder):
    """Every function and table that a header in that folder marks with SUP_API."""
    names = set()
    for header in glob.glob(os.path.join(ROOT, folder, "**", "*.h"), recursive=True):
        text = open(header, encoding="utf-8").read()
        text = re.sub(r"//[^\n]*", "", text)
        names.update(re.findall(r"SUP_API\b[^;({]*?\b(sup\w+)\s*[(;\[]", text))
    return names


def main():
    cc = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        run(["cmake", "-S", os.path.join(HERE, "subproject"), "-B", ".", "-G", "Ninja", f"-DSUPPLE_SOURCE={ROOT}",
             f"-DCMAKE_C_COMPILER={cc}", "-DCMAKE_C_FLAGS=-O0", "-DCMAKE_BUILD_TYPE=Debug"], folder)
        run(["cmake", "--build", ".", "-j2"], folder)
        got = run(["./consumer_c"], folder)
        if not got.startswith("C: supple 0."):
            sys.exit(f"the program says '{got}'")
        library = os.path.join(folder, "supple", "src", "libsupple.so")
        needed = re.findall(r"NEEDED\s+(\S+)", run(["objdump", "-p", library], folder))
        foreign = [name for name in needed if not re.match(SYSTEM_LIBRARIES, name)]
        if foreign:
            sys.exit(f"the core needs {foreign}")
        shown = {line.split()[-1] for line in run(["nm", "-D", "--defined-only", library], folder).splitlines()}
        public = api_names("include/supple")
        secret = sorted(shown - public - api_names("src/base"))
        if secret:
            sys.exit(f"visible, but in no public header and not shared by src/base: {secret}")
    print(f"{len(shown & public)} public functions, {len(shown - public)} of src/base, needs {', '.join(needed)}")


if __name__ == "__main__":
    main()
