"""Kernels of public repositories, which README.md names: their arguments and sizes."""
import numpy as np

from spec import (Local, f32, f64, given, i32, i64, integers, numbers, out, rng, source, u32,
                  uniform, zeros)

# --- PolyBench on GPUs: N x N unless said otherwise
POLY = "poly/OpenCL/"
N = 1024


def poly(path, name, arguments, size, group=None, kernel=None, **more):
    group = group or ((32, 8) if isinstance(size, tuple) else 256)
    source(POLY + path, "poly")(name, arguments, size, group, kernel=kernel, **more)


square = lambda n, **how: numbers(n, n, **how)
own = lambda *shape, **how: out(uniform(*shape, **how))

poly("2DCONV/2DConvolution.cl", "convolution2", lambda: [numbers(N * N), zeros(N * N), i32(N),
                                                         i32(N)],
     (N, N), kernel="Convolution2D_kernel")
poly("3DCONV/3DConvolution.cl", "convolution3",
     lambda: [numbers(4 * 512 * 512), zeros(4 * 512 * 512), i32(4), i32(512), i32(512), i32(1)],
     (512, 512), kernel="Convolution3D_kernel")
poly("GEMM/gemm.cl", "gemm", lambda: [square(256), square(256), own(256, 256), f32(1.5), f32(0.5),
                                      i32(256), i32(256), i32(256)], (256, 256), reset=True)
poly("2MM/2mm.cl", "mm2", lambda: [zeros(256, 256), square(256), square(256)] + 4 * [i32(256)]
     + [f32(1.5), f32(0.5)], (256, 256), kernel="mm2_kernel1", reset=True)
for part in ("1", "2"):
    poly("ATAX/atax.cl", "atax" + part,
         lambda part=part: [square(N)] + ([numbers(N), zeros(N)] if part == "1"
                                          else [zeros(N), numbers(N)]) + [i32(N), i32(N)],
         N, kernel="atax_kernel" + part, reset=True)
    poly("BICG/bicg.cl", "bicg" + part, lambda: [square(N), numbers(N), zeros(N), i32(N), i32(N)],
         N, kernel="bicgKernel" + part, reset=True)
    poly("MVT/mvt.cl", "mvt" + part, lambda: [square(N), own(N), numbers(N), i32(N)], N,
         kernel="mvt_kernel" + part, reset=True)
    poly("JACOBI2D/jacobi2D.cl", "jacobi2_" + part, lambda: [own(N, N), own(N, N), i32(N)], (N, N),
         kernel="runJacobi2D_kernel" + part, reset=True)
poly("GESUMMV/gesummv.cl", "gesummv", lambda: [square(N), square(N), numbers(N), zeros(N), zeros(N),
                                               f32(1.5), f32(0.5), i32(N)], N,
     kernel="gesummv_kernel", reset=True)
poly("GEMVER/gemver.cl", "gemver1", lambda: [own(N, N)] + [numbers(N) for _ in range(4)]
     + [i32(N)], (N, N), kernel="gemver_kernel1", reset=True)
poly("GEMVER/gemver.cl", "gemver2", lambda: [square(N), own(N), numbers(N), numbers(N), f32(0.5),
                                             i32(N)], N, kernel="gemver_kernel2", reset=True)
poly("CORR/correlation.cl", "correlation", lambda: [zeros(256, 256), square(256), i32(256),
                                                    i32(256)], 256, kernel="corr_kernel",
     reset=True)
poly("CORR/correlation.cl", "deviation", lambda: [numbers(N), zeros(N), square(N), f32(N),
                                                  f32(0.005), i32(N), i32(N)], N,
     kernel="std_kernel")
poly("CORR/correlation.cl", "centre", lambda: [numbers(N), numbers(N, low=0.5), own(N, N), f32(N),
                                               i32(N), i32(N)], (N, N), kernel="reduce_kernel",
     reset=True)
poly("COVAR/covariance.cl", "covariance", lambda: [zeros(200, 200), square(200), i32(198),
                                                   i32(198)], 256, kernel="covar_kernel",
     reset=True)
poly("COVAR/covariance.cl", "mean", lambda: [zeros(N), square(N), f32(N), i32(N - 1), i32(N - 1)],
     N, kernel="mean_kernel", reset=True)
poly("GRAMSCHM/gramschmidt.cl", "gramschmidt3", lambda: [own(512, 512), own(512, 512), square(512),
                                                         i32(3), i32(512), i32(512)], 512,
     kernel="gramschmidt_kernel3", reset=True)
poly("FDTD-2D/fdtd2d.cl", "fdtd1", lambda: [numbers(16), square(N), own(N, N), square(N), i32(1),
                                            i32(N), i32(N)], (N, N), kernel="fdtd_kernel1",
     reset=True)
poly("LU/lu.cl", "lu2", lambda: [own(N, N), i32(3), i32(N)], (N, N), kernel="lu_kernel2",
     reset=True)
poly("SYRK/syrk.cl", "syrk", lambda: [square(192), own(192, 192), f32(1.5), f32(0.5), i32(192),
                                      i32(192)], (192, 192), kernel="syrk_kernel", reset=True)
poly("SYR2K/syr2k.cl", "syr2k", lambda: [square(192), square(192), own(192, 192), f32(1.5),
                                         f32(0.5), i32(192), i32(192)], (192, 192),
     kernel="syr2k_kernel", reset=True)
for part, divisor in (("1", True), ("3", True), ("5", False)):
    poly("ADI/adi.cl", "adi" + part, lambda: [own(N, N, low=1, high=1.1), own(N, N, low=9, high=10),
                                              own(N, N)], N, kernel="adi_kernel" + part, reset=True)

# --- Rodinia
RODINIA = "rod/opencl/"


def rodinia(path, name, arguments, size, group, kernel=None, **more):
    source(RODINIA + path, "rod")(name, arguments, size, group, kernel=kernel, **more)


rodinia("backprop/backprop_kernel.cl", "backprop_forward",
        lambda: [numbers(16400), zeros(17), own(17 * 16401 + 17), zeros(1024 * 16), Local(64),
                 Local(1024), i32(16384), i32(16)], (16, 16384), (16, 16),
        kernel="bpnn_layerforward_ocl", reset=True)
rodinia("backprop/backprop_kernel.cl", "backprop_adjust",
        lambda: [numbers(17), i32(16), numbers(16400), i32(16384), own(17 * 16401 + 17),
                 own(17 * 16401 + 17)], (16, 16384), (16, 16), kernel="bpnn_adjust_weights_ocl",
        reset=True)


def bfs():
    r, n = rng(), 65536
    degree = r.integers(1, 12, n)
    start = np.concatenate([[0], np.cumsum(degree)[:-1]])
    nodes = np.stack([start, degree], 1).astype(np.int32)
    edges = r.integers(0, n, degree.sum()).astype(np.int32)
    front = r.random(n) < 0.5
    visited = front | (r.random(n) < 0.3)
    byte = lambda a: a.astype(np.uint8)
    return [given(nodes), given(edges), out(byte(front)), zeros(n, type=np.uint8),
            given(byte(visited)), zeros(n, type=i32), i32(n)]


# Neighbours of one front write 1 + their own cost, which is 0 for all of them.
rodinia("bfs/Kernels.cl", "bfs1", bfs, 65536, 256, kernel="BFS_1", reset=True)
rodinia("gaussian/gaussianElim_kernels.cl", "gauss_fan2",
        lambda: [square(N), own(N, N), own(N), i32(N), i32(0)], (N, N), (16, 16), kernel="Fan2",
        reset=True)
rodinia("hotspot/hotspot_kernel.cl", "hotspot",
        lambda: [i32(2), square(512), square(512, low=70, high=90), zeros(512, 512), i32(512),
                 i32(512), i32(2), i32(2), f32(0.5), f32(2), f32(3), f32(4), f32(0.1)],
        (43 * 16, 43 * 16), (16, 16), options=("-DBLOCK_SIZE=16",))
rodinia("hotspot3D/hotspotKernel.cl", "hotspot3",
        lambda: [numbers(8, 256, 256), numbers(8, 256, 256), zeros(8, 256, 256), f32(0.1), i32(256),
                 i32(256), i32(8)] + 6 * [f32(0.1)] + [f32(0.4)], (256, 256), (64, 4),
        kernel="hotspotOpt1")
rodinia("kmeans/kmeans.cl", "kmeans",
        lambda: [numbers(34, 16384), numbers(5, 34), zeros(16384, type=i32), i32(16384), i32(5),
                 i32(34), i32(0), i32(0)], 16384, 256, kernel="kmeans_kernel_c", differing=1e-3)
rodinia("kmeans/kmeans.cl", "kmeans_swap",
        lambda: [numbers(16384, 34), zeros(34, 16384), i32(16384), i32(34)], 16384, 256,
        kernel="kmeans_swap")


def lavamd():
    """Boxes of 100 particles with three neighbours: (x, y, z, number, long offset, int count, pad),
    then the neighbours: four ints and a long each."""
    boxes = 8
    raw = np.zeros((boxes, 24 + 8 + 26 * 24), np.uint8)
    v = raw.view(np.int32)
    for b in range(boxes):
        v[b, 3], v[b, 4], v[b, 6] = b, b * 100, 3
        for j in range(3):
            neighbour = (b + j + 1) % boxes
            v[b, 8 + j * 6 + 3], v[b, 8 + j * 6 + 4] = neighbour, neighbour * 100
    sizes = np.zeros(1, np.dtype([("a", "4i4"), ("b", "5i8")]))
    sizes["b"][0, 0] = boxes
    parameters = np.array([0.5], np.float32).view(np.dtype([("alpha", np.float32)]))
    return [parameters[0], sizes[0], given(raw), numbers(boxes * 100, 4), numbers(boxes * 100),
            zeros(boxes * 100, 4)]


rodinia("lavaMD/kernel/kernel_gpu_opencl.cl", "lavamd", lavamd, 8 * 128, 128,
        kernel="kernel_gpu_opencl", reset=True)


def dominant(n):
    return out(uniform(n, n) + n * np.eye(n, dtype=np.float32))


LUD = dict(options=("-DBLOCK_SIZE=16",), reset=True)
rodinia("lud/lud_kernel.cl", "lud_diagonal",
        lambda: [dominant(256), Local(1024), i32(256), i32(0)], 16, 16, **LUD)
rodinia("lud/lud_kernel.cl", "lud_perimeter",
        lambda: [dominant(N), Local(1024), Local(1024), Local(1024), i32(N), i32(0)], 63 * 32, 32,
        **LUD)
rodinia("lud/lud_kernel.cl", "lud_internal",
        lambda: [dominant(512), Local(1024), Local(1024), i32(512), i32(0)], (31 * 16, 31 * 16),
        (16, 16), **LUD)
rodinia("nw/nw.cl", "needleman",
        lambda: [given(integers(-4, 10, 1025, 1025)), out(integers(-40, 40, 1025, 1025)),
                 zeros(16, type=i32), Local(17 * 17 * 4), Local(1024), i32(1025), i32(10), i32(64),
                 i32(64), i32(1024), i32(0), i32(0)], 64 * 16, 16, kernel="nw_kernel1", **LUD)
rodinia("nn/nearestNeighbor_kernel.cl", "nearest",
        lambda: [numbers(262144, 2), zeros(262144), i32(262144), f32(0.3), f32(0.4)], 262144, 256,
        kernel="NearestNeighbor")
rodinia("pathfinder/kernels.cl", "pathfinder",
        lambda: [i32(20), given(integers(0, 10, 100, 32768)), given(integers(0, 10, 32768)),
                 zeros(32768, type=i32), i32(32768), i32(100), i32(0), i32(20), i32(1), Local(1024),
                 Local(1024), zeros(16384, type=i32)], 152 * 256, 256, kernel="dynproc_kernel")
SRAD = dict(options=("-Dfp=float", "-DNUMBER_THREADS=256"), edit=(('#include "./main.h"', ""),))
ahead = lambda: given(np.minimum(np.arange(512) + 1, 511).astype(np.int32))
behind = lambda: given(np.maximum(np.arange(512) - 1, 0).astype(np.int32))
rodinia("srad/kernel/kernel_gpu_opencl.cl", "srad",
        lambda: [f32(0.5), i32(512), i32(512), i64(512 * 512), behind(), ahead(), ahead(), behind()]
        + [zeros(512, 512) for _ in range(4)] + [f32(0.05), zeros(512, 512),
                                                 square(512, low=1, high=2)],
        262144, 256, kernel="srad_kernel", **SRAD)
rodinia("srad/kernel/kernel_gpu_opencl.cl", "srad_reduce",
        lambda: [i64(262144), i64(262144), i32(1), own(262144), own(262144), i32(1024)],
        262144, 256, kernel="reduce_kernel", reset=True, **SRAD)
rodinia("srad/kernel/kernel_gpu_opencl.cl", "srad_extract", lambda: [i64(262144),
                                                                     own(262144, high=255)],
        262144, 256, kernel="extract_kernel", reset=True, **SRAD)


def streamcluster():
    n = 16384
    points = np.zeros(n, np.dtype([("weight", "f4"), ("pad", "i4"), ("assigned", "i8"),
                                   ("cost", "f4"), ("end", "i4")]))
    points["weight"], points["assigned"] = 1, integers(0, 8, n)
    points["cost"] = uniform(n, high=8)
    return [given(points.view(np.uint8)), numbers(32, n), zeros(n, 9),
            given(np.arange(8, dtype=np.int32)), zeros(n, type=np.uint8), Local(128), i32(n),
            i32(32), i64(7), i32(8)]


rodinia("streamcluster/Kernels.cl", "streamcluster", streamcluster, 16384, 256,
        kernel="pgain_kernel", reset=True)


def flow(n):
    return given(np.concatenate([uniform(n, low=1, high=2), uniform(3 * n, low=-0.2, high=0.2),
                                 uniform(n, low=2, high=3)]))


def cfd_flux():
    n = 16384
    neighbours, which = integers(0, n, 4 * n), rng().random(4 * n)
    neighbours[which < 0.02], neighbours[which > 0.98] = -1, -2
    return [given(neighbours), numbers(12 * n), flow(n), numbers(5), zeros(5 * n)] \
        + [numbers(3) for _ in range(4)] + [i32(n)]


rodinia("cfd/Kernels.cl", "cfd_flux", cfd_flux, 16384, 128, kernel="compute_flux", tolerance=1e-3)
rodinia("cfd/Kernels.cl", "cfd_step", lambda: [flow(131072), numbers(131072, low=0.1),
                                               zeros(131072), i32(131072)], 131072, 128,
        kernel="compute_step_factor")
ELLIPSE = "leukocyte/OpenCL/find_ellipse_kernel.cl"
rodinia(ELLIPSE, "ellipses",
        lambda: [i32(192), square(192), square(192), numbers(150, low=-1), numbers(150, low=-1),
                 given(integers(-20, 20, 1050)), given(integers(-20, 20, 1050)), zeros(192, 192),
                 i32(64), i32(64)], 4096, 256, kernel="GICOV_kernel", tolerance=1e-2)
rodinia(ELLIPSE, "dilate",
        lambda: [i32(128), i32(128), i32(25), i32(25),
                 given((rng().random(625) < 0.7).astype(np.float32)), square(128), zeros(128, 128)],
        16384, 256, kernel="dilate_kernel")


def particles(type):
    number = lambda n: numbers(n, type=type)
    return lambda: [number(2048), number(2048),
                    given(np.cumsum(uniform(2048, type=np.float64)).astype(type) / 1024),
                    given(np.sort(uniform(2048, type=type))), zeros(2048, type=type),
                    zeros(2048, type=type)]


rodinia("particlefilter/particle_naive.cl", "particles_double",
        lambda: particles(np.float64)() + [i32(2048)], 2048, 128, kernel="particle_kernel")
rodinia("particlefilter/particle_single.cl", "particles_float",
        lambda: particles(np.float32)() + [zeros(2048), i32(2048)], 2048, 128,
        kernel="find_index_kernel")
rodinia("hybridsort/mergesort.cl", "sort_fours", lambda: [numbers(65536, 4), zeros(65536, 4),
                                                          i32(262144)], 65536, 256,
        kernel="mergeSortFirst")

# --- clpeak, whose sources are texts of a macro
PEAK = "peak/src/opencl/kernels/"
TEXT = (("MSTRINGIFY(", ""), ("\\n", "\n"), ("\n)\n", "\n"))


def peak(path, name, arguments, kernel, size=8192, **more):
    source(PEAK + path, "peak")(name, arguments, size, 256, kernel=kernel, edit=TEXT, **more)


def rate(name, path, kernel, type, value, widths, **more):
    for width in widths:
        peak(path, "%s_v%d" % (name, width), lambda: [zeros(8192, type=type), value],
             "%s_v%d" % (kernel, width), **more)


rate("float", "compute_sp_kernels.cl", "compute_sp", f32, f32(1.3), (1, 4, 16))
rate("double", "compute_dp_kernels.cl", "compute_dp", f64, f64(1.3), (1, 2))
rate("int", "compute_integer_kernels.cl", "compute_integer", i32, i32(3), (1, 4))
# mul24 of numbers that do not fit 24 bits may be anything.
rate("int24", "compute_int24_kernels.cl", "compute_intfast", i32, i32(3), (4,),
     answer=lambda *_: None)
rate("char", "compute_char_kernels.cl", "compute_char", np.int8, np.int8(3), (1, 4))
rate("short", "compute_short_kernels.cl", "compute_short", np.int16, np.int16(3), (2,))
for width in (1, 4):
    peak("global_bandwidth_kernels.cl", "memory_v%d" % width,
         lambda width=width: [numbers(16 * 16384, width), zeros(16384)],
         "global_bandwidth_v%d_local_offset" % width, size=16384)
    peak("local_bandwidth_kernels.cl", "local_v%d" % width,
         lambda width=width: [zeros(8192), Local(256 * 4 * width)], "local_bandwidth_v%d" % width)

# --- exercises of HandsOnOpenCL
HANDS = "hands/Solutions/"


def hands(path, name, arguments, size, group, kernel, **more):
    source(HANDS + path, "hands")(name, arguments, size, group, kernel=kernel, **more)


product = lambda n, *local: lambda: [i32(n), square(n), square(n), zeros(n, n)] + \
    [Local(x) for x in local]
hands("Exercise13/gameoflife.cl", "life",
      lambda: [given((integers(0, 10, 512, 512) < 4).astype(np.uint8)),
               zeros(512, 512, type=np.uint8), u32(512), u32(512), Local(18 * 18)],
      (512, 512), (16, 16), "accelerate_life", options=("-DALIVE=1", "-DDEAD=0"))
hands("Exercise08/C_elem.cl", "product", product(256), (256, 256), (16, 16), "mmul")
hands("Exercise08/C_row.cl", "product_rows", product(256), 256, 64, "mmul")
hands("Exercise08/C_row_priv.cl", "product_private", product(256), 256, 64, "mmul")
hands("Exercise08/C_row_priv_bloc.cl", "product_local", product(256, 1024), 256, 64, "mmul")
hands("Exercise08/C_block_form.cl", "product_blocks", product(256, 1024, 1024), (256, 256),
      (16, 16), "mmul")
hands("Exercise09/pi_ocl.cl", "pi", lambda: [i32(64), f32(1 / (64 * 4096)), Local(256),
                                             zeros(64)], 4096, 64, "pi")
hands("ExerciseA/pi_vocl.cl", "pi_float4", lambda: [i32(64), f32(1 / (64 * 4096)), Local(256),
                                                    zeros(64)], 4096, 64, "pi_vec4")
