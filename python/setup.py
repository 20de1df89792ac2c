"""Makes the wheel of the assembled package (assemble.py). The library inside knows nothing of Python's version."""
import os
import re
import sysconfig

from setuptools import Distribution, setup
from wheel.bdist_wheel import bdist_wheel


class WithLibrary(Distribution):
    def has_ext_modules(self):
        return True


class PlatformWheel(bdist_wheel):
    def get_tag(self):
        return "py3", "none", re.sub(r"[-.]", "_", sysconfig.get_platform())


def version():
    text = open(os.path.join("supple", "_c.py"), encoding="utf-8").read()
    return ".".join(re.search(rf"^SUP_VERSION_{part} = (\d+)$", text, re.M).group(1) for part in ("MAJOR", "MINOR", "PATCH"))


setup(name="supple", version=version(), description="Living flesh for skinned, animated characters", license="MIT",
      long_description=open("README.md", encoding="utf-8").read(), long_description_content_type="text/markdown",
      packages=["supple"], package_data={"supple": ["*.so", "*.so.*", "*.dll", "*.dylib", "py.typed"]}, zip_safe=False,
      python_requires=">=3.9", install_requires=["numpy"], distclass=WithLibrary, cmdclass={"bdist_wheel": PlatformWheel})
