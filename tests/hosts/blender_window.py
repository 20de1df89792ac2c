#!/usr/bin/env python3
"""The add-on in a window of Blender: bakes with their bar, Esc and undo by keys, the overlay, play. blender_window_side.py runs
inside, on a screen that nobody sees.

usage: blender_window.py [PICTURE.png]      also draws the window with the panel
"""
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
    if shutil.which("blender") is None or shutil.which("Xvfb") is None or not os.path.isdir(ASSETS):
        print("skipped: no Blender, no Xvfb, or no assets")
        return 77
    picture = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else "-"
    reader, writer = os.pipe()
    screen = subprocess.Popen(["Xvfb", "-displayfd", str(writer), "-screen", "0", "1400x1000x24", "-nolisten", "tcp"],
                              pass_fds=[writer], stderr=subprocess.DEVNULL)
    try:
        os.close(writer)
        with os.fdopen(reader) as told, tempfile.TemporaryDirectory() as folder:
            display = ":" + told.readline().strip()
            subprocess.run([sys.executable, os.path.join(ROOT, "blender", "make_zip.py"),
                            os.path.join(BUILD, "python", "libsupple.so"), folder], check=True)
            environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYENV", "PYTHON"))}
            environment.update(PATH="/usr/bin:/bin:" + environment["PATH"], DISPLAY=display, LIBGL_ALWAYS_SOFTWARE="1",
                               BLENDER_USER_RESOURCES=os.path.join(folder, "user"),
                               BLENDER_USER_CONFIG=os.path.join(folder, "user"), BLENDER_USER_SCRIPTS=os.path.join(folder, "user"))
            words = ["blender", "--factory-startup", "--enable-event-simulate", "--window-geometry", "0", "0", "1400", "1000",
                     "--python", os.path.join(HERE, "blender_window_side.py"), "--", folder, ASSETS, picture]
            done = subprocess.run(words, capture_output=True, text=True, timeout=600, check=False, env=environment)
    finally:
        screen.terminate()
        screen.wait()
    print("\n".join(line for line in done.stdout.splitlines() + done.stderr.splitlines() if line.startswith("window: ")))
    if "window: all passed" in done.stdout:
        return 0
    print(done.stdout + done.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
