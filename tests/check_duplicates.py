#!/usr/bin/env python3
"""No two libraries define the same symbol. With static libraries the linker takes the first and says nothing; in one
module, as in WebAssembly or a single file, the build fails.

usage: check_duplicates.py LIBRARY.a...
"""
import subprocess
import sys


def main():
    seen = {}
    wrong = 0
    for library in sys.argv[1:]:
        listing = subprocess.run(["nm", "-A", "--defined-only", "--extern-only", library], text=True, check=True,
                                 capture_output=True).stdout
        for line in listing.splitlines():
            place, kind, name = line.rsplit(None, 2)
            if not name.startswith("sup"):
                continue  # what sanitizers and compilers add
            where = ":".join(place.split(":")[:2])
            if seen.setdefault(name, where) != where:
                print(f"{name}: defined in {seen[name]} and in {where}")
                wrong += 1
    print(f"{len(seen)} symbols in {len(sys.argv) - 1} libraries, {wrong} of them twice")
    return 1 if wrong or not seen else 0


if __name__ == "__main__":
    sys.exit(main())
