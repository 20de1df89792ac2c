# In Blender: the add-on from its zip, tried by script. usage: see blender_addon.py
import os
import sys
import time
import traceback

sys.dont_write_bytecode = True  # Blender would leave its folder among the sources
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import blender_addon_bakes  # noqa: E402,F401
import blender_addon_buttons  # noqa: E402,F401
import blender_addon_made  # noqa: E402,F401
import blender_addon_shown  # noqa: E402,F401
from blender_addon_tools import only, tests  # noqa: E402


def main():
    failed = 0
    for one in tests:
        if only and one.__name__ not in only:
            continue
        start = time.time()
        try:
            one()
            print(f"passed: {one.__name__} ({time.time() - start:.1f} s)")
        except Exception:  # pylint: disable=broad-except
            failed += 1
            traceback.print_exc()
            print(f"FAILED: {one.__name__}")
    if failed:
        raise SystemExit(3)
    print("all passed")


main()
