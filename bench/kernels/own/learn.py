import numpy as np

from spec import given, i32, numbers, source, uniform, zeros

kernel = source("own/learn.cl", "learn")


def nearest_centre(f, c, *_):
    return ((f.T[:, None].astype(np.float64) - c) ** 2).sum(2).argmin(1).astype(np.int32)


kernel("nearest_centre", lambda: [numbers(16, 16000), numbers(6, 16), zeros(16000, type=i32),
                                  i32(16000), i32(6), i32(16)], 16128, 256, answer=nearest_centre,
       differing=1e-3)


def nearest_four(q, p, *_):
    return np.sort(((q[:, None] - p) ** 2).sum(2), 1)[:, :4]


kernel("nearest_four", lambda: [numbers(4096, 2), numbers(500, 2), i32(500),
                                zeros(4096, 4)], 4096, 64,
       answer=nearest_four)


def bodies(p, _, n):
    p = p.astype(np.float64)
    d = p - p[:, None]
    r = 1 / np.sqrt((d[..., :3] ** 2).sum(2) + 0.01)
    return (d * (p[:, 3] * r ** 3)[..., None]).sum(1)


for name in ("bodies", "bodies_local"):
    kernel(name, lambda: [numbers(1024, 4), zeros(1024, 4), i32(1024)], 1024, 64, answer=bodies)


def layer(x, w, b, *_):
    sums = x @ w + b
    return np.where(sums > 0, sums, sums * np.float32(0.01))


kernel("layer", lambda: [numbers(64, 256, low=-1), numbers(256, 128, low=-1), numbers(128),
                         zeros(64, 128), i32(256)], (128, 64), (64, 2), answer=layer)


def convolution(a, w, *_):
    around = np.lib.stride_tricks.sliding_window_view(a, (3, 3), (1, 2))
    return np.maximum(np.einsum("cyxij,ocij->oyx", around, w), 0)


kernel("convolution", lambda: [numbers(8, 66, 66), numbers(8, 8, 3, 3, low=-1), zeros(8, 64, 64),
                               i32(8), i32(66), i32(66)], (64, 64, 8), (32, 4, 1),
       answer=convolution)
BLOCK = np.dtype([("scale", "f2"), ("values", "16u1")])


def quantised():
    rows = np.zeros((1024, 16), BLOCK)
    rows["scale"] = uniform(1024, 16, low=0.1)
    rows["values"] = uniform(1024, 16, 16, high=256)
    return rows.view(np.uint8)


def four_bits(rows, x, *_):
    rows = rows.view(BLOCK).reshape(1024, 16)
    v = rows["values"].astype(np.int32)
    weights = np.concatenate([v & 15, v >> 4], 2) - 8
    return (weights * x.reshape(16, 32) * rows["scale"][..., None].astype(np.float32)).sum((1, 2))


kernel("four_bits", lambda: [given(quantised()), numbers(512, low=-1), zeros(1024), i32(16)],
       1024, 64, answer=four_bits)


def normalise(a, *_):
    a = a.astype(np.float64)
    return (a - a.mean(1, keepdims=True)) / np.sqrt(a.var(1, keepdims=True) + 1e-5)


kernel("normalise", lambda: [numbers(1024, 128), zeros(1024, 128), i32(128)], 1024, 64,
       answer=normalise, tolerance=1e-3)
kernel("pooling", lambda: [numbers(512, 512), zeros(256, 256), i32(512)], (256, 256), (32, 8),
       answer=lambda a, *_: a.reshape(256, 2, 256, 2).max((1, 3)))
