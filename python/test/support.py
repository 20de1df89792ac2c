"""What the tests share: the package of a build, characters, and a C compiler."""
import os
import subprocess
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("SUPPLE_BUILD") or os.path.join(ROOT, "build", "release")
ASSETS = os.environ.get("SUPPLE_ASSETS") or os.path.join(ROOT, "..", "shared", "assets")

try:
    import numpy  # noqa: F401
except ImportError:
    print("skipped: numpy is not installed for this Python")
    sys.exit(77)

if not any(os.path.exists(os.path.join(folder, "supple", "_c.py")) for folder in sys.path):
    sys.path.insert(0, os.path.join(BUILD, "python"))
import supple  # noqa: E402


def asset(name):
    """The path of a test asset; the test is skipped where there is none."""
    path = os.path.join(ASSETS, name)
    if not os.path.exists(path):
        raise unittest.SkipTest(f"no {name} among the assets")
    return path


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def man():
    return asset("mh_human/mh_heavy.glb")


def fox():
    return asset("khronos_fox/glTF-Binary/Fox.glb")


def truth(*arguments):
    """What the C program of the same calls prints."""
    done = subprocess.run([os.path.join(BUILD, "tests", "python_truth"), *arguments], check=True, capture_output=True, text=True)
    return done.stdout


def main():
    """Runs the tests of a file; 77 where all of them were skipped."""
    done = unittest.main(module="__main__", exit=False, verbosity=1).result
    if done.wasSuccessful() and done.testsRun and len(done.skipped) == done.testsRun:
        sys.exit(77)
    sys.exit(not done.wasSuccessful())
