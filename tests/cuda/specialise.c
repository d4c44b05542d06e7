/* The text of kernels for a local size: what is folded, whose registers are limited, what is left out. */
#include "cuda/cuda.h"

#include "abi/gpu.h"
#include "unit/unit.h"

static const char lines[] =
    "//mpl object %u 0 0\n"
    "//mpl kernel first\n//mpl entry first\n//mpl sizes 8 0 0 0 0 0 0 0 0 0 1\n//mpl attributes \n"
    "//mpl kernel firs\n//mpl entry firs\n//mpl sizes 8 0 0 8 4 2 0 0 0 0 0\n//mpl attributes \n"
    ".shared .align 16 .b8 mpl_scratch[544];\n"
    ".func helper()\n{\n\tmov.u32 \t%%r1, %%ntid.x;\n}\n"
    ".visible .entry first(\n\t.param .b8 first_param_0[144]\n)\n{\n"
    "\tmov.u32 \t%%r1, %%ntid.x;\n"
    "\tmov.u32 \t%%r2, %%tid.x; mov.u32 %%r3, %%tid.y;\n"
    "\tmov.u32 \t%%r4, %%ctaid.y;\n\tmov.u32 %%r5, %%ntid.z;\n"
    "}\n"
    "\t// -- End function\n"
    ".visible .entry firs(\n\t.param .b8 firs_param_0[144]\n)\n{\n\tmov.u32 \t%%r1, %%ntid.y;\n}\n";

static char text[sizeof lines + 16];
static struct mpl_cuda_table *table;

static bool has(const char *made, const char *word) {
  return strstr(made, word) != NULL;
}

static void any_size(void) {
  char *made = mpl_cuda_specialise(text, table, -1, NULL);
  CHECK(made);
  CHECK(has(made, "first_param_0[144]\n)\n.maxntid 1024\n{\n\tmov.u32 \t%r1, %ntid.x;"));
  CHECK(has(made, "firs_param_0[144]\n)\n.maxntid 64\n{\n\tmov.u32 \t%r1, %ntid.y;"));
  CHECK(has(made, ".func helper()\n{\n\tmov.u32 \t%r1, %ntid.x;"));
  free(made);
}

static void one_size(void) {
  char *made = mpl_cuda_specialise(text, table, 0, &(struct mpl_cuda_shape){{256, 1, 1}, 0});
  CHECK(made);
  CHECK(has(made, ")\n.reqntid 256, 1, 1\n{\n\tmov.u32 \t%r1, 256;\n"));
  CHECK(has(made, "%r2, %tid.x; mov.u32 %r3, 0;\n")); /* one work-item in y */
  CHECK(has(made, "%r4, %ctaid.y;\n\tmov.u32 %r5, 1;\n"));
  CHECK(has(made, "mpl_scratch[544]") && has(made, "helper"));
  CHECK(!has(made, "entry firs(") && !has(made, ".maxntid")); /* another kernel, and like-named */
  free(made);
  made = mpl_cuda_specialise(text, table, 0, &(struct mpl_cuda_shape){{64, 2, 1}, 128});
  CHECK(made && has(made, ".reqntid 64, 2, 1\n.maxnreg 128\n{\n\tmov.u32 \t%r1, 64;\n"));
  free(made);
}

/* Of work-items that do not meet the size is told as the most there are. */
static void one_size_apart(void) {
  char *made = mpl_cuda_specialise(text, table, 1, &(struct mpl_cuda_shape){{1, 3, 5}, 0});
  CHECK(made && has(made, ")\n.maxntid 15\n{\n\tmov.u32 \t%r1, %ntid.y;\n"));
  CHECK(!has(made, "entry first("));
  free(made);
  made = mpl_cuda_specialise(text, table, 1, &(struct mpl_cuda_shape){{64, 2, 1}, 128});
  CHECK(made && has(made, ".maxntid 128\n.maxnreg 128\n{\n\tmov.u32 \t%r1, %ntid.y;\n"));
  free(made);
}

static uint32_t registers(uint32_t size, uint64_t groups, bool spills) {
  return mpl_cuda_shape_of((const uint32_t[3]){size, 1, 1}, groups, 100, spills).registers;
}

/* Of few groups each work-item may have more registers, as many as leave room for all of them. */
static void few_groups(void) {
  CHECK(registers(64, 1, false) == 255 && registers(64, 400, false) == 255);
  CHECK(registers(64, 401, false) == 128 && registers(64, 801, false) == 64);
  CHECK(registers(64, 1600, false) == 64 && registers(64, 1601, false) == 48);
  CHECK(registers(64, 2400, false) == 40 && registers(64, 2401, false) == 32);
  CHECK(registers(64, 3200, false) == 32 && !registers(64, 3201, false));
  CHECK(registers(64, 400, true) == 255 && !registers(64, 401, true));
  CHECK(registers(1024, 100, false) == 64 && registers(1024, 101, false) == 32);
  CHECK(!registers(1024, 201, false));
  CHECK(!registers(1024, 100, true) && registers(1, 1, true) == 255);
  CHECK(registers(96, 1000, false) == 64 && registers(96, 1001, false) == 48);
  CHECK(registers(512, 100, false) == 128 && registers(512, 200, false) == 64);
  CHECK(registers(512, 300, false) == 40 && !registers(512, 401, false));
  CHECK(registers(1, 102400, false) == 64 && registers(1, 204800, false) == 32);
  CHECK(!registers(1, 204801, false) && !registers(1, ~0ull, false));
}

/* Two groups of 512 have room with 64 registers each, two of 1024 with 32; four of 512 with 32, if a
 * work-item has had a few more only. */
static void more_groups(void) {
  const struct mpl_cuda cuda = {.registers = 1 << 16};
  struct mpl_cuda_shape shape = {{512, 1, 1}, 0};
  CHECK(!mpl_cuda_registers_for_more(&cuda, &shape, 64));
  CHECK(mpl_cuda_registers_for_more(&cuda, &shape, 65) == 64);
  CHECK(mpl_cuda_registers_for_more(&cuda, &shape, 42) == 40); /* three */
  CHECK(!mpl_cuda_registers_for_more(&cuda, &shape, 40));
  CHECK(mpl_cuda_registers_for_more(&cuda, &shape, 34) == 32);
  CHECK(!mpl_cuda_registers_for_more(&cuda, &shape, 32)); /* there are four */
  shape.registers = 128;
  CHECK(!mpl_cuda_registers_for_more(&cuda, &shape, 128));
  shape = (struct mpl_cuda_shape){{32, 32, 1}, 0};
  CHECK(!mpl_cuda_registers_for_more(&cuda, &shape, 32));
  CHECK(mpl_cuda_registers_for_more(&cuda, &shape, 33) == 32);
  shape.items[0] = 20; /* 51 */
  CHECK(mpl_cuda_registers_for_more(&cuda, &shape, 52) == 48);
  shape.items[0] = 8; /* 256 */
  CHECK(mpl_cuda_registers_for_more(&cuda, &shape, 72) == 64);
  CHECK(!mpl_cuda_registers_for_more(&cuda, &shape, 64));
}

static void deep(void) {
  char *made = mpl_cuda_deepen(text, table, 0);
  CHECK(!made); /* a function beside it reads sizes */
  char *reads = strstr(text, "%ntid");
  memcpy(reads, "%nope", 5);
  made = mpl_cuda_deepen(text, table, 0);
  CHECK(made && has(made, ".visible .entry first$deep(\n\t.param .b8 first_param_0[144]"));
  CHECK(has(made, "[first_param_0+4];") && has(made, "%r1, %ntid.x;"));
  CHECK(has(made, "%r2, %tid.x; mov.u32 %r3, %mpl_id_y;\n"));
  CHECK(has(made, "%r4, %ctaid.y;\n\tmov.u32 %r5, %mpl_size_z;\n"));
  CHECK(has(made, "mpl_scratch[544]") && !has(made, "entry firs$"));
  free(made);
  made = mpl_cuda_deepen(text, table, -1);
  CHECK(made && has(made, "entry first$deep(") && has(made, "entry firs$deep("));
  CHECK(!has(made, "mpl_scratch") && !has(made, "helper") && !has(made, "//mpl"));
  free(made);
}

int main(void) {
  snprintf(text, sizeof text, lines, MPL_ABI_VERSION);
  table = mpl_cuda_table_read(text);
  CHECK(table && table->num_entries == 2);
  any_size();
  one_size();
  one_size_apart();
  few_groups();
  more_groups();
  deep();
  mpl_cuda_table_free(table);
  return 0;
}
