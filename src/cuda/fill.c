/* Fills.  The driver fills with a byte, a half or a word; with longer patterns a kernel of ours does, or, where it
 * cannot be loaded now or the memory is not aligned, copies of the beginning. */
#include <string.h>

#include "abi/gpu.h"
#include "cuda.h"
#include "runtime/errors.h"

/* Rows of one slice. */
struct filled {
  CUdeviceptr to;
  uint64_t pitch, width, height;
  const unsigned char *pattern;
  uint32_t pattern_size;
};

/* --- by a kernel --- */

enum { LONGEST = 128 /* bytes of OpenCL's longest pattern */, UNIT = 8 };

struct parameters {
  uint64_t to, pitch, units, rows; /* of UNIT bytes, in a row */
  uint32_t last, unused;           /* of the pattern's units, whose number is a power of two */
  unsigned char pattern[LONGEST];
};

/* Threads beside one another in x write a row, those in y other rows; what is left over is theirs too.  Those of a
 * group in x are a multiple of any pattern's units, so each thread writes one of them. */
static const char kernel[] = ".version 7.0\n"
                             ".target " MPL_NVPTX_CHIP "\n"
                             ".address_size 64\n"
                             ".visible .entry fill(.param .align 8 .b8 in[168])\n"
                             "{\n"
                             "  .reg .pred %p<3>;\n"
                             "  .reg .b32 %r<10>;\n"
                             "  .reg .b64 %rd<13>;\n"
                             "  ld.param.b64 %rd0, [in];\n"
                             "  cvta.to.global.u64 %rd0, %rd0;\n"
                             "  ld.param.b64 %rd1, [in+8];\n"
                             "  ld.param.b64 %rd2, [in+16];\n"
                             "  ld.param.b64 %rd3, [in+24];\n"
                             "  ld.param.b32 %r0, [in+32];\n"
                             "  mov.u32 %r1, %ctaid.x;\n"
                             "  mov.u32 %r2, %ntid.x;\n"
                             "  mov.u32 %r3, %tid.x;\n"
                             "  mov.u32 %r4, %nctaid.x;\n"
                             "  cvt.u64.u32 %rd5, %r3;\n"
                             "  mul.wide.u32 %rd4, %r1, %r2;\n"
                             "  add.s64 %rd4, %rd4, %rd5;\n" /* where in the row, at first */
                             "  mul.wide.u32 %rd6, %r4, %r2;\n"
                             "  mov.u32 %r5, %ctaid.y;\n"
                             "  mov.u32 %r6, %ntid.y;\n"
                             "  mov.u32 %r7, %tid.y;\n"
                             "  mov.u32 %r8, %nctaid.y;\n"
                             "  cvt.u64.u32 %rd8, %r7;\n"
                             "  mul.wide.u32 %rd7, %r5, %r6;\n"
                             "  add.s64 %rd7, %rd7, %rd8;\n" /* the row */
                             "  mul.wide.u32 %rd8, %r8, %r6;\n"
                             "  and.b32 %r0, %r0, %r3;\n"
                             "  mul.wide.u32 %rd9, %r0, 8;\n"
                             "  mov.b64 %rd10, in;\n"
                             "  add.s64 %rd9, %rd9, %rd10;\n"
                             "  ld.param.b64 %rd9, [%rd9+40];\n"
                             "$row:\n"
                             "  setp.ge.u64 %p0, %rd7, %rd3;\n"
                             "  @%p0 bra $end;\n"
                             "  mad.lo.s64 %rd10, %rd7, %rd1, %rd0;\n"
                             "  mov.b64 %rd11, %rd4;\n"
                             "$unit:\n"
                             "  setp.ge.u64 %p1, %rd11, %rd2;\n"
                             "  @%p1 bra $next;\n"
                             "  shl.b64 %rd12, %rd11, 3;\n"
                             "  add.s64 %rd12, %rd12, %rd10;\n"
                             "  st.global.b64 [%rd12], %rd9;\n"
                             "  add.s64 %rd11, %rd11, %rd6;\n"
                             "  bra $unit;\n"
                             "$next:\n"
                             "  add.s64 %rd7, %rd7, %rd8;\n"
                             "  bra $row;\n"
                             "$end:\n"
                             "  ret;\n"
                             "}\n";

/* The first time that it is wanted, unless others run (quiet.c). */
static CUfunction kernel_of(struct mpl_cuda *cuda) {
  const struct mpl_cuda_driver *driver = cuda->driver;
  CUmodule module;
  CUfunction found = NULL;
  pthread_mutex_lock(&cuda->fill_lock);
  if (!cuda->filler && !cuda->cannot_fill && mpl_cuda_load_begin(cuda)) {
    cuda->cannot_fill =
        !mpl_cuda_check(driver->module_load(&module, kernel, 0, NULL, NULL), "cuModuleLoadDataEx") ||
        !mpl_cuda_check(driver->module_function(&found, module, "fill"), "fill") ||
        (driver->function_load && !mpl_cuda_check(driver->function_load(found), "cuFuncLoad"));
    if (!cuda->cannot_fill) cuda->filler = found; /* for as long as the device, which does not go away */
    mpl_cuda_load_end(cuda);
  }
  found = cuda->filler;
  pthread_mutex_unlock(&cuda->fill_lock);
  return found;
}

/* Each thread writes FEW units or so, or rows' parts. */
static struct grid {
  unsigned groups[2], threads[2];
} grid_for(uint64_t units, uint64_t rows) {
  enum { WIDE = 256, NARROW = 32, FEW = 4, MOST_BESIDE = 1 << 20, MOST_ROWS = 1 << 10 };
  unsigned beside = units < WIDE ? NARROW : WIDE, below = WIDE / beside;
  uint64_t x = (units + beside * FEW - 1) / (beside * FEW), y = (rows + below - 1) / below;
  return (struct grid){{(unsigned)(x < MOST_BESIDE ? x : MOST_BESIDE), (unsigned)(y < MOST_ROWS ? y : MOST_ROWS)},
                       {beside, below}};
}

static bool is_for_kernel(const struct filled *f, uint64_t pitch) {
  return f->pattern_size >= UNIT && f->pattern_size <= LONGEST && !(f->pattern_size & (f->pattern_size - 1)) &&
         !((f->to | pitch | f->width) % UNIT);
}

/* False: not by it. */
static bool fill_by_kernel(struct mpl_cuda *cuda, const struct filled *f, CUstream stream) {
  uint64_t pitch = f->height > 1 ? f->pitch : 0;
  CUfunction function = is_for_kernel(f, pitch) ? kernel_of(cuda) : NULL;
  if (!function) return false;
  struct grid grid = grid_for(f->width / UNIT, f->height);
  struct parameters p = {
      .to = f->to, .pitch = pitch, .units = f->width / UNIT, .rows = f->height, .last = f->pattern_size / UNIT - 1};
  memcpy(p.pattern, f->pattern, f->pattern_size);
  size_t size = sizeof p;
  void *extra[] = {(void *)1 /* CU_LAUNCH_PARAM_BUFFER_POINTER */, &p, (void *)2 /* CU_LAUNCH_PARAM_BUFFER_SIZE */,
                   &size, NULL};
  mpl_cuda_launch_begin(cuda);
  int error = cuda->driver->launch(function, grid.groups[0], grid.groups[1], 1, grid.threads[0], grid.threads[1], 1, 0,
                                   stream, NULL, extra);
  mpl_cuda_launch_end(cuda);
  return !error;
}

/* --- by the driver --- */

/* The beginning, each word of the pattern at all its places there, and then copies of what is there, each of
 * which doubles it.  An H200 writes 64 KiB of words apart in the time of a few short copies. */
static int fill_row_by_copies(struct mpl_cuda *cuda, const struct filled *f, CUstream stream) {
  enum { BEGINNING = 1 << 16 };
  const struct mpl_cuda_driver *driver = cuda->driver;
  uint64_t times = (f->width < BEGINNING ? f->width : BEGINNING) / f->pattern_size;
  uint32_t word, unit = (f->to | f->pattern_size) % sizeof word ? 1 : sizeof word;
  int error = 0;
  for (uint32_t i = 0; i < f->pattern_size && !error; i += unit) {
    memcpy(&word, f->pattern + i, unit);
    error = unit == 1
              ? driver->fill_rows_8(f->to + i, f->pattern_size, f->pattern[i], 1, times, stream)
              : driver->fill_rows_32(f->to + i, f->pattern_size, word, 1, times, stream);
  }
  for (uint64_t done = times * f->pattern_size, now; done < f->width && !error; done += now) {
    now = done < f->width - done ? done : f->width - done;
    error = driver->copy_within(f->to + done, f->to, now, stream);
  }
  return error;
}

/* What the driver fills with: a pattern of a byte, a half or a word. */
static unsigned value_of(const struct filled *f) {
  unsigned value = 0;
  memcpy(&value, f->pattern, f->pattern_size < sizeof value ? f->pattern_size : sizeof value);
  return value;
}

/* The driver does so where it is aligned. */
static int fill_row(struct mpl_cuda *cuda, const struct filled *f, CUstream stream) {
  const struct mpl_cuda_driver *driver = cuda->driver;
  switch (f->to % f->pattern_size ? 0 : f->pattern_size) {
  case 1:
    return driver->fill_8(f->to, (unsigned char)value_of(f), f->width, stream);
  case 2:
    return driver->fill_16(f->to, (unsigned short)value_of(f), f->width / 2, stream);
  case 4:
    return driver->fill_32(f->to, value_of(f), f->width / 4, stream);
  default:
    return fill_row_by_copies(cuda, f, stream);
  }
}

/* The same for rows; false: the driver does not, as where they are farther apart than a pitch may be. */
static bool fill_at_once(struct mpl_cuda *cuda, const struct filled *f, CUstream stream) {
  const struct mpl_cuda_driver *driver = cuda->driver;
  switch ((f->to | f->pitch) % f->pattern_size ? 0 : f->pattern_size) {
  case 1:
    return !driver->fill_rows_8(f->to, f->pitch, (unsigned char)value_of(f), f->width, f->height, stream);
  case 2:
    return !driver->fill_rows_16(f->to, f->pitch, (unsigned short)value_of(f), f->width / 2, f->height,
                                 stream);
  case 4:
    return !driver->fill_rows_32(f->to, f->pitch, value_of(f), f->width / 4, f->height, stream);
  default:
    return false;
  }
}

/* The first row, and then copies of the rows that are there, each of which doubles them. */
static int fill_by_rows(struct mpl_cuda *cuda, const struct filled *f, CUstream stream) {
  struct filled row = *f;
  int error = fill_row(cuda, f, stream);
  for (uint64_t done = 1, now; done < f->height && !error; done += now) {
    now = done < f->height - done ? done : f->height - done;
    row.to = f->to + done * f->pitch;
    struct mpl_cuda_rows rows = {.from_type = MPL_CUDA_DEVICE,
                                 .from_device = f->to,
                                 .from_pitch = f->pitch,
                                 .to_type = MPL_CUDA_DEVICE,
                                 .to_device = row.to,
                                 .to_pitch = f->pitch,
                                 .width = f->width,
                                 .height = now};
    if (!cuda->driver->copy_rows(&rows, stream)) continue;
    now = 1;
    error = fill_row(cuda, &row, stream);
  }
  return error;
}

int mpl_cuda_fill(struct mpl_cuda *cuda, const struct mpl_operation *operation, CUstream stream) {
  const uint64_t *given = operation->fill.size;
  const unsigned char *pattern = operation->fill.pattern;
  uint32_t pattern_size = operation->fill.pattern_size;
  uint64_t size[3] = {given[0], given[1], given[2]};
  struct mpl_location to = operation->fill.to;
  int error = 0;
  if (!size[0] || !size[1] || !size[2]) return 0;
  mpl_cuda_join_dimensions(size, &to, NULL);
  /* A pattern of two halves that are the same is one of them. */
  while (pattern_size % 2 == 0 && !memcmp(pattern, pattern + pattern_size / 2, pattern_size / 2))
    pattern_size /= 2;
  for (uint64_t z = 0; z < size[2] && !error; z++) {
    CUdeviceptr at = (CUdeviceptr)(uintptr_t)to.base + z * to.slice;
    struct filled f = {at, to.row, size[0], size[1], pattern, pattern_size};
    if (!to.on_host && fill_by_kernel(cuda, &f, stream)) continue; /* the driver knows what it may write */
    if (f.height == 1 || !fill_at_once(cuda, &f, stream)) error = fill_by_rows(cuda, &f, stream);
  }
  return mpl_cuda_error(cuda, error, "a fill");
}
