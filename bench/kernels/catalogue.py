"""All kernels of the comparison, and where their sources are."""
import importlib
import os

import spec

HERE = os.path.dirname(os.path.abspath(__file__))
FETCHED = os.environ.get("KERNELS", "")
OWN = ("access", "control", "sparse", "stencil", "dense", "local", "floats", "integer", "chains",
       "learn", "fft", "images", "worth", "forms")

for name in OWN:
    importlib.import_module("own." + name)
importlib.import_module("fetched")


def is_own(kernel):
    return kernel.path.startswith("own/")


def path_of(kernel):
    return os.path.join(HERE if is_own(kernel) else FETCHED, kernel.path)


def present():
    """Those whose source is there."""
    return [kernel for kernel in spec.KERNELS if os.path.exists(path_of(kernel))]


def get(name):
    return next(kernel for kernel in spec.KERNELS if kernel.name == name)


def missing():
    """Folders of $KERNELS of which something is not there, with how many kernels."""
    found = {}
    for kernel in spec.KERNELS:
        if not os.path.exists(path_of(kernel)):
            folder = kernel.path.partition("/")[0]
            found[folder] = found.get(folder, 0) + 1
    return found
