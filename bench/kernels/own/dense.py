import numpy as np

from spec import given, i32, integers, numbers, out, source, uniform, zeros

kernel = source("own/dense.cl", "dense")
product = lambda a, b, *_: a @ b


def matrices(n):
    return lambda: [numbers(n, n), numbers(n, n, low=-1), zeros(n, n), i32(n)]


kernel("gemm", matrices(250), (256, 256), (32, 8), answer=product)
kernel("gemm_tiles", matrices(256), (256, 256), (16, 16), answer=product)
kernel("gemm_registers", matrices(256), (64, 64), (16, 4), answer=product)
kernel("gemm_private_row", matrices(128), 128, 32, answer=product)
kernel("gemm_row_and_column", matrices(128), 128, 32, answer=product)
kernel("rows_by_vector", lambda: [numbers(1000, 1000), numbers(1000), zeros(1000), i32(1000)],
       1024, 128, answer=product)
kernel("dot4", lambda: [numbers(1024, 64, 4), numbers(64, 4), zeros(1024), i32(64)], 1024, 128,
       answer=lambda a, x, *_: a.reshape(1024, 256) @ x.ravel())
kernel("shortest", lambda: [out(integers(1, 1000, 512, 512)), i32(512), i32(17)], (512, 512),
       (16, 16), reset=True,
       answer=lambda d, n, k: np.minimum(d, d[:, k:k + 1] + d[k:k + 1, :]))


def dominant(*shape):
    return uniform(*shape) + shape[-1] * np.eye(shape[-1], dtype=np.float32)


def lu_block(a, n):
    a = a.astype(np.float64)
    for k in range(n - 1):
        a[:, k + 1:, k] /= a[:, k, k, None]
        a[:, k + 1:, k + 1:] -= a[:, k + 1:, k, None] * a[:, None, k, k + 1:]
    return a.astype(np.float32)


def lu_update(a, n, k):
    a = a.copy()
    a[k + 1:, k + 1:] -= a[k + 1:, k, None] / a[k, k] * a[k, k + 1:]
    return a


kernel("lu_block", lambda: [out(dominant(64, 32, 32)), i32(32)], 64 * 32, 32, reset=True,
       answer=lu_block)
kernel("lu_update", lambda: [out(dominant(512, 512)), i32(512), i32(5)], (512, 512), (32, 8),
       reset=True, answer=lu_update)


def basis():
    k = np.arange(8)
    b = np.cos((2 * k + 1) * k[:, None] * np.pi / 16) / 2
    b[0] /= np.sqrt(2)
    return b.astype(np.float32)


def dct_group(a, b, *_):
    blocks = a.reshape(32, 8, 32, 8).swapaxes(1, 2)
    return (b @ blocks @ b.T).swapaxes(1, 2).reshape(256, 256)


kernel("dct_group", lambda: [numbers(256, 256), given(basis()), zeros(256, 256), i32(256)],
       (256, 256), (8, 8), answer=dct_group)
kernel("dct_private", lambda: [numbers(16384, 8), given(basis()), zeros(16384, 8)], 16384, 128,
       answer=lambda a, b, _: a @ b.T)
N = 4000


def symmetric():
    a = uniform(N, 6, 6)
    return (a @ a.swapaxes(1, 2) + np.eye(6, dtype=np.float32)).reshape(N, 36).T


def cholesky6(a, *_):
    return np.linalg.cholesky(a.T.reshape(N, 6, 6)).reshape(N, 36).T


kernel("cholesky6", lambda: [given(symmetric()), zeros(36, N), i32(N)], 4096, 128,
       answer=cholesky6)
kernel("covariance", lambda: [numbers(192, 192, low=-1), zeros(192, 192), i32(192)], 192, 64,
       answer=lambda a, *_: a.T @ a)
