#!/usr/bin/env python3
"""Makes supple.h and supple.c of the core: two files to copy into a build, without any setting of a compiler.

usage: make_amalgamation.py FOLDER

Public headers go into supple.h in the order in which they include one another, internal ones and then the sources into
supple.c. Where two sources have a private name in common, it gets the name of its file at its end. Kernels are written
once and compiled for each instruction set, so the headers that they are made of come again with every one of them, under
other names, between pragmas that allow these instructions there alone.
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDERS = ["base", "solve", "character", "layers", "rig", "body", "bake", "auto"]
LAST = "src/base/platform.c"  # windows.h takes words away that the others use
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"[^\n]*\n', re.M)
SYSTEM = re.compile(r"^#include <([^>]+)>[^\n]*\n", re.M)  # those that stand in an #if are indented, and stay
TARGETS = {"_avx2.c": "avx2,fma", "_avx512.c": "avx512f,avx512dq,avx512bw,avx512vl,fma"}


def read(path):
    return open(os.path.join(ROOT, path), encoding="utf-8").read()


def resolve(path, name):
    for folder in (os.path.dirname(path), "src", "include"):
        candidate = os.path.normpath(os.path.join(folder, name))
        if os.path.isfile(os.path.join(ROOT, candidate)):
            return candidate
    raise SystemExit(f"{path}: there is no {name}")


def parts(path):
    """What a file of the project includes of it, in order."""
    return [resolve(path, name) for name in INCLUDE.findall(read(path))]


def sources():
    found = []
    for folder in FOLDERS:
        for where, folders, files in os.walk(os.path.join(ROOT, "src", folder)):
            folders.sort()
            found += [os.path.relpath(os.path.join(where, f), ROOT) for f in sorted(files) if f.endswith(".c")]
    found.remove(LAST)
    return found + [LAST]


def closure(path, seen):
    """All that a file includes, what is included first before what includes it."""
    for part in parts(path):
        if part not in seen:
            seen[part] = None
            closure(part, seen)
            seen[part] = seen.pop(part)
    return seen


def is_public(path):
    return path.startswith("include/")


class Kinds:
    """Headers that come once, and those that come again with every kernel: the wide float and what stands on it."""

    def __init__(self):
        self.again = {}

    def comes_again(self, path):
        if path not in self.again:
            wide = path.startswith("src/base/wide") and path != "src/base/wide_double.h"
            self.again[path] = wide or path.endswith(".inl") or any(self.comes_again(part) for part in parts(path))
        return self.again[path]


def body(path):
    """A file's text without its includes of the project, without what the system gives, without its first lines."""
    text = read(path)
    text = re.sub(r"^// SPDX[^\n]*\n", "", text, flags=re.M)
    return text.replace("#pragma once\n", "")


def with_includes(path, kinds, done, system):
    """The text of a source with those headers in place that come again. Its own system headers go into `system`; theirs
    stay, since they hang on the instruction set."""
    def put(found):
        part = resolve(path, found.group(1))
        if not kinds.comes_again(part) or part in done:
            return ""
        done.add(part)
        return with_includes(part, kinds, done, None)
    text = body(path)
    return INCLUDE.sub(put, text if system is None else take_system(text, system))


PRIVATE = [
    re.compile(r"^(?:static|SUP_ALWAYS)\b[^;={}#]*?\b(\w+)\(", re.M),
    re.compile(r"^SUP_OPERATION\( \w+, (\w+),", re.M),
    re.compile(r"^typedef[^;{}(]*?\b(\w+);", re.M),
    re.compile(r"^typedef [^;{}]*?(?:\( \*|\b)(\w+)(?: \))?\([^;{}]*\);", re.M),
    re.compile(r"^(?:typedef )?(?:struct|enum|union) (\w+)\n\{", re.M),
    re.compile(r"^\} (\w+);", re.M),
]
VARIABLES = re.compile(r"^static (?:const )?[^;(){]*?\w(?:\[[^\]]*\])* = [^;{]*", re.M)  # up to the first brace
VARIABLE = re.compile(r"\b(\w+)(?:\[[^\]]*\])* = ")
ENUM = re.compile(r"^(?:typedef )?enum[^\n]*\n\{\n(.*?)^\}", re.M | re.S)
ENUMERATOR = re.compile(r"^    (\w+)\b(?! *\()", re.M)
MACRO = re.compile(r"^\s*#\s*define (\w+)", re.M)
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)


def private_names(text):
    """Names of functions, variables, types and enumerators that a text has for itself."""
    text = COMMENT.sub(lambda found: '""' if found.group(0).startswith('"') else "", text)
    found = {name for pattern in PRIVATE for name in pattern.findall(text)}
    for statement in VARIABLES.findall(text):
        found |= set(VARIABLE.findall(statement))
    for inside in ENUM.findall(text):
        found |= set(ENUMERATOR.findall(inside))
    return found


def rename(text, names):
    """Whole words, in code and comments, not in strings. `names`: old to new."""
    if not names:
        return text
    pattern = re.compile(r'"(?:\\.|[^"\\\n])*"|\b(?:' + "|".join(sorted(names)) + r")\b")
    return pattern.sub(lambda found: names.get(found.group(0), found.group(0)), text)


def common_names(text):
    """Functions that are for all: declared in a header, or defined in a source and not static."""
    return set(re.findall(r"^(?!static|SUP_ALWAYS|typedef)(?:\w[\w* ]*?)\b(sup\w+)\(", COMMENT.sub("", text), re.M))


def announced(text):
    """Types whose inside stands in a source."""
    return set(re.findall(r"^typedef struct (\w+) \1;", text, re.M))


def undefine(text):
    names = dict.fromkeys(MACRO.findall(text))
    return "".join(f"#undef {name}\n" for name in names)


def end_of(path):
    return "_" + "".join(word.capitalize() for word in os.path.basename(path)[:-2].split("_"))


def allow(path):
    """The pragmas around a kernel."""
    target = next((target for end, target in TARGETS.items() if path.endswith(end)), None)
    if target is None:
        return "", ""
    before = ("#if SUP_TARGET_X86 && defined( __clang__ )\n"
              f'#    pragma clang attribute push( __attribute__( ( target( "{target}" ) ) ), apply_to = function )\n'
              "#elif SUP_TARGET_X86 && defined( __GNUC__ )\n#    pragma GCC push_options\n"
              f'#    pragma GCC target( "{target}" )\n#endif\n')
    after = ("#if SUP_TARGET_X86 && defined( __clang__ )\n#    pragma clang attribute pop\n"
             "#elif SUP_TARGET_X86 && defined( __GNUC__ )\n#    pragma GCC pop_options\n#endif\n")
    return before, after


def take_system(text, system):
    for name in SYSTEM.findall(text):
        system[name] = None
    return SYSTEM.sub("", text)


def rule(path):
    return f"\n// {'-' * 111}\n// {path}\n\n"


def squeeze(text):
    return re.sub(r"\n{3,}", "\n\n", text)


def make():
    kinds, all_sources, headers = Kinds(), sources(), {}
    closure("include/supple/supple.h", headers)
    for path in all_sources:
        closure(path, headers)
    public = [path for path in headers if is_public(path)]
    internal = [path for path in headers if not is_public(path) and not kinds.comes_again(path)]

    system, top = {}, ""
    for path in public:
        top += rule(path[len("include/"):]) + take_system(INCLUDE.sub("", body(path)), system).lstrip("\n")
    top = HEAD_H + "".join(f"#include <{name}>\n" for name in sorted(system)) + top

    # Two internal headers with a name in common: the later one's gets another, in all that include it.
    system, shared, moved, hidden = {}, "", {}, announced(top)
    common = common_names(top).union(*(common_names(read(path)) for path in internal + all_sources))
    taken = private_names(top) | common
    for path in internal:
        text = take_system(INCLUDE.sub("", body(path)), system).lstrip("\n")
        names, hides = private_names(text), announced(text)
        moved[path] = {name: name + end_of(path) for name in names & taken - hidden - hides - common_names(text)}
        seen = {name: new for part in closure(path, {}) for name, new in moved.get(part, {}).items()}
        shared += rule(path) + rename(text, {**seen, **moved[path]})
        taken, hidden = taken | names, hidden | hides
    sections, owners = [], {}
    for path in all_sources:
        text = with_includes(path, kinds, set(), system).lstrip("\n")
        names = private_names(text) - hidden - common_names(text)
        seen = {name: new for part in closure(path, {}) for name, new in moved.get(part, {}).items()}
        sections.append((path, text, names, seen))
        for name in names:
            owners[name] = owners.get(name, 0) + 1
    out = ""
    for path, text, names, seen in sections:
        twice = {name: name + end_of(path) for name in names if owners[name] > 1 or name in taken}
        before, after = allow(path)
        out += rule(path) + before + rename(text, {**seen, **twice}) + undefine(text) + after
    head = HEAD_C + "".join(f"#include <{name}>\n" for name in sorted(system)) + WIDE_HEADERS
    return squeeze(top), squeeze(head + shared + out + "\n" + FOOT_C)


LICENCE = "".join(f"// {line}".rstrip() + "\n" for line in read("LICENSE").splitlines())
HEAD_H = """// Supple: living flesh for characters that are already skinned and animated. The core, as two files.
// Made of the project's headers by tools/make_amalgamation.py; supple.c beside it has the functions.
//
""" + LICENCE + """#pragma once

"""
HEAD_C = """// Supple, the core. Made of the project's sources by tools/make_amalgamation.py. Compile it as C11 or later; nothing has to
// be set. Link it with -lm and -pthread where these exist. SUP_SCALAR leaves wide instructions out, SUP_NO_AVX those
// of AVX, SUP_NO_THREADS threads.
//
""" + LICENCE + """
#if defined( __cplusplus )
#    error "supple.c is C: compile it with a C compiler, or as 'g++ -x c supple.c'; C++ includes supple.h"
#else // all the rest: one error says it
#if !defined( _WIN32 ) && !defined( _POSIX_C_SOURCE )
#    define _POSIX_C_SOURCE 200809L // where a strict standard hides threads
#endif
#if defined( __APPLE__ ) && !defined( _DARWIN_C_SOURCE )
#    define _DARWIN_C_SOURCE 1
#endif
#if defined( __MINGW32__ ) && !defined( __USE_MINGW_ANSI_STDIO )
#    define __USE_MINGW_ANSI_STDIO 1 // %zu
#endif
#if defined( _MSC_VER ) && !defined( _CRT_SECURE_NO_WARNINGS )
#    define _CRT_SECURE_NO_WARNINGS 1
#endif

// The same bits on every machine: a fused multiply-add on one of them and not on the other would change them.
#if defined( __clang__ )
#    pragma STDC FP_CONTRACT OFF
#    pragma clang diagnostic push
#    pragma clang diagnostic ignored "-Wunused-function"
#    pragma clang diagnostic ignored "-Wunused-const-variable"
#elif defined( __GNUC__ )
#    pragma GCC push_options
#    pragma GCC optimize( "-ffp-contract=off" )
#    pragma GCC diagnostic push
#    pragma GCC diagnostic ignored "-Wunused-const-variable"
#    pragma GCC diagnostic ignored "-Wmaybe-uninitialized" // gcc's guess, which hangs on what it inlines
#elif defined( _MSC_VER )
#    pragma fp_contract( off )
#endif

// clang-cl has AVX where the whole file is compiled for it alone, so its kernels stay plain. mingw's gcc keeps registers of
// AVX on a stack that is not aligned for them (its bug 54412): there SSE2 is used.
#if defined( _MSC_VER ) && defined( __clang__ ) && !defined( SUP_SCALAR )
#    define SUP_SCALAR 1
#elif defined( __MINGW32__ ) && !defined( __clang__ ) && !defined( SUP_NO_AVX )
#    define SUP_NO_AVX 1
#endif

#include "supple.h"

"""
WIDE_HEADERS = """#if !defined( SUP_SCALAR ) && ( defined( __x86_64__ ) || defined( _M_X64 ) )
#    include <immintrin.h>
#endif
"""
FOOT_C = """#if defined( __clang__ )
#    pragma clang diagnostic pop
#elif defined( __GNUC__ )
#    pragma GCC diagnostic pop
#    pragma GCC pop_options
#endif
#endif // C
"""


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    for name, text in zip(("supple.h", "supple.c"), make()):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
        print(f"{os.path.join(folder, name)}: {text.count(chr(10))} lines, {len(text)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
