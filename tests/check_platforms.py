#!/usr/bin/env python3
"""The core and the public headers are C17 for compilers and systems that are not at hand: clang checks every file for
MSVC's target (x86-64, ARM64) and for Apple's, with every extension of GNU's a mistake. The headers in tests/platforms
stand in for those systems' own: they declare what the core uses, and no more.

usage: check_platforms.py CLANG [FILE...]      the whole core, or these files
"""
import concurrent.futures
import glob
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CORE = ["base", "solve", "character", "layers", "layers/*", "rig", "body", "bake", "auto", "creatures"]
STRICT = ["-std=c17", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Wgnu", "-Wvla", "-Werror",
          "-Wno-unused-function",
          "-Wno-language-extension-token"]  # MSVC's own __forceinline
POSIX = ["-D_POSIX_C_SOURCE=200809L", "-D_DARWIN_C_SOURCE=1"]
PLATFORMS = [
    ("MSVC, x86-64", ["--target=x86_64-pc-windows-msvc", "-fms-compatibility-version=19.30"], "windows"),
    ("MSVC, ARM64", ["--target=aarch64-pc-windows-msvc", "-fms-compatibility-version=19.30"], "windows"),
    ("Apple, ARM64", ["--target=arm64-apple-macos11", *POSIX], "macos"),
]
WIDE = {"_avx2.c": ["-mavx2", "-mfma"], "_avx512.c": ["-mavx512f", "-mavx512dq", "-mavx512bw", "-mavx512vl", "-mfma"]}


def sources():
    found = []
    for folder in CORE:
        found += glob.glob(os.path.join(ROOT, "src", folder, "*.c"))
    headers = glob.glob(os.path.join(ROOT, "include", "supple", "**", "*.h"), recursive=True)
    return sorted(found), sorted(headers)


def check(clang, platform, files):
    """What the compiler says of these files, which have the same flags."""
    name, target, system = platform
    extra = next((flags for end, flags in WIDE.items() if files[0].endswith(end) and "x86_64" in target[0]), [])
    folders = [f"-isystem{ROOT}/tests/platforms/{folder}" for folder in (system, "common")]
    command = [clang, *target, *STRICT, *extra, *folders, "-nostdlibinc", f"-I{ROOT}/include", f"-I{ROOT}/src", *files]
    done = subprocess.run(command, capture_output=True, text=True)
    return "" if done.returncode == 0 else f"{name}:\n{done.stderr}"


def batches(files):
    plain = [f for f in files if not f.endswith(tuple(WIDE))]
    size = 40  # files for each call: starting the compiler costs more than a small file
    return [plain[i:i + size] for i in range(0, len(plain), size)] + [[f] for f in files if f.endswith(tuple(WIDE))]


def main():
    clang, files = sys.argv[1], [os.path.abspath(f) for f in sys.argv[2:]]
    if not files:
        core, headers = sources()
        files = core + headers
    jobs = [(platform, batch) for platform in PLATFORMS for batch in batches(files)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        said = [text for text in pool.map(lambda job: check(clang, *job), jobs) if text]
    print("".join(text[:6000] for text in said), end="")
    print(f"{len(files)} files for {len(PLATFORMS)} platforms, {len(said)} calls of the compiler failed")
    return 1 if said or not files else 0


if __name__ == "__main__":
    sys.exit(main())
