"""The binding against the compiler: every struct's layout, every constant, every function."""
import ctypes
import glob
import os
import re
import subprocess
import sys
import tempfile
import unittest

import support
from supple import _c, _native

sys.path.insert(0, os.path.join(support.ROOT, "python"))
import make_binding  # noqa: E402


class Binding(unittest.TestCase):
    def test_layout_is_the_compilers(self):
        with tempfile.TemporaryDirectory() as folder:
            source, program = os.path.join(folder, "layout.c"), os.path.join(folder, "layout")
            make_binding.write_layout(make_binding.Headers(), source)
            subprocess.run([os.environ.get("CC", "cc"), "-I", make_binding.INCLUDE, source, "-o", program], check=True)
            lines = subprocess.run([program], check=True, capture_output=True, text=True).stdout.split("\n")
        structs = {one.__name__: one for one in _c.STRUCTS}
        checked = 0
        for words in filter(None, (line.split() for line in lines)):
            name, _, field = words[0].partition(".")
            if field:
                bound = getattr(structs[name], field)
                self.assertEqual((bound.offset, bound.size), (int(words[1]), int(words[2])), words[0])
            elif name in structs:
                self.assertEqual(ctypes.sizeof(structs[name]), int(words[1]), name)
            else:
                self.assertEqual(getattr(_c, name), int(words[1]), name)
            checked += 1
        self.assertGreater(checked, 500)

    def test_every_function_of_the_headers_is_bound(self):
        for name in os.listdir(os.path.join(make_binding.INCLUDE, "supple")):
            path = os.path.join(make_binding.INCLUDE, "supple", name)
            if name.endswith(".h"):
                text = re.sub(r"//[^\n]*", "", support.read(path))
                for function, arguments in re.findall(r"^SUP_API [^;(]*?(\w+)\(([^;]*?)\)\s*(?:SUP_PRINTF[^;]*)?;", text, re.M):
                    if "..." in arguments:
                        continue
                    count = 0 if arguments.strip() in ("void", "") else arguments.count(",") + 1
                    self.assertEqual(len(_c.FUNCTIONS[function][1]), count, function)

    def test_what_the_package_calls_is_in_the_headers(self):
        called = set()
        for path in glob.glob(os.path.join(support.ROOT, "python", "supple", "*.py")):
            called |= set(re.findall(r"\blib\.(sup\w+)", support.read(path)))
        self.assertGreater(len(called), 70)
        self.assertEqual(called - set(_c.FUNCTIONS), set())

    def test_pictures_may_be_missing_and_nothing_else(self):
        """As in the library for Windows."""
        class Library:
            pass

        self.assertTrue({"supCreateStage", "supWritePng"} <= set(_c.PICTURES) < set(_c.FUNCTIONS))
        whole = Library()
        for name in set(_c.FUNCTIONS) - set(_c.PICTURES):
            setattr(whole, name, Library())
        self.assertIs(_c.bind(whole).supVersion.restype, ctypes.c_char_p)
        del whole.supVersion
        with self.assertRaises(AttributeError):
            _c.bind(whole)
        with self.assertRaisesRegex(_native.UnsupportedError, "pictures"):
            _native._no_pictures()

    def test_words_of_enums(self):
        self.assertEqual(_native.choices("supLoop"), {"auto": 0, "on": 1, "off": 2})
        self.assertEqual(_native.choices("supPreset")["natural"], 1)
        self.assertEqual(_native.word("supRegion", _c.sup_regionUpperArm), "upperArm")


if __name__ == "__main__":
    support.main()
