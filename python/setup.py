"""Builds the package: a step of setuptools has Go build the library."""

import os
import shutil
import subprocess
import sys

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:
    from wheel.bdist_wheel import bdist_wheel

HERE = os.path.dirname(os.path.abspath(__file__))
SUFFIX = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")


class Build(build_py):
    def run(self):
        super().run()
        package = os.path.join(HERE if self.editable_mode else os.path.abspath(self.build_lib), "bayes")
        os.makedirs(package, exist_ok=True)
        library = os.path.join(package, "_bayes" + SUFFIX)
        go = ["go", "build", "-buildmode=c-shared", "-buildvcs=false", "-trimpath", "-ldflags=-s -w", "-o", library, "./lib"]
        try:
            subprocess.run(go, cwd=HERE, env={**os.environ, "CGO_ENABLED": "1"}, check=True)
        except FileNotFoundError:
            sys.exit("bayes: the package is built with Go, which is not installed")
        except subprocess.CalledProcessError:
            sys.exit("bayes: Go could not build the library (it needs Go 1.26 and a C compiler)")
        os.unlink(os.path.join(package, "_bayes.h"))
        # The library holds the modules that NOTICE names, under their licenses.
        for name in "LICENSE", "NOTICE":
            shutil.copy(os.path.join(HERE, "..", name), package)


class Wheel(bdist_wheel):
    def get_tag(self):
        # The library asks nothing of Python's version, only of the machine.
        return "py3", "none", super().get_tag()[2]


class Binary(Distribution):
    def has_ext_modules(self):
        return True


setup(cmdclass={"build_py": Build, "bdist_wheel": Wheel}, distclass=Binary)
