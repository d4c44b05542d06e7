import numpy as np

from spec import given, i32, integers, numbers, source, zeros

kernel = source("own/local.cl", "local")
kernel("histogram", lambda: [given(integers(0, 256, 1 << 18, type=np.uint8)),
                             zeros(256, type=np.uint32), i32(1 << 18)], 32 * 256, 256, reset=True,
       answer=lambda a, *_: np.bincount(a, minlength=256).astype(np.uint32))
kernel("tree_sum", lambda: [numbers(131072), zeros(512)], 131072, 256,
       answer=lambda a, _: a.reshape(512, 256).sum(1))
kernel("doubling_scan", lambda: [given(integers(-99, 99, 65536)), zeros(65536, type=i32)],
       65536, 256, answer=lambda a, _: a.reshape(-1, 256).cumsum(1).ravel().astype(np.int32))


def tree_scan(a, _):
    a = a.reshape(-1, 512)
    return (a.cumsum(1) - a).ravel().astype(np.int32)


kernel("tree_scan", lambda: [given(integers(-99, 99, 131072)), zeros(131072, type=i32)],
       65536, 256, answer=tree_scan)


def atomics(a, _, limit):
    a = a.reshape(-1, 256)
    return np.stack([a.max(1), (a > limit).sum(1)], 1).ravel().astype(np.int32)


kernel("atomics", lambda: [given(integers(-1000, 1000, 65536)), zeros(512, type=i32), i32(100)],
       65536, 256, answer=atomics)


def softmax(a, *_):
    e = np.exp(a - a.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


kernel("softmax", lambda: [numbers(256, 500, high=10), zeros(256, 500), i32(500)], 256 * 64, 64,
       answer=softmax)


def diffuse(a, _, width, turns):
    tiles = a.reshape(16, 16, 16, 16).swapaxes(1, 2)
    for _ in range(turns):
        p = np.pad(tiles, ((0, 0), (0, 0), (1, 1), (1, 1)), mode="edge")
        tiles = 0.2 * (tiles + p[..., :-2, 1:-1] + p[..., 2:, 1:-1] + p[..., 1:-1, :-2]
                       + p[..., 1:-1, 2:])
    return tiles.swapaxes(1, 2).reshape(256, 256)


kernel("diffuse", lambda: [numbers(256, 256), zeros(256, 256), i32(256), i32(8)], (256, 256),
       (16, 16), answer=diffuse)
