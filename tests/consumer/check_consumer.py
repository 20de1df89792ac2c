#!/usr/bin/env python3
"""Installs a build into an empty folder and uses it from outside, through CMake and through pkg-config, in C and C++;
so is the program of docs/embedding.md.

usage: check_consumer.py BUILD CC CXX
"""
import glob
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def run(command, **more):
    done = subprocess.run(command, text=True, capture_output=True, **more)
    if done.returncode != 0:
        print("$", " ".join(command), "\n" + done.stdout + done.stderr)
        sys.exit(1)
    return done.stdout


def expect(program, text, folder):
    got = run([program], cwd=folder)
    if not got.startswith(text):
        sys.exit(f"{program}: expected '{text}…', got '{got}'")


def use_cmake(prefix, folder, cc, cxx, has_io):
    run(["cmake", "-S", HERE, "-B", folder, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_C_COMPILER={cc}",
         f"-DCMAKE_CXX_COMPILER={cxx}", f"-DEXPECT_IO={'ON' if has_io else 'OFF'}"])
    run(["cmake", "--build", folder])
    expect("./consumer_c", "C: supple 0.", folder)
    expect("./consumer_cpp", "C++: supple 0.", folder)
    if has_io:
        expect("./consumer_io", "io: supple 0.", folder)


def use_cmake_without_cxx(prefix, folder, cc):
    """A project that knows C alone, though supple_io may have C++ in it."""
    run(["cmake", "-S", os.path.join(HERE, "only_c"), "-B", folder, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
         f"-DCMAKE_C_COMPILER={cc}"])
    run(["cmake", "--build", folder])
    expect("./consumer_io", "io: supple 0.", folder)


def use_pkg_config(prefix, folder, cc, cxx, has_io):
    found = glob.glob(os.path.join(prefix, "lib", "**", "supple.pc"), recursive=True)
    if len(found) != 1:
        sys.exit("supple.pc was not installed")
    paths = os.path.dirname(found[0]) + ":" + os.environ.get("PKG_CONFIG_PATH", "")
    environment = dict(os.environ, PKG_CONFIG_PATH=paths)
    os.mkdir(folder)
    programs = [("supple", cc, "-std=c17", "consumer.c", "C:"), ("supple", cxx, "-std=c++17", "consumer.cpp", "C++:")]
    if has_io:
        programs.append(("supple_io", cc, "-std=c17", "consumer_io.c", "io:"))
    for package, compiler, standard, source, word in programs:
        flags = run(["pkg-config", "--cflags", package], env=environment).split()
        libs = run(["pkg-config", "--libs", package], env=environment).split()
        run([compiler, standard, "-Wall", "-Werror", *flags, os.path.join(HERE, source), "-o", "program", *libs], cwd=folder)
        expect("./program", word + " supple 0.", folder)


def use_page(prefix, folder, cc):
    """The program of docs/embedding.md, compiled with the line below it."""
    root = os.path.join(HERE, "..", "..")
    page = open(os.path.join(root, "docs", "embedding.md"), encoding="utf-8").read()
    program = page.split("```c\n", 1)[1].split("```", 1)[0]
    line = next(line.strip() for line in page.splitlines() if line.startswith("    cc "))
    os.mkdir(folder)
    with open(os.path.join(folder, "game.c"), "w", encoding="utf-8") as file:
        file.write(program)
    found = glob.glob(os.path.join(prefix, "lib", "**", "supple.pc"), recursive=True)
    environment = dict(os.environ, PKG_CONFIG_PATH=os.path.dirname(found[0]) + ":" + os.environ.get("PKG_CONFIG_PATH", ""))
    run(["sh", "-c", line.replace("cc ", cc + " -Wall -Wextra -Werror ", 1)], cwd=folder, env=environment)
    fox = os.path.join(os.environ.get("SUPPLE_ASSETS") or os.path.join(root, "..", "shared", "assets"),
                       "khronos_fox", "glTF-Binary", "Fox.glb")
    if os.path.isfile(fox):
        got = run(["./game", os.path.abspath(fox)], cwd=folder)
        if "elements of flesh, farthest out " not in got or got.startswith("0 ") or "out 0 " in got:
            sys.exit(f"docs/embedding.md: its program says '{got}'")


def main():
    build, cc, cxx = sys.argv[1:4]
    with tempfile.TemporaryDirectory() as folder:
        prefix = os.path.join(folder, "installed")
        run(["cmake", "--install", build, "--prefix", prefix])
        # moved after the install: nothing in it may know where it was put
        moved = os.path.join(folder, "moved")
        shutil.move(prefix, moved)
        has_io = os.path.isfile(os.path.join(moved, "include", "supple", "io.h"))
        use_cmake(moved, os.path.join(folder, "by_cmake"), cc, cxx, has_io)
        if has_io:
            use_cmake_without_cxx(moved, os.path.join(folder, "by_cmake_without_cxx"), cc)
        use_pkg_config(moved, os.path.join(folder, "by_pkg_config"), cc, cxx, has_io)
        if has_io:
            use_page(moved, os.path.join(folder, "page"), cc)
        program = os.path.join(moved, "bin", "supple")
        if os.path.isfile(program):
            run([program, "--version"], cwd=folder)
    print("used from CMake and pkg-config, C and C++" + (", with supple_io" if has_io else ""))


if __name__ == "__main__":
    main()
