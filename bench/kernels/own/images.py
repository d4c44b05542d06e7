import os

import numpy as np

from spec import Image, given, i32, integers, numbers, out, source

# The width and height.
SIDE = int(os.environ.get("IMAGES_SIDE", "1024"))
kernel = source("own/images.cl", "images")


def number(a):
    """As kernels read pixels."""
    return a / 255.0 if a.dtype == np.uint8 else a.astype(np.float64)


def pixel(v, like):
    return np.rint(v * 255).astype(np.uint8) if like.dtype == np.uint8 else v.astype(np.float32)


def edges(a, around):
    return np.pad(number(a), [(around, around)] * 2 + [(0, 0)] * (a.ndim - 2), mode="edge")


def blur(a, *_):
    p = edges(a, 3)
    rows = sum(p[k:k + SIDE] for k in range(7))
    return pixel(sum(rows[:, k:k + SIDE] for k in range(7)) / 49, a)


def resize(a, *_):
    p = edges(a, 1)
    u = (np.arange(SIDE) + 0.5) * 0.75 - 0.5
    at, r = np.floor(u).astype(int) + 1, u - np.floor(u)
    wide = lambda v, axis: v.reshape([-1 if k == axis else 1 for k in range(a.ndim)])
    rows = p[at] * wide(1 - r, 0) + p[at + 1] * wide(r, 0)
    return pixel(rows[:, at] * wide(1 - r, 1) + rows[:, at + 1] * wide(r, 1), a)


def channels(a, *_):
    return pixel(1 - number(a), a)


def add(name, answer, format, make, types):
    def image():
        data = make().data
        return [Image(data, False), Image(np.zeros_like(data), True)]

    def buffer():
        data = make().data
        return [given(data), out(np.zeros_like(data)), i32(SIDE), i32(SIDE)]

    # A number half-way between two bytes is rounded to the one or the other.
    how = dict(answer=answer, differing=0.01, options=("-DT=%s" % types[0], "-DV=%s" % types[1]))
    kernel("%s_%s" % (name, format), image, (SIDE, SIDE), (64, 4), kernel=name, **how)
    kernel("%s_%s_buffer" % (name, format), buffer, (SIDE, SIDE), (64, 4),
           kernel=name + "_buffer", **how)


for name, answer in (("blur", blur), ("resize", resize), ("channels", channels)):
    add(name, answer, "rgba8", lambda: given(integers(0, 256, SIDE, SIDE, 4, type=np.uint8)),
        ("uchar4", "float4"))
    add(name, answer, "r32f", lambda: numbers(SIDE, SIDE), ("float", "float"))
