#!/usr/bin/env python3
"""Puts the package `supple` together: its Python files, the binding made of the headers, and the library.

usage: assemble.py LIBRARY FOLDER            the package in FOLDER/supple, as it is used from the build
       assemble.py LIBRARY FOLDER --carry    also copies of the libraries that LIBRARY needs, for other machines
       assemble.py LIBRARY FOLDER --wheel    also a wheel in FOLDER/dist (needs setuptools and wheel, no network)
"""
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import make_binding  # noqa: E402

# What every Linux has, and what must not come twice into one process.
SYSTEM = re.compile(r"^(linux-vdso|ld-linux|libc|libm|libdl|libpthread|librt|libstdc\+\+|libgcc_s)[.-]")


def copy(source, target):
    """Copies a file where it differs, so that nothing that depends on it is made anew for nothing."""
    with open(source, "rb") as file:
        new = file.read()
    if os.path.exists(target):
        with open(target, "rb") as file:
            if file.read() == new:
                return
        os.remove(target)  # a process that runs keeps the one that it has
    shutil.copyfile(source, target)


def package(library, folder):
    target = os.path.join(folder, "supple")
    os.makedirs(target, exist_ok=True)
    source = os.path.join(HERE, "supple")
    names = [name for name in sorted(os.listdir(source)) if name.endswith((".py", ".typed"))]
    for old in set(os.listdir(target)) - set(names) - {"_c.py", "__pycache__"}:
        if old.endswith(".py"):
            os.remove(os.path.join(target, old))
    for name in names:
        copy(os.path.join(source, name), os.path.join(target, name))
    made = os.path.join(target, "_c.new")
    make_binding.write_python(make_binding.Headers(), made)
    copy(made, os.path.join(target, "_c.py"))
    os.remove(made)
    copy(library, os.path.join(target, os.path.basename(library)))
    return target


def carry(library, target):
    """Copies the libraries that a library needs beside it. That for Windows needs none but the system's."""
    if library.endswith(".dll"):
        return
    listed = subprocess.run(["ldd", library], check=True, capture_output=True, text=True).stdout
    for name, path in re.findall(r"^\s*(\S+) => (/\S+)", listed, re.M):
        if not SYSTEM.match(name):
            copy(path, os.path.join(target, name))


def wheel(folder):
    for name in ("setup.py", "README.md"):
        copy(os.path.join(HERE, name), os.path.join(folder, name))
    copy(os.path.join(HERE, "..", "LICENSE"), os.path.join(folder, "LICENSE"))
    shutil.rmtree(os.path.join(folder, "dist"), ignore_errors=True)
    done = subprocess.run([sys.executable, "setup.py", "-q", "bdist_wheel"], cwd=folder, capture_output=True, text=True,
                          check=False)
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)
    return os.path.join(folder, "dist", os.listdir(os.path.join(folder, "dist"))[0])


def main():
    if len(sys.argv) not in (3, 4):
        raise SystemExit(__doc__)
    library, folder = sys.argv[1:3]
    target = package(library, folder)
    if len(sys.argv) == 4:
        carry(library, target)
    if sys.argv[3:] == ["--wheel"]:
        print(wheel(folder))


if __name__ == "__main__":
    main()
