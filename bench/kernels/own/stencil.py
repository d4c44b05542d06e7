import numpy as np

from spec import f32, given, i32, integers, numbers, source, zeros

kernel = source("own/stencil.cl", "stencil")


def tiles(a, *_):
    p = np.pad(a, 1)
    return 0.5 * a + 0.125 * (p[1:-1, :-2] + p[1:-1, 2:] + p[:-2, 1:-1] + p[2:, 1:-1])


for side in (8, 16):
    kernel("tiles%d" % side, lambda: [numbers(512, 512), zeros(512, 512), i32(512), i32(512)],
           (512, 512), (side, side), answer=tiles)


def life(a, *_):
    n = sum(np.roll(a, (y, x), (0, 1)) for y in (-1, 0, 1) for x in (-1, 0, 1)) - a
    return ((n == 3) | ((n == 2) & (a == 1))).astype(np.uint8)


kernel("life", lambda: [given((integers(0, 10, 500, 500) < 4).astype(np.uint8)),
                        zeros(500, 500, type=np.uint8), i32(500), i32(500)],
       (512, 512), (16, 16), answer=life)
TAPS = np.array([5, 9, 12, 15, 18, 15, 12, 9, 5]) / 100


def convolve(a, axis, mode):
    widths = [(0, 0), (0, 0)]
    widths[axis] = (4, 4)
    p = np.pad(a, widths, mode=mode)
    return sum(t * np.take(p, np.arange(k, k + a.shape[axis]), axis) for k, t in enumerate(TAPS))


kernel("convolve_row", lambda: [numbers(512, 512), zeros(512, 512), i32(512)], (512, 512), (64, 4),
       answer=lambda a, *_: convolve(a, 1, "edge"))
kernel("convolve_column", lambda: [numbers(512, 512), zeros(512, 512), i32(512), i32(512)],
       (512, 512), (16, 8), answer=lambda a, *_: convolve(a, 0, "constant"))


def median(a, *_):
    around = np.lib.stride_tricks.sliding_window_view(a, (3, 3)).reshape(254, 254, 9)
    return np.pad(np.sort(around, 2)[:, :, 4], 1)


kernel("median", lambda: [numbers(256, 256), zeros(256, 256), i32(256), i32(256)], (256, 256),
       (16, 16), answer=median)


def bilateral(a, _, width, height, space, range_):
    a = a.astype(np.float64)
    p, sums, weights = np.pad(a, 3, mode="edge"), 0, 0
    for y in range(7):
        for x in range(7):
            v = p[y:y + a.shape[0], x:x + a.shape[1]]
            w = np.exp(-((x - 3) ** 2 + (y - 3) ** 2) * space - (v - a) ** 2 * range_)
            sums, weights = sums + w * v, weights + w
    return (sums / weights).astype(np.float32)


kernel("bilateral", lambda: [numbers(128, 128), zeros(128, 128), i32(128), i32(128), f32(0.1),
                             f32(4)], (128, 128), (16, 16), answer=bilateral)


def sobel(a, *_):
    p = np.lib.stride_tricks.sliding_window_view(a.astype(np.int32), (3, 3))
    weights = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]])
    h, v = (p * weights).sum((2, 3)), (p * weights.T).sum((2, 3))
    length = np.sqrt((h * h + v * v).astype(np.float32)).astype(np.int32)
    return np.pad(np.minimum(255, length), 1).astype(np.uint8)


kernel("sobel", lambda: [given(integers(0, 256, 512, 512, type=np.uint8)),
                         zeros(512, 512, type=np.uint8), i32(512), i32(512)], (512, 512), (32, 8),
       answer=sobel, differing=1e-3)


def jacobi3(a, *_):
    c = slice(1, -1)
    inner = (a[c, c, :-2] + a[c, c, 2:] + a[c, :-2, c] + a[c, 2:, c] + a[:-2, c, c] + a[2:, c, c])
    return np.pad(inner / 6, 1)


kernel("jacobi3", lambda: [numbers(66, 66, 66), zeros(66, 66, 66), i32(66)], (64, 64, 64),
       (16, 4, 4), answer=jacobi3)


def columns3(a, *_):
    p = np.pad(a, ((1, 1), (0, 0), (0, 0)), mode="edge")
    return 0.25 * p[:-2] + 0.5 * p[1:-1] + 0.25 * p[2:]


kernel("columns3", lambda: [numbers(16, 128, 128), zeros(16, 128, 128), i32(128), i32(16)],
       (128, 128), (32, 4), answer=columns3)
