import numpy as np

from spec import f32, given, i32, integers, numbers, out, rng, source, uniform, zeros

kernel = source("own/forms.cl", "forms")
N, SIDE = 65536, 256


def axpy_stride(n, a, x, incx, y, incy):
    y = y.copy()
    y[:n * incy:incy] += a * x[:n * incx:incx]
    return y


for step in (1, 2):
    kernel("axpy_stride_%d" % step, lambda step=step: [
        i32(N - 5), f32(1.5), numbers(2 * N), i32(step), out(uniform(2 * N)), i32(step)],
           N, 256, kernel="axpy_stride", reset=True, answer=axpy_stride)
kernel("bias_modulo", lambda: [numbers(N), numbers(1000), zeros(N), i32(1000)], N, 256,
       answer=lambda a, b, _, n: a + b[np.arange(N) % n])
kernel("gemm_flat", lambda: [numbers(128, 128), numbers(128, 128), zeros(128, 128),
                             i32(128), i32(128), i32(128)], 128 * 128, 64,
       answer=lambda a, b, *_: a @ b)


def clamp_five(a, _, n):
    at = np.arange(n)
    return sum(a[np.clip(at + k, 0, n - 1)] for k in range(-2, 3))


kernel("clamp_five", lambda: [numbers(N), zeros(N), i32(N)], N, 256, answer=clamp_five)


def ring_of_taps(ring, w, _, head, mask, taps):
    at = np.arange(4096)
    return sum(w[k] * ring[(head + at - k) & mask] for k in range(taps))


kernel("ring_of_taps", lambda: [numbers(8192), numbers(32), zeros(4096), i32(5000), i32(8191),
                                i32(32)], 4096, 256, answer=ring_of_taps)


def softmax_dim(a, *_):
    e = np.exp(a - a.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


kernel("softmax_dim", lambda: [numbers(32, 64, 64), zeros(32, 64, 64), i32(32), i32(64), i32(64)],
       2048, 64, answer=softmax_dim)


def affine_row(p, x, _, per):
    q = p[np.arange(x.size) // per]
    return ((q[:, 0] * x + q[:, 1]) * x + q[:, 2]) * x + q[:, 3]


kernel("affine_row", lambda: [numbers(N // 100 + 1, 4), numbers(N), zeros(N), i32(100)], N, 256,
       answer=affine_row)


def palette_row(palette, x, _, w):
    p = palette[np.arange(x.size) // w].astype(np.int32)
    return ((p[:, 0] * x + p[:, 1] * 3 + p[:, 2] + p[:, 3]) >> 8).astype(np.uint8)


kernel("palette_row", lambda: [given(integers(0, 256, N // 100 + 1, 4, type=np.uint8)),
                               given(integers(0, 256, N, type=np.uint8)),
                               zeros(N, type=np.uint8), i32(100)], N, 256, answer=palette_row)
kernel("outer_table", lambda: [numbers(SIDE), numbers(SIDE), given(integers(0, SIDE, SIDE)),
                               given(integers(0, SIDE, SIDE)), zeros(SIDE, SIDE), i32(SIDE)],
       (SIDE, SIDE), (16, 16), answer=lambda a, b, ia, ib, *_: a[ia][:, None] * b[ib])


def big(n):
    return given(rng().integers(0, 2**63 - 1, n).astype(np.uint64))


def upper_product(a, b, _):
    return np.array([int(x) * int(y) >> 64 for x, y in zip(a, b)], np.uint64)


kernel("upper_product", lambda: [big(N), big(N), zeros(N, type=np.uint64)], N, 256,
       answer=upper_product)


def ring_of_group(a, _):
    t = a.reshape(-1, 32)
    d = t[:, None, :] - t[:, :, None]
    return (d / (d * d + 1)).sum(2).ravel()


kernel("ring_of_group", lambda: [numbers(N), zeros(N)], N, 32, answer=ring_of_group)
kernel("triangle", lambda: [numbers(512, 512), numbers(512), zeros(512), i32(512)], 512, 64,
       answer=lambda a, x, *_: np.triu(a).T @ x)


def box_mean(a, _, w, h, r):
    ones, total, count = np.pad(np.ones_like(a), r), np.zeros_like(a), np.zeros_like(a)
    a = np.pad(a, r)
    for j in range(2 * r + 1):
        for k in range(2 * r + 1):
            total += a[j:j + h, k:k + w]
            count += ones[j:j + h, k:k + w]
    return total / count


kernel("box_mean", lambda: [numbers(SIDE, SIDE), zeros(SIDE, SIDE), i32(SIDE), i32(SIDE), i32(2)],
       (SIDE, SIDE), (64, 4), answer=box_mean)


def pairs_until(b, count, n, m):
    b = b.copy()
    for k in range(16):
        v = b[k]
        for _ in range(m):
            v = v * f32(0.5) + v[:, ::-1] * f32(0.25)
        b[k] = np.where((k < count)[:, None], v, b[k])
    return b


kernel("pairs_until", lambda: [out(uniform(16, 4096, 2)), given(integers(12, 16, 4096)),
                               i32(4096), i32(3)], 4096, 64, reset=True, answer=pairs_until)
