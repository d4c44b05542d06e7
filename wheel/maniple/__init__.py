"""An OpenCL driver for the CPU; installing it is all that a program of this environment needs.

`library` is the driver's file.  `maniple info` says whether all is there, `maniple env` what other
programs are told.
"""
import os
import sys

_folder = os.path.dirname(os.path.abspath(__file__))
library = os.path.join(_folder, "lib", "libmaniple.so.1")


def register():
    """Tells loaders of this process and its children where the driver is (maniple.pth calls it).

    The Khronos loader, which many packages bring, adds what OCL_ICD_FILENAMES lists to the system's
    drivers.  PyOpenCL's own loader finds pyopencl/.libs/maniple.icd.
    """
    known = [name for name in os.environ.get("OCL_ICD_FILENAMES", "").split(":") if name]
    if library not in known:
        os.environ["OCL_ICD_FILENAMES"] = ":".join(known + [library])


def main():
    """The command `maniple`."""
    command = os.path.join(_folder, "bin", "maniple")
    os.execv(command, ["maniple", *sys.argv[1:]])
