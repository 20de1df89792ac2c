#!/usr/bin/env python3
"""The add-on in Blender, without a screen: every operator on real characters. blender_addon_side.py is what runs inside."""
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BUILD = os.path.dirname(os.environ.get("SUPPLE_BIN") or os.path.join(ROOT, "build", "release", "supple"))
ASSETS = os.environ.get("SUPPLE_ASSETS") or os.path.join(ROOT, "..", "shared", "assets")


def main():
    blender = os.environ.get("SUPPLE_BLENDER") or shutil.which("blender")
    if blender is None or not os.path.isdir(ASSETS):
        print("skipped: no Blender, or no assets")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, os.path.join(ROOT, "blender", "make_zip.py"),
                        os.path.join(BUILD, "python", "libsupple.so"), folder], check=True)
        words = [blender, "-b", "--factory-startup", "--python-exit-code", "3", "--python",
                 os.path.join(HERE, "blender_addon_side.py"), "--", folder, ASSETS, *sys.argv[1:]]
        # the system's Python comes first, since Blender takes its own from there; nothing goes into the user's folders
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYENV", "PYTHON"))}
        environment.update(PATH="/usr/bin:/bin:" + environment["PATH"], BLENDER_USER_RESOURCES=os.path.join(folder, "user"),
                           BLENDER_USER_CONFIG=os.path.join(folder, "user"), BLENDER_USER_SCRIPTS=os.path.join(folder, "user"))
        done = subprocess.run(words, capture_output=True, text=True, timeout=900, check=False, env=environment)
    print("\n".join(line for line in done.stdout.splitlines() + done.stderr.splitlines()
                    if not line.startswith(("Data are loaded", "INFO:", "Info:", "Fra:", "Saved:", " Time:"))))
    return 0 if done.returncode == 0 and "all passed" in done.stdout else 1


if __name__ == "__main__":
    sys.exit(main())
