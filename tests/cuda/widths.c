/* What registers hold of values that are narrower, of one type or another (PTX ISA, "Operand Size
 * Exceeding Instruction-Type Size"): by the twin, or by NVIDIA's driver on a GPU.
 *
 *   cuda_twin_widths LIBRARY */
#include "driver_alone.h"

/* Of two work-items; the first one's %r is the answer.  %x is the input, which [%a] holds too, [%s]
 * memory for use, %q whether this is the first work-item. */
static const struct {
  const char *code;
  uint32_t input, answer;
} rows[] = {
    /* Conversions: as wide as the type says, then as wide as the register. */
    {"cvt.s8.s32 %h, %x; cvt.u32.u16 %r, %h;", 0x180, 0xff80},
    {"cvt.u8.u32 %h, %x; cvt.u32.u16 %r, %h;", 0x180, 0x80},
    {"cvt.s8.s32 %r, %x;", 0x180, 0xffffff80},
    {"cvt.u8.u32 %r, %x;", 0x1ff, 0xff},
    {"cvt.s16.s32 %r, %x;", 0x18000, 0xffff8000},
    {"cvt.u16.u32 %r, %x;", 0x18000, 0x8000},
    {"cvt.s8.s32 %w, %x; shr.u64 %w, %w, 32; cvt.u32.u64 %r, %w;", 0x80, 0xffffffff},
    {"cvt.u16.u32 %h, %x; cvt.s32.s16 %r, %h;", 0x18000, 0xffff8000},
    {"cvt.u16.u32 %h, %x; cvt.s32.s8 %r, %h;", 0x1280, 0xffffff80},
    {"cvt.sat.s8.s32 %h, %x; cvt.u32.u16 %r, %h;", (uint32_t)-1000, 0xff80},
    {"cvt.sat.s8.s32 %h, %x; cvt.u32.u16 %r, %h;", 1000, 0x7f},
    {"cvt.sat.u8.s32 %h, %x; cvt.u32.u16 %r, %h;", 1000, 0xff},
    {"mov.b32 %f, %x; cvt.rzi.s8.f32 %h, %f; cvt.u32.u16 %r, %h;", 0xc0400000 /* -3 */, 0xfffd},
    {"mov.b32 %f, %x; cvt.rzi.s16.f32 %r, %f;", 0xc0400000, 0xfffffffd},
    /* What is done with one of them. */
    {"cvt.s8.s32 %h, %x; setp.eq.s16 %p, %h, -128; selp.u32 %r, 1, 0, %p;", 0x80, 1},
    {"cvt.s8.s32 %h, %x; setp.lt.s16 %p, %h, 0; selp.u32 %r, 1, 0, %p;", 0x80, 1},
    {"cvt.s8.s32 %h, %x; and.b16 %k, %h, 1; setp.eq.b16 %p, %k, 1; selp.u32 %r, 1, 0, %p;", 0xff, 1},
    {"cvt.s8.s32 %h, %x; shr.s16 %h, %h, 1; cvt.u32.u16 %r, %h;", 0x80, 0xffc0},
    {"cvt.s8.s32 %h, %x; neg.s16 %h, %h; cvt.u32.u16 %r, %h;", 0x80, 0x80},
    {"cvt.s8.s32 %h, %x; not.b16 %h, %h; cvt.u32.u16 %r, %h;", 0x80, 0x7f},
    {"cvt.s8.s32 %h, %x; xor.b16 %h, %h, -1; cvt.u32.u16 %r, %h;", 0x80, 0x7f},
    {"cvt.s8.s32 %h, %x; mul.lo.s16 %h, %h, 3; cvt.s32.s16 %r, %h;", 0xff, 0xfffffffd},
    {"cvt.s8.s32 %h, %x; mul.wide.s16 %r, %h, %h;", 0x80, 0x4000},
    {"cvt.s8.s32 %h, %x; mov.u16 %k, %h; mov.b32 %r, {%k, %h};", 0x80, 0xff80ff80},
    {"mov.b32 {%h, %k}, %x; cvt.u32.u16 %r, %k;", 0xff801234, 0xff80},
    {"cvt.s8.s32 %h, %x; setp.ne.u32 %p, %x, 0; selp.b16 %k, %h, 0, %p; cvt.u32.u16 %r, %k;", 0x80,
     0xff80},
    {"bfe.s32 %r, %x, 4, 8;", 0x800, 0xffffff80},
    /* Memory. */
    {"ld.global.s8 %h, [%a]; cvt.u32.u16 %r, %h;", 0x80, 0xff80},
    {"ld.global.u8 %h, [%a]; cvt.u32.u16 %r, %h;", 0xff80, 0x80},
    {"ld.global.s8 %r, [%a];", 0x80, 0xffffff80},
    {"ld.global.s16 %r, [%a];", 0x8000, 0xffff8000},
    {"ld.global.u16 %r, [%a];", 0xffff8000, 0x8000},
    {"ld.global.s16 %w, [%a]; shr.u64 %w, %w, 32; cvt.u32.u64 %r, %w;", 0x8000, 0xffffffff},
    {"ld.global.s32 %w, [%a]; shr.u64 %w, %w, 32; cvt.u32.u64 %r, %w;", 0x80000000, 0xffffffff},
    {"cvt.s8.s32 %h, %x; st.global.u16 [%s], %h; ld.global.u32 %r, [%s];", 0x80, 0xff80},
    {"cvt.s8.s32 %h, %x; st.global.u8 [%s], %h; ld.global.u32 %r, [%s];", 0x80, 0x80},
    {"st.global.u16 [%s], %x; ld.global.u32 %r, [%s];", 0x12348765, 0x8765},
    /* The same 32 bits are the same value, wherever they come from. */
    {"ld.global.s8 %y, [%a]; selp.b32 %y, %y, %x, %q; match.any.sync.b32 %r, %y, 3;", 0xffffff80, 3},
    {"ld.global.s32 %y, [%a]; add.u32 %z, %y, 1;\n"
     "@%q st.global.u32 [%s], %z; @%q atom.global.dec.u32 %r, [%s], %y; ld.global.u32 %r, [%s];",
     0x80000000, 0x80000000},
};
enum { ROWS = sizeof rows / sizeof *rows };

static const char head[] = ".version 7.0\n.target sm_80\n.address_size 64\n"
                           ".visible .entry k(.param .u64 k_param_0)\n{\n"
                           ".reg .b64 %a, %s, %o; .reg .b32 %l; .reg .pred %q;\n"
                           "ld.param.u64 %a, [k_param_0]; mov.u32 %l, %tid.x;\n"
                           "setp.eq.u32 %q, %l, 0; add.s64 %s, %a, 4; add.s64 %o, %a, 8;\n";
static const char before[] = "{ .reg .b16 %h, %k; .reg .b32 %r, %x, %y, %z; .reg .b64 %w;\n"
                             ".reg .f32 %f; .reg .pred %p; ld.global.u32 %x, [%a];\n";
static const char after[] = "\n@%q st.global.u32 [%o], %r;\n}\n";

static uint32_t run(size_t row) {
  char text[4096];
  CUmodule module;
  CUfunction function;
  CUstream stream;
  CUdeviceptr memory;
  uint32_t words[3] = {rows[row].input, 0, 0};
  size_t size = sizeof memory;
  snprintf(text, sizeof text, "%s%s%s%sret;\n}\n", head, before, rows[row].code, after);
  if (driver.module_load(&module, text, 0, NULL, NULL)) {
    fprintf(stderr, "the driver does not take: %s\n", rows[row].code);
    exit(1);
  }
  CHECK(!driver.module_function(&function, module, "k") && !driver.stream_create(&stream, 1));
  CHECK(!driver.allocate(&memory, sizeof words));
  CHECK(!driver.copy_in(memory, words, sizeof words, stream) && !driver.stream_wait(stream));
  void *extra[] = {(void *)1, &memory, (void *)2, &size, NULL};
  CHECK(!driver.launch(function, 1, 1, 1, 2, 1, 1, 0, stream, NULL, extra));
  CHECK(!driver.copy_out(words, memory, sizeof words, stream) && !driver.stream_wait(stream));
  CHECK(!driver.release(memory) && !driver.stream_destroy(stream) && !driver.module_unload(module));
  return words[2];
}

int main(int argc, char **argv) {
  bool good = true;
  CHECK(argc == 2);
  driver_find(argv[1]);
  driver_start();
  for (size_t row = 0; row < ROWS; row++) {
    uint32_t got = run(row);
    if (got == rows[row].answer) continue;
    fprintf(stderr, "%s\n  of %x: %x, not %x\n", rows[row].code, rows[row].input, got,
            rows[row].answer);
    good = false;
  }
  return !good;
}
