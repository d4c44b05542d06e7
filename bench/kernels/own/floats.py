from math import erf, erfc, gamma, lgamma

import numpy as np

from spec import f32, i32, numbers, source, zeros

kernel = source("own/floats.cl", "floats")
N = 65536
each = lambda function: np.vectorize(function, otypes=[np.float64])


def of_one(name, low, high, answer):
    kernel(name, lambda: [numbers(N, low=low, high=high), zeros(N)], N, 256,
           answer=lambda x, _: answer(x.astype(np.float64)))


def of_two(name, answer):
    kernel(name, lambda: [numbers(N, low=-3, high=3), numbers(N, low=-1, high=3),
                          zeros(N)], N, 256,
           answer=lambda x, y, _: answer(x.astype(np.float64), y.astype(np.float64)))


of_one("normal", -3, 3, lambda x: 0.5 * (1 + each(erf)(x * 0.70710678)))
of_one("trigonometry", -30, 30, lambda x: np.sin(x) * np.cos(x) + np.tan(x))
of_one("powers", 0.1, 30, lambda x: x ** 1.7 + 2 ** x + np.log2(x))
of_two("angles", lambda x, y: np.arctan2(y, x) + np.hypot(x, y) + np.cbrt(x))
of_two("mix", lambda x, y: np.arctan2(y, x) * np.exp(-x * x) + np.log(1.5 + y) * np.abs(x) ** y)
of_one("logarithms", 0.01, 20,
       lambda x: np.log(x) + np.log10(x) + np.log1p(x) + 10 ** -x + np.expm1(-x))
of_one("hyperbolic", -5, 5,
       lambda x: np.tanh(x) + np.sinh(0.1 * x) + np.cosh(0.1 * x) + np.arcsinh(x))
of_one("inverse", -1, 1, lambda x: np.arcsin(x) + np.arccos(x) + np.arctan(x))
of_one("gelu", -4, 4,
       lambda x: 0.5 * x * (1 + np.tanh(0.79788456 * (x + 0.044715 * x ** 3))))
of_one("gamma_of", 0.5, 15, lambda x: each(lgamma)(x) + each(gamma)(0.2 * x))
kernel("rounding", lambda: [numbers(N, high=100), zeros(N)], N, 256, differing=1e-3,
       answer=lambda x, _: np.floor(x) + np.rint(x * f32(3)) - np.trunc(x) * f32(0.5)
       + np.fmod(x, f32(0.7)) + (x - np.floor(x)))
of_one("native", 0, 10,
       lambda x: np.exp(-x) + np.sin(x) + 1 / np.sqrt(x + 1) + np.log(x + 1))
kernel("half_storage", lambda: [numbers(N, type=np.float16), zeros(N, type=np.float16)], N, 256,
       tolerance=2e-3, answer=lambda x, _: (lambda v: v * v + 0.5 * v)(x.astype(np.float32)))
kernel("polynomial", lambda: [numbers(N, type=np.float64), zeros(N, type=np.float64)], N, 256,
       tolerance=1e-12,
       answer=lambda x, _: np.polyval(1 / np.arange(1.0, 33), x) + np.sqrt(x))
kernel("doubles", lambda: [numbers(N, low=0.1, high=20, type=np.float64),
                           zeros(N, type=np.float64)], N, 256, tolerance=1e-12,
       answer=lambda x, _: np.exp(-x) + np.log(x) * np.sin(x) + x ** 0.3)


def black_scholes(s, k, t, call, put, r, v, n):
    s, k, t = (x.astype(np.float64) for x in (s, k, t))
    d1 = (np.log(s / k) + (r + 0.5 * v * v) * t) / (v * np.sqrt(t))
    d2 = d1 - v * np.sqrt(t)
    n1, n2 = (0.5 * each(erfc)(-d * 0.70710678) for d in (d1, d2))
    paid = k * np.exp(-r * t)
    return s * n1 - paid * n2, paid * (1 - n2) - s * (1 - n1)


kernel("black_scholes", lambda: [numbers(N, low=5, high=30), numbers(N, low=1, high=100),
                                 numbers(N, low=0.25, high=10), zeros(N), zeros(N), f32(0.02),
                                 f32(0.3), i32(N)], N, 256, answer=black_scholes)


def binomial(steps):
    def answer(s, k, _, up, share, discount):
        s, k = s.astype(np.float64), k.astype(np.float64)
        at = float(up) ** (2 * np.arange(steps + 1) - steps)
        v = np.maximum(s[:, None] * at - k[:, None], 0)
        for _ in range(steps):
            v = float(discount) * (float(share) * v[:, 1:] + (1 - float(share)) * v[:, :-1])
        return v[:, 0]
    return answer


def options(n):
    return lambda: [numbers(n, low=5, high=30), numbers(n, low=1, high=30), zeros(n),
                    f32(1.05), f32(0.5), f32(0.999)]


kernel("binomial", options(4096), 4096, 64, answer=binomial(32))
kernel("binomial_group", options(128), 128 * 128, 128, answer=binomial(127), tolerance=1e-3)


def distances(a, b, _):
    a, b = a.astype(np.float64), b.astype(np.float64)
    y, x = np.sin(0.5 * (b - a)).T
    return 12742 * np.arcsin(np.sqrt(y * y + np.cos(a[:, 0]) * np.cos(b[:, 0]) * x * x))


kernel("distances", lambda: [numbers(N, 2, high=1.5), numbers(N, 2, low=-0.5, high=1.5), zeros(N)],
       N, 256, answer=distances)


def rotations(q, v, _):
    q, p = q.astype(np.float64), v.astype(np.float64)[:, :3]
    q /= np.linalg.norm(q, axis=1)[:, None]
    t = 2 * np.cross(q[:, :3], p)
    r = p + q[:, 3:] * t + np.cross(q[:, :3], t)
    return np.concatenate([r, np.linalg.norm(r, axis=1)[:, None]], 1)


kernel("rotations", lambda: [numbers(16384, 4, low=-1), numbers(16384, 4, low=-2),
                             zeros(16384, 4)], 16384, 256, answer=rotations)
kernel("waves", lambda: [numbers(4096, high=10), numbers(256, high=3), zeros(4096), i32(256)],
       4096, 64, tolerance=1e-3,
       answer=lambda q, b, *_: np.cos(q[:, None].astype(np.float64) * b).sum(1))
