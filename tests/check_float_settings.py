#!/usr/bin/env python3
"""Bakes characters in a program that rounds otherwise, or takes small numbers for zero: the files are the same, byte for byte.

usage: check_float_settings.py PROGRAM SHIM [--all]     --all: every stranger, else three characters
"""
import os
import pathlib
import platform
import subprocess
import sys
import tempfile

SETTINGS = {"down": "3f80", "up": "5f80", "to zero": "7f80", "small numbers are zero": "9fc0"}
FEW = ("khronos_fox/glTF-Binary/Fox.glb", "strangers/Frog.glb", "strangers/Enemy_Large-transformed.glb")


def bake(program, source, target, environment):
    """The file's bytes, or the program's words where it has nothing to bake."""
    run = subprocess.run([program, "bake", str(source), target], capture_output=True, text=True, timeout=900, check=False,
                         env={**os.environ, **environment})
    if run.returncode != 0:
        return "refused: " + run.stderr.strip().splitlines()[-1]
    with open(target, "rb") as file:
        return file.read()


def main():
    program, shim = (os.path.abspath(name) for name in sys.argv[1:3])
    assets = pathlib.Path(os.environ.get("SUPPLE_ASSETS", "../shared/assets"))
    files = [assets / name for name in FEW if (assets / name).exists()]
    if "--all" in sys.argv:
        files = sorted((assets / "strangers").glob("*.glb"))
    if not files or platform.machine() != "x86_64":
        print("skipped: no characters among the test assets, or another processor")
        sys.exit(77)
    wrong, baked, refused = 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        target = f"{folder}/baked.glb"
        for source in files:
            good = bake(program, source, target, {})
            refused += isinstance(good, str)
            for name, bits in SETTINGS.items():
                other = bake(program, source, target, {"LD_PRELOAD": shim, "SUP_MXCSR": bits})
                baked += not isinstance(other, str)
                if other != good:
                    wrong += 1
                    print(f"{source.name}: another file where the host's rounding is '{name}'")
    print(f"{len(files)} characters, {refused} of them refused; {baked} bakes, {wrong} of them other files")
    sys.exit(1 if wrong or not baked else 0)


if __name__ == "__main__":
    main()
