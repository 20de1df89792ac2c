#!/usr/bin/env python3
"""Reads the stable headers and writes supple/_c.py: every enumerator, struct and function of theirs, for ctypes.

Nothing of the C API is written down a second time in Python, so the two cannot drift apart.

usage: make_binding.py OUT.py              write the Python file
       make_binding.py --layout OUT.c      write a C program that prints the layout of every struct, for the tests
       make_binding.py --exports OUT.def   write what a DLL without pictures exports
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INCLUDE = os.path.join(ROOT, "include")

NUMBERS = {"bool": "c_bool", "char": "c_char", "float": "c_float", "double": "c_double", "int": "c_int",
           "int32_t": "c_int32", "uint32_t": "c_uint32", "int64_t": "c_int64", "uint64_t": "c_uint64",
           "uint16_t": "c_uint16", "uint8_t": "c_uint8", "size_t": "c_size_t"}
# Structs that come in rows: a pointer to them is the address of an array of numbers.
ROWS = {"supVec3", "supQuat", "supMat34", "supColor"}


PICTURES = {"supple/picture.h", "supple/pixels.h"}


class Headers:
    """What stands in the headers, in the order of their includes."""

    def __init__(self, include=INCLUDE):
        self.include = include
        self.constants = {}  # name: number; defines and enumerators
        self.enums = {}      # name: {enumerator: number}
        self.structs = {}    # name: [(field, type, [lengths])]; opaque ones: None
        self.functions = {}  # name: (type, [types])
        self.variadic = []   # functions that ctypes has no use for
        self.pictures = []   # functions that a library without a graphics driver does without
        self.seen = set()
        for name in sorted(os.listdir(os.path.join(include, "supple"))):
            if name.endswith(".h"):
                self.read("supple/" + name)

    def read(self, name):
        if name in self.seen or not name.startswith("supple/") or name.startswith("supple/lab/"):
            return
        self.seen.add(name)
        with open(os.path.join(self.include, name), encoding="utf-8") as file:
            text = file.read()
        for other in re.findall(r'^#\s*include\s*"([^"]+)"', text, re.M):
            self.read(other)
        text = re.sub(r"//[^\n]*", "", re.sub(r"/\*.*?\*/", "", text, flags=re.S))
        for key, number in re.findall(r"^#define\s+(SUP_\w+)\s+(\d+)\s*$", text, re.M):
            self.constants[key] = int(number)
        text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*$", "", text, flags=re.M)
        known = set(self.functions)
        for statement in self.statements(text):
            self.take(statement)
        if name in PICTURES:
            self.pictures += [one for one in self.functions if one not in known]

    @staticmethod
    def statements(text):
        depth, start = 0, 0
        for place, sign in enumerate(text):
            depth += {"{": 1, "}": -1}.get(sign, 0)
            if sign == ";" and depth == 0:
                yield " ".join(text[start:place].split())
                start = place + 1

    def exports(self):
        """What a library without pictures exports."""
        return [one for one in [*self.functions, *self.variadic] if one not in self.pictures]

    def take(self, text):
        found = re.fullmatch(r"(?:typedef )?enum (\w*) ?\{ (.*) \} ?(\w*)", text)
        if found:
            return self.take_enum(found.group(3) or found.group(1), found.group(2))
        found = re.fullmatch(r"typedef struct (\w+) (\w+)", text)
        if found:
            self.structs.setdefault(found.group(2), None)
            return None
        found = re.fullmatch(r"typedef struct (\w+) \{ (.*) \} (\w+)", text)
        if found:
            self.structs.pop(found.group(3), None)  # into its place in the order
            self.structs[found.group(3)] = [field for one in self.statements(found.group(2))
                                            for field in self.fields(one)]
            return None
        found = re.fullmatch(r"SUP_API (.*?) ?(\w+)\( ?(.*?) ?\)(?: SUP_PRINTF\(.*\))?", text)
        if found:
            if "..." in found.group(3):
                self.variadic.append(found.group(2))
            else:
                self.functions[found.group(2)] = (found.group(1), self.arguments(found.group(3)))
            return None
        if re.match(r"static const |typedef void supTaskFunction", text):
            return None
        raise SystemExit(f"make_binding.py: not understood: {text[:200]}")

    def take_enum(self, name, body):
        number, members = -1, {}
        for one in filter(None, (part.strip() for part in body.split(","))):
            key, _, value = (word.strip() for word in one.partition("="))
            number = int(value) if value else number + 1
            members[key] = number
        self.constants.update(members)
        if name:
            self.enums[name] = members

    def fields(self, text):
        found = re.fullmatch(r"(.*?) ?\( ?\* ?(\w+) ?\)\( ?(.*?) ?\)", text)
        if found:
            return [(found.group(2), ("call", found.group(1), self.arguments(found.group(3))), [])]
        base, rest = re.fullmatch(r"((?:const )?(?:struct )?\w+\**(?: const\**)?) (.+)", text).groups()
        out = []
        for one in rest.split(","):
            name, lengths = re.fullmatch(r"(\w+)((?:\[\w+\])*)", one.strip()).groups()
            out.append((name, base, [self.number(n) for n in re.findall(r"\[(\w+)\]", lengths)]))
        return out

    @staticmethod
    def arguments(text):
        if text in ("", "void"):
            return []
        # an array as an argument is a pointer
        return [re.sub(r" ?\w+$", "", re.sub(r" (\w+)\[\w+\]$", r"* \1", one.strip())) for one in text.split(",")]

    def number(self, word):
        return int(word) if word.isdigit() else self.constants[word]

    def type(self, words):
        """The name of a type of ctypes for a type of C."""
        if isinstance(words, tuple):
            _, result, arguments = words
            return f"CFUNCTYPE({', '.join(map(self.type, [result] + arguments))})"
        stars = words.count("*")
        base = re.sub(r"\b(const|struct)\b|\*", " ", words).strip()
        if base == "supTaskFunction":
            return "c_void_p"
        if base not in NUMBERS and base not in self.enums and base not in self.structs and base != "void":
            raise SystemExit(f"make_binding.py: no such type: {words}")
        plain = NUMBERS.get(base) or ("c_int" if base in self.enums else base)
        is_opaque = self.structs.get(base, 0) is None
        if stars == 0:
            return "None" if base == "void" else plain
        if base == "char":
            return {1: "c_char_p", 2: "POINTER(c_char_p)", 3: "POINTER(POINTER(c_char_p))"}[stars]
        if stars == 2:
            return "POINTER(c_void_p)" if is_opaque or plain == base and base in ROWS or base not in self.structs \
                else f"POINTER(POINTER({base}))"
        if is_opaque or base in ROWS or base not in self.structs:
            return "c_void_p"
        return f"POINTER({base})"


def write_python(headers, out):
    lines = ['"""Written by make_binding.py from the stable headers in include/supple: all that ctypes must know."""',
             "from ctypes import (CFUNCTYPE, POINTER, Structure, c_bool, c_char, c_char_p, c_double, c_float, c_int,",
             "                    c_int32, c_int64, c_size_t, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p)", ""]
    lines += [f"{name} = {number}" for name, number in headers.constants.items()]
    lines += ["", "ENUMS = {"]
    lines += [f"    {name!r}: {members!r}," for name, members in headers.enums.items()]
    lines += ["}", ""]
    whole = {name: fields for name, fields in headers.structs.items() if fields is not None}
    for name in whole:
        lines += ["", f"class {name}(Structure):", "    pass", ""]
    for name, fields in whole.items():
        lines += [f"{name}._fields_ = ["]
        for field, words, lengths in fields:
            kind = headers.type(words)
            for length in reversed(lengths):
                kind = f"{kind} * {length}"
            lines += [f"    ({field!r}, {kind}),"]
        lines += ["]"]
    lines += ["", f"STRUCTS = ({', '.join(whole)})", "", "FUNCTIONS = {"]
    for name, (result, arguments) in headers.functions.items():
        lines += [f"    {name!r}: ({headers.type(result)}, [{', '.join(map(headers.type, arguments))}]),"]
    lines += ["}", f"PICTURES = {sorted(headers.pictures)!r}", "", "", "def bind(library):",
              '    """Tells ctypes the result and the arguments of every function. Raises AttributeError for a missing one; only',
              '    those of pictures may be missing, all of them."""',
              "    missing = PICTURES if not hasattr(library, 'supCreateStage') else ()",
              "    for name, (result, arguments) in FUNCTIONS.items():", "        if name in missing:",
              "            continue", "        function = getattr(library, name)",
              "        function.restype, function.argtypes = result, arguments", "    return library", ""]
    with open(out, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


def write_layout(headers, out):
    lines = [f'#include "{name}"' for name in sorted(headers.seen)]
    lines += ["#include <stdio.h>", "int main( void )", "{"]
    for name, fields in headers.structs.items():
        if fields is not None:
            lines += [f'    printf( "{name} %zu\\n", sizeof( {name} ) );']
            lines += [f'    printf( "{name}.{field} %zu %zu\\n", offsetof( {name}, {field} ), sizeof( (({name}*)0)->{field} ) );'
                      for field, _, _ in fields]
    for name, number in headers.constants.items():
        lines += [f'    printf( "{name} %d\\n", (int){name} );']
    lines += ["    return 0;", "}", ""]
    with open(out, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--exports":
        with open(sys.argv[2], "w", encoding="utf-8") as file:
            file.write("EXPORTS\n" + "".join(f"    {one}\n" for one in Headers().exports()))
    elif len(sys.argv) == 3 and sys.argv[1] == "--layout":
        write_layout(Headers(), sys.argv[2])
    elif len(sys.argv) == 2:
        write_python(Headers(), sys.argv[1])
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main()
