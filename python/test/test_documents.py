"""Whatever the guide, the README and the notebooks show is run, and the wheel is what it should be."""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile

import support


def run(pieces, name, folder):
    """Runs pieces of code one after the other, as a notebook does."""
    space = {"__name__": "__main__"}
    here = os.getcwd()
    os.chdir(folder)
    try:
        for number, piece in enumerate(pieces):
            exec(compile(piece, f"{name}, piece {number + 1}", "exec"), space)  # pylint: disable=exec-used
    finally:
        os.chdir(here)
    return space


class Documents(unittest.TestCase):
    def test_pages(self):
        for page in ("docs/python.md", "python/README.md"):
            text = support.read(os.path.join(support.ROOT, page))
            pieces = re.findall(r"^```python\n(.*?)^```", text, re.S | re.M)
            self.assertGreater(len(pieces), 0, page)
            with self.subTest(page), tempfile.TemporaryDirectory() as folder:
                run(pieces, page, folder)

    def test_notebooks(self):
        paths = sorted(glob.glob(os.path.join(support.ROOT, "python", "examples", "*.ipynb")))
        self.assertGreater(len(paths), 1)
        for path in paths:
            book = json.loads(support.read(path))
            self.assertEqual((book["nbformat"], all(cell["id"] for cell in book["cells"])), (4, True))
            pieces = ["".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "code"]
            with self.subTest(os.path.basename(path)), tempfile.TemporaryDirectory() as folder:
                run(pieces, os.path.basename(path), folder)


class Wheel(unittest.TestCase):
    def test_wheel_works_alone(self):
        try:
            import setuptools  # noqa: F401
            import wheel  # noqa: F401
        except ImportError:
            self.skipTest("setuptools and wheel are not installed")
        library = os.path.join(support.BUILD, "python", "libsupple.so")
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, os.path.join(support.ROOT, "python", "assemble.py"), library, folder, "--wheel"],
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            path = done.stdout.strip()
            self.assertRegex(os.path.basename(path), r"^supple-\d+\.\d+\.\d+-py3-none-linux_\w+\.whl$")
            inside = os.path.join(folder, "inside")
            with zipfile.ZipFile(path) as file:
                self.assertIsNone(file.testzip())
                names = file.namelist()
                file.extractall(inside)
            for name in ("supple/_c.py", "supple/libsupple.so", "supple/py.typed"):
                self.assertIn(name, names)
            needed = subprocess.run(["ldd", os.path.join(inside, "supple", "libsupple.so")], capture_output=True, text=True,
                                    check=True).stdout
            for other in ("jansson", "meshoptimizer", "draco"):
                self.assertRegex(needed, rf"lib{other}\.so\S* => {re.escape(inside)}")
            said = subprocess.run([sys.executable, "-I", "-c", "import sys; sys.path.insert(0, sys.argv[1]); import supple;"
                                   "print(supple.Character.creature('cat').vertex_count)", inside], capture_output=True, text=True,
                                  check=False)
            self.assertEqual(said.stdout.strip(), "1296", said.stderr)


if __name__ == "__main__":
    support.main()
