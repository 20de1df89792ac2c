#!/usr/bin/env python3
"""supple.dll, which Python and Blender use on Windows: it exports what the package binds, needs nothing but Windows, has the
structs that the package knows, writes files, and under wine gives the bits of the package here.

usage: check_windows.py FOLDER-OF-THE-DLL BUILD-FOLDER     the latter with tests/python_truth and supple
"""
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "python"))
import make_binding  # noqa: E402

PREFIX = "x86_64-w64-mingw32-"
WINE = "/usr/lib/wine/wine64"
SYSTEM = {"kernel32.dll", "msvcrt.dll", "advapi32.dll", "bcrypt.dll", "synchronization.dll"}
ASSETS = os.environ.get("SUPPLE_ASSETS") or os.path.join(ROOT, "..", "shared", "assets")


def run(*words, **more):
    done = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False, **more)
    if done.returncode:
        raise SystemExit(f"{' '.join(words)}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout.replace("\r", "")


def compile_here(source, folder, program, dll_folder=None):
    out = os.path.join(folder, program)
    words = [PREFIX + "gcc", "-std=c17", "-O2", "-D__USE_MINGW_ANSI_STDIO=1", "-I", make_binding.INCLUDE, source, "-o", out]
    run(*words, *(["-L", dll_folder, "-l:supple.dll"] if dll_folder else []))
    return out


def check_exports(dll):
    text = run(PREFIX + "objdump", "-p", dll)
    exported = set(re.findall(r"^\t\[ *\d+\].*? (sup\w+)$", text, re.M))
    wanted = set(make_binding.Headers().exports())
    assert exported == wanted, sorted(exported ^ wanted)[:10]
    needed = {one.lower() for one in re.findall(r"DLL Name: (\S+)", text)}
    assert needed <= SYSTEM or all(one in SYSTEM or one.startswith("api-ms-win") for one in needed), needed
    print(f"{len(exported)} functions, needs {', '.join(sorted(needed))}")


def check_layout(folder):
    source = os.path.join(folder, "layout.c")
    make_binding.write_layout(make_binding.Headers(), source)
    run(os.environ.get("CC", "cc"), "-I", make_binding.INCLUDE, source, "-o", os.path.join(folder, "layout"))
    here = run(os.path.join(folder, "layout"))
    there = run(WINE, compile_here(source, folder, "layout.exe"), cwd=folder)
    assert here == there and here.count("\n") > 500, "structs or constants differ"
    print(f"{len(here.splitlines())} sizes and places the same")


def check_bits(folder, dll_folder, build):
    program = compile_here(os.path.join(HERE, "python_truth.c"), folder, "truth.exe", dll_folder)
    run(os.path.join(build, "supple"), "demo", "cat", os.path.join(folder, "cat"))
    files = [os.path.join(folder, "cat", "cat.glb")]
    man = os.path.join(ASSETS, "mh_human", "mh_heavy.glb")
    if os.path.exists(man):
        files.append(man)
    for path in files:
        run(os.path.join(build, "tests", "python_truth"), path, os.path.join(folder, "here"))
        run(WINE, program, path, "there", cwd=folder)
        with open(os.path.join(folder, "here"), "rb") as one, open(os.path.join(folder, "there"), "rb") as other:
            here, there = one.read(), other.read()
        assert len(here) > 1000 and here == there, f"{path}: other bits"
        print(f"{os.path.basename(path)}: {len(here)} bytes the same")


def check_files(folder, dll_folder):
    program = compile_here(os.path.join(HERE, "windows_files.c"), folder, "files.exe", dll_folder)
    print(run(WINE, program, ".", cwd=folder))
    names = sorted(os.listdir(folder))
    assert "füß 狐.rig.json" in names and "points.pc2" in names and not any(one.endswith(".tmp") for one in names), names


def main():
    dll_folder, build = map(os.path.abspath, sys.argv[1:3])
    dll = os.path.join(dll_folder, "supple.dll")
    os.environ.setdefault("WINEDEBUG", "-all")
    os.environ["WINEPATH"] = dll_folder
    with tempfile.TemporaryDirectory() as folder:
        check_exports(dll)
        check_layout(folder)
        check_files(folder, dll_folder)
        check_bits(folder, dll_folder, build)


if __name__ == "__main__":
    main()
