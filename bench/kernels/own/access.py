import numpy as np

from spec import f32, given, i32, integers, numbers, out, rng, source, uniform, zeros

kernel = source("own/access.cl", "access")


def gray(pixels, _, width):
    p = pixels.astype(np.int32)
    g = ((p[..., 0] * 77 + p[..., 1] * 151 + p[..., 2] * 28) >> 8).astype(np.uint8)
    return np.stack([g, g, g, pixels[..., 3]], 2)


kernel("gray", lambda: [given(integers(0, 256, 512, 512, 4, type=np.uint8)),
                        zeros(512, 512, 4, type=np.uint8), i32(512)],
       (512, 512), (16, 16), answer=gray)
kernel("saxpy4", lambda: [out(uniform(65536, 4)), numbers(65536, 4, high=2), f32(0.5)],
       65536, 256, reset=True, answer=lambda y, x, a: y + a * x)


def divided_index(a, _, w, h):
    i = np.arange(a.size)
    return a * (i % w) + i // w % h * 0.5 + i // (w * h)


kernel("divided_index", lambda: [numbers(131072), zeros(131072), i32(37), i32(53)],
       131072, 256, answer=divided_index)


def particles(p, dt):
    p = p.copy()
    p[:, :3] += p[:, 3:6] * dt
    p[:, 3] *= f32(0.99)
    return p


kernel("particles", lambda: [out(uniform(32768, 8)), f32(0.01)], 32768, 256, reset=True,
       answer=particles)

SPARK = np.dtype([("at", "4f4"), ("speed", "2f4"), ("kind", "i4"), ("age", "i4")])


def some_sparks():
    r, all = rng(), np.zeros(32768, SPARK)
    all["at"], all["speed"] = r.random((32768, 4)), r.random((32768, 2))
    all["kind"], all["age"] = r.integers(0, 3, 32768), r.integers(0, 100, 32768)
    return all.view(np.int32)


def sparks(all, dt, n):
    all = all.view(SPARK).copy()
    all["at"][:, :2] += all["speed"] * dt
    all["age"] += 1
    all["speed"][:, 1] -= np.where(all["kind"] == 1, f32(9.81) * dt, f32(0))
    all["at"][all["age"] > 50, 3] = 0
    return all.view(np.float32)


kernel("sparks", lambda: [out(some_sparks().view(np.float32)), f32(0.01), i32(32768)],
       32768, 256, reset=True, answer=sparks)
kernel("cross_product", lambda: [numbers(32768 * 3), numbers(32768 * 3, low=-1),
                                 zeros(32768 * 3)], 32768, 256,
       answer=lambda a, b, _: np.cross(a.reshape(-1, 3), b.reshape(-1, 3)).ravel())
kernel("column_sums", lambda: [numbers(512, 512), zeros(512)], (1, 512), (1, 64),
       answer=lambda a, _: a.sum(0))


def eliminate(factor, a, n, step):
    a = a.copy()
    a[step + 1:, step:] -= factor[step + 1:, None] * a[step, step:]
    return a


kernel("eliminate", lambda: [numbers(512), out(uniform(512, 512)), i32(512), i32(3)],
       (512, 512), (16, 16), reset=True, answer=eliminate)
kernel("stride_of_all", lambda: [numbers(100000), zeros(100000), i32(100000)], 4096, 256,
       answer=lambda x, _, n: np.exp(-x) * x)
kernel("stride_of_group", lambda: [numbers(256, 1000), zeros(256, 64), i32(1000)], 256 * 64, 64,
       answer=lambda a, _, n: (np.pad(a, ((0, 0), (0, 24))) ** 2).reshape(256, 16, 64).sum(1))
kernel("transpose", lambda: [numbers(500, 600), zeros(600, 500), i32(600), i32(500)],
       (608, 504), (32, 8), answer=lambda a, *_: a.T)
kernel("transpose_tiles", lambda: [numbers(512, 640), zeros(640, 512), i32(640), i32(512)],
       (640, 512), (16, 16), answer=lambda a, *_: a.T)
kernel("gather", lambda: [numbers(131072), given(integers(0, 131072, 130000)), zeros(130000),
                          i32(130000)], 131072, 256, answer=lambda x, at, *_: x[at] + 1)
kernel("reversed", lambda: [numbers(131072), zeros(131072)], 131072, 256,
       answer=lambda x, _: 2 * x[::-1])
kernel("mirrored", lambda: [given(integers(0, 256, 512, 500, type=np.uint8)),
                            zeros(512, 500, type=np.uint8), i32(500)], (512, 512), (64, 4),
       answer=lambda a, *_: a[:, ::-1])
kernel("planes", lambda: [given(integers(0, 256, 100000, 3, type=np.uint8)), zeros(3, 100000),
                          i32(100000)], 100352, 256, answer=lambda rgb, *_: rgb.T / f32(255))


def complex_product(a, b, _):
    c = a.view(np.complex64) * b.view(np.complex64)
    return c.view(np.float32)


kernel("complex_product", lambda: [numbers(65536, 2), numbers(65536, 2, low=-1),
                                   zeros(65536, 2)], 65536, 256, answer=complex_product)


def blend(a, b, _, alpha):
    mixed = (a.astype(np.int32) * alpha + b.astype(np.int32) * (256 - alpha)) // 256 + 3
    return np.minimum(mixed, 255).astype(np.uint8)


kernel("blend", lambda: [given(integers(0, 256, 65536, 4, type=np.uint8)),
                         given(integers(100, 256, 65536, 4, type=np.uint8)),
                         zeros(65536, 4, type=np.uint8), i32(90)], 65536, 256, answer=blend)


def planes_of_cube(a, _, n):
    wide = np.pad(a, ((1, 1), (0, 0), (0, 0)))
    return a - 0.5 * (wide[:-2] + wide[2:])


kernel("planes_of_cube", lambda: [numbers(64, 64, 64), zeros(64, 64, 64), i32(64)],
       (64, 64, 64), (8, 8, 4), answer=planes_of_cube)
