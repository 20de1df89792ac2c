#!/usr/bin/env python3
"""Makes the add-on's zip, with the Python package and its library inside.

usage: make_zip.py LIBRARY FOLDER      FOLDER/supple_flesh, and FOLDER/supple_flesh-VERSION-PLATFORM.zip; the platform is
                                       this machine's, or Windows for a .dll
"""
import os
import re
import shutil
import sys
import sysconfig
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "python"))
import assemble  # noqa: E402


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    library, folder = sys.argv[1:]
    target = os.path.join(folder, "supple_flesh")
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(os.path.join(HERE, "supple_flesh"), target, ignore=shutil.ignore_patterns("__pycache__"))
    vendor = os.path.join(target, "vendor")
    os.makedirs(vendor)
    open(os.path.join(vendor, "__init__.py"), "w", encoding="utf-8").close()
    assemble.carry(library, assemble.package(library, vendor))
    shutil.copyfile(os.path.join(HERE, "..", "LICENSE"), os.path.join(target, "LICENSE"))
    with open(os.path.join(vendor, "supple", "_c.py"), encoding="utf-8") as file:
        text = file.read()
    version = ".".join(re.search(rf"^SUP_VERSION_{part} = (\d+)$", text, re.M).group(1) for part in ("MAJOR", "MINOR", "PATCH"))
    platform = "windows-x86_64" if library.endswith(".dll") else sysconfig.get_platform()
    path = os.path.join(folder, f"supple_flesh-{version}-{platform}.zip")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for base, folders, files in os.walk(target):
            folders[:] = sorted(one for one in folders if one != "__pycache__")
            for name in sorted(files):
                out.write(os.path.join(base, name), os.path.relpath(os.path.join(base, name), folder))
    print(path)


if __name__ == "__main__":
    main()
