"""Builds and runs one kernel on the driver that OCL_ICD_VENDORS names:

    one.py KERNEL OUTPUTS.npz [once]

Prints a line of JSON: seconds of processor time for a launch (the least of many) and for the build
with the first launch; with `once` there is one launch, and no line. All threads count, and the
processes that a driver starts to compile. Of a GPU's launches the times are those of events."""
import ctypes
import json
import os
import re
import resource
import sys
import time

import numpy as np

import catalogue
import device
import spec

SECONDS, AT_LEAST, AT_MOST = 0.1, 5, 400


def processor_time():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def source_of(kernel):
    """The text of its file; of our own files without the other kernels."""
    path = catalogue.path_of(kernel)
    with open(path, errors="replace") as source:
        text = source.read()
    for old, new in kernel.edit:
        text = text.replace(old, new)
    if not catalogue.is_own(kernel):
        return text
    parts = re.compile(r"^(?:kernel void |[A-Z_0-9]+\()(\w+).*\n(?:[ }].*\n|\n)*", re.MULTILINE)
    return parts.sub(lambda part: part[0] if part[1] == kernel.kernel else "", text)


def transfer(cl, what, argument, memory, array):
    if isinstance(argument, spec.Image):
        cl.transfer_image(what, memory, array)
    else:
        (cl.write if what == "Write" else cl.read)(memory, array)


def set_arguments(cl, kernel, arguments):
    """Returns (spec.Buffer, its memory) of each buffer."""
    buffers = []
    for place, argument in enumerate(arguments):
        if isinstance(argument, spec.Buffer):
            memory = (cl.image(argument.data) if isinstance(argument, spec.Image)
                      else cl.buffer(max(argument.data.nbytes, 64)))
            transfer(cl, "Write", argument, memory, argument.data)
            buffers.append((argument, memory))
            cl.argument(kernel, place, ctypes.sizeof(memory), ctypes.byref(memory))
        elif isinstance(argument, spec.Local):
            cl.argument(kernel, place, argument.size, None)
        else:
            value = argument.tobytes()
            cl.argument(kernel, place, len(value), value)
    return buffers


def outputs(cl, buffers):
    made = {}
    for number, (argument, memory) in enumerate(buffers):
        if argument.out:
            made["%02d" % number] = np.empty_like(argument.data)
            transfer(cl, "Read", argument, memory, made["%02d" % number])
    return made


def least_time(launch, reset):
    least, end, runs = float("inf"), time.perf_counter() + SECONDS, 0
    while runs < AT_LEAST or (time.perf_counter() < end and runs < AT_MOST):
        reset()
        before = time.process_time()
        took = launch()
        took = time.process_time() - before if took is None else took
        least = min(least, took) if took > 0 else least  # a virtual machine's clock may stand still
        runs += 1
    return least


def main(name, file, times="many"):
    kernel = catalogue.get(name)
    cl = device.Device()
    if kernel.needs and kernel.needs not in cl.text(device.DEVICE_EXTENSIONS):
        print(json.dumps({"lacks": kernel.needs}))
        return
    arguments = kernel.arguments()
    options = " ".join(kernel.options + ("-I", os.path.dirname(catalogue.path_of(kernel))))
    before = processor_time()
    built = cl.build(source_of(kernel), options, kernel.kernel)
    buffers = set_arguments(cl, built, arguments)
    launch = cl.launcher(built, kernel.size, kernel.group)
    launch()
    build = processor_time() - before
    np.savez(file, **outputs(cl, buffers))
    if times == "once":
        return

    def reset():
        for argument, memory in buffers:
            if argument.out and kernel.reset:
                transfer(cl, "Write", argument, memory, argument.data)

    print(json.dumps({"seconds": least_time(launch, reset), "build": build,
                      "device": cl.text(device.DEVICE_NAME)}))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except device.Failure as failure:
        sys.exit(str(failure)[:2000])
