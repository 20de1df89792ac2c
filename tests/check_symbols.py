"""Looks into the compiled core: no elementary functions of the C library (their last bits differ from one version to the next, ours
do not: src/base/scalar_math.h), no mutable global state, and no exported name without the prefix. In all libraries together: no two
functions of one name, since a linker may take the wrong one without a word.

    check_symbols.py OBJDUMP LIBSUPPLE.A [OTHERS...]      or --self-test
"""
import re
import subprocess
import sys

FUNCTIONS = (
    "sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp exp2 exp10 expm1 log log2 log10 log1p pow cbrt hypot "
    "sincos erf erfc tgamma lgamma fma rand srand rand_r random srandom drand48 clock time gettimeofday clock_gettime").split()
FORBIDDEN = {name + suffix for name in FUNCTIONS for suffix in ("", "f", "l")}

# What sanitizers and coverage put there is theirs.
THEIRS = re.compile(r"^(__|_GLOBAL_|\.L|llvm|gcov)|(^|_)(asan|ubsan|tsan|sancov)")


def symbols(listing):
    """Of objdump -t: "file.o:     file format …", then "address flags section<tab>size [.hidden] name"."""
    part = "?"
    for line in listing.splitlines():
        if "file format" in line:
            part = line.split(":")[0]
            continue
        if "\t" not in line:
            continue
        left, right = line.split("\t", 1)
        section, name = left.split()[-1], right.split()[-1]
        if not THEIRS.search(name) and name != section:
            yield part, section, name, "g" in left[17:24], ".hidden" in right


def findings(listing):
    found = []
    for part, section, name, is_global, hidden in symbols(listing):
        if section == "*UND*":
            if name in FORBIDDEN:
                found.append(f"{part}: calls {name}")
        elif re.match(r"(\.t?data|\.t?bss|\*COM\*)", section) and not section.startswith(".data.rel.ro"):
            found.append(f"{part}: {name} is mutable global state")
        elif is_global and not hidden and not name.startswith("sup"):
            found.append(f"{part}: {name} is visible without the prefix")
    return found


def duplicates(listings):
    found, first = [], {}
    for listing in listings:
        for part, section, name, is_global, _ in symbols(listing):
            if is_global and section != "*UND*" and first.setdefault(name, part) != part:
                found.append(f"{part}: {name} is in {first[name]} too")
    return found


def self_test():
    listing = """
a.o:     file format elf64-x86-64

SYMBOL TABLE:
0000000000000000 l    d  .data\t0000000000000000 .data
0000000000000000         *UND*\t0000000000000000 sqrt
0000000000000000         *UND*\t0000000000000000 sinf
0000000000000000 g     F .text\t0000000000000010 supGood
0000000000000010 g     F .text\t0000000000000010 helper
0000000000000020 g     F .text\t0000000000000010 .hidden helper2
0000000000000030 l     F .text\t0000000000000010 helper3
0000000000000000 l     O .bss\t0000000000000004 counter.1
0000000000000000 l     O .rodata\t0000000000000004 table
0000000000000000 l     O .data.rel.ro.local\t0000000000000004 names.0

b.o:     file format elf64-x86-64

SYMBOL TABLE:
0000000000000000         *UND*\t0000000000000000 pow
0000000000000000 g     O .data\t0000000000000004 supState
"""
    want = ["a.o: calls sinf", "a.o: helper is visible without the prefix", "a.o: counter.1 is mutable global state",
            "b.o: calls pow", "b.o: supState is mutable global state"]
    assert findings(listing) == want, findings(listing)
    other = listing.split("b.o")[0].replace("a.o", "c.o").replace("supGood", "supOther").replace("helper", "supGood")
    assert duplicates([listing]) == []
    assert duplicates([listing, other.replace("supGood3", "helper3")]) == [
        "c.o: supGood is in a.o too"], duplicates([listing, other])


def main():
    if sys.argv[1] == "--self-test":
        self_test()
        return 0
    listings = [subprocess.run([sys.argv[1], "-t", library], check=True, capture_output=True, text=True).stdout
                for library in sys.argv[2:]]
    listing = listings[0]
    found = findings(listing) + duplicates(listings)
    objects = listing.count("file format")
    print("\n".join(found + [f"{objects} objects, {len(found)} findings"]))
    return 1 if found or objects == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
