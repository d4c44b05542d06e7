import numpy as np

from spec import f32, given, i32, integers, numbers, out, rng, source, uniform, zeros

kernel = source("own/control.cl", "control")


def mandelbrot(o, x0, y0, d, n):
    y, x = np.mgrid[0:256, 0:256]
    c = (x0 + d * x + 1j * (y0 + d * y)).astype(np.complex64)
    z, k = np.zeros_like(c), np.zeros(c.shape, np.int32)
    with np.errstate(all="ignore"):
        for _ in range(n):
            here = (k == _) & (z.real * z.real + z.imag * z.imag < 4)
            z = np.where(here, z * z + c, z)
            k += here
    return k


kernel("mandelbrot", lambda: [zeros(256, 256, type=i32), f32(-2), f32(-1.25), f32(2.5 / 256),
                              i32(200)], (256, 256), (16, 16), answer=mandelbrot, differing=0.02)


def search(text, word, n, _):
    return np.all([text[k:k + 131072] == word[k] for k in range(n)], 0).astype(np.int32)


kernel("search", lambda: [given(integers(97, 101, 131072 + 16, type=np.uint8)),
                          given(np.frombuffer(b"abcad", np.uint8)), i32(5),
                          zeros(131072, type=i32)], 131072, 256, answer=search)


def early_returns(kind, x, _, n):
    v = x.copy()
    for _ in range(8):
        v = f32(0.5) * v * v + f32(0.1)
    v = np.where(x < f32(0.1), f32(-1), np.where(kind == 1, np.sqrt(x), v))
    return np.where((kind == 0) | (np.arange(x.size) >= n), f32(0), v)


kernel("early_returns", lambda: [given(integers(0, 4, 65536)), numbers(65536), zeros(65536),
                                 i32(65000)], 65536, 256, answer=early_returns)


def collatz(x, _):
    v, steps = x.copy(), np.zeros(x.size, np.int32)
    while (v != 1).any():
        here = v != 1
        v = np.where(here, np.where(v & 1, 3 * v + 1, v >> 1), v)
        steps += here
    return steps


kernel("collatz", lambda: [given(integers(1, 5000, 16384, type=np.uint32)),
                           zeros(16384, type=i32)], 16384, 256, answer=collatz)
kernel("lower_bound", lambda: [given(np.sort(integers(0, 1 << 30, 60000))), i32(60000),
                               given(integers(0, 1 << 30, 32768)), zeros(32768, type=i32)],
       32768, 256,
       answer=lambda s, n, keys, _: np.searchsorted(s, keys).astype(np.int32))


def bitonic_pass(a, distance, run):
    pairs = a.reshape(-1, 2, distance)
    up = (np.arange(a.size).reshape(-1, 2, distance)[:, 0] & run) == 0
    low, high = pairs.min(1), pairs.max(1)
    return np.stack([np.where(up, low, high), np.where(up, high, low)], 1).ravel()


for distance in (64, 1):
    kernel("bitonic_pass_%d" % distance,
           lambda distance=distance: [out(integers(0, 1 << 30, 131072)), i32(distance), i32(128)],
           65536, 256, kernel="bitonic_pass", reset=True, answer=bitonic_pass)
kernel("bitonic_group", lambda: [out(integers(0, 1 << 30, 65536))], 65536, 256, reset=True,
       answer=lambda a: np.sort(a.reshape(-1, 256), 1).ravel())
kernel("insertion_sort", lambda: [given(integers(0, 1 << 30, 16384, 8)),
                                  zeros(16384, 8, type=i32)], 16384, 128,
       answer=lambda a, _: np.sort(a, 1))
kernel("newton", lambda: [numbers(65536, low=0.01, high=1000), zeros(65536)], 65536, 256,
       answer=lambda x, _: np.sqrt(x))


def machine(code, x, _, length):
    a = x.copy()
    for k in range(length):
        c = code[k]
        a = np.select([c == 0, c == 1, c == 2, c == 3, c == 4, c == 5],
                      [a + 8, (a ^ i32(k)) + 1, a * 5 + 1, (a >> 1) + 1, 1 - a,
                       np.where(a > 1000, a - 999, a + 1)], a)
    return a.astype(np.int32)


kernel("machine", lambda: [given(integers(0, 8, 24, 8192, type=np.uint8)),
                           given(integers(-10000, 10000, 8192)), zeros(8192, type=i32), i32(24)],
       8192, 256, answer=machine)


def directions():
    d = uniform(16384, 4, low=-1)
    d[:, 2] += 2
    return d / np.linalg.norm(d[:, :3], axis=1)[:, None]


def spheres():
    s = uniform(32, 4, low=-4, high=4)
    s[:, 2] += 10
    s[:, 3] = 0.5 + np.abs(s[:, 3]) / 4
    return s


def rays(d, s, n, _):
    d, s = d.astype(np.float64), s.astype(np.float64)
    b = d[:, :3] @ s[:, :3].T
    q = b * b - (s[:, :3] ** 2).sum(1) + s[:, 3] ** 2
    t = np.where(q < 0, np.inf, b - np.sqrt(np.maximum(q, 0)))
    t = np.where(t > 0, t, np.inf).min(1)
    return np.where(np.isinf(t), 0, t).astype(np.float32)


kernel("rays", lambda: [given(directions()), given(spheres()), i32(32), zeros(16384)],
       16384, 128, answer=rays, tolerance=1e-3, differing=0.001)


def polygon():
    turn = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    away = 0.3 + 0.2 * rng().random(40)
    return np.stack([0.5 + away * np.cos(turn), 0.5 + away * np.sin(turn)], 1).astype(np.float32)


def in_polygon(points, corners, n, _):
    x, y = points.T
    inside, last = np.zeros(x.size, bool), corners[-1]
    for c in corners:
        crosses = (c[1] > y) != (last[1] > y)
        with np.errstate(divide="ignore", invalid="ignore"):
            inside ^= crosses & (x < (last[0] - c[0]) * (y - c[1]) / (last[1] - c[1]) + c[0])
        last = c
    return inside.astype(np.int32)


kernel("in_polygon", lambda: [numbers(32768, 2), given(polygon()), i32(40),
                              zeros(32768, type=i32)], 32768, 256, answer=in_polygon,
       differing=0.001)
kernel("gcd", lambda: [given(integers(1, 1 << 20, 32768)), given(integers(1, 1 << 20, 32768)),
                       zeros(32768, type=i32)], 32768, 256, answer=lambda a, b, _: np.gcd(a, b))


def primes(_, first):
    n = first + 2 * np.arange(8192)
    return np.all([(n % d != 0) | (n == d) for d in range(3, 400, 2)], 0).astype(np.int32)


kernel("primes", lambda: [zeros(8192, type=i32), i32(100001)], 8192, 256, answer=primes)


def edit_distance(a, b, _):
    row = np.tile(np.arange(17), (a.shape[0], 1))
    for y in range(1, 17):
        corner, row[:, 0] = row[:, 0].copy(), y
        for x in range(1, 17):
            change = corner + (a[:, y - 1] != b[:, x - 1])
            corner = row[:, x].copy()
            row[:, x] = np.minimum(change, np.minimum(row[:, x], row[:, x - 1]) + 1)
    return row[:, 16].astype(np.int32)


kernel("edit_distance", lambda: [given(integers(97, 101, 4096, 16, type=np.uint8)),
                                 given(integers(97, 101, 4096, 16, type=np.uint8)),
                                 zeros(4096, type=i32)], 4096, 64, answer=edit_distance)
