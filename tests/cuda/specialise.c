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
  char *made = mpl_cuda_specialise(text, table, 0, (const uint32_t[3]){256, 1, 1});
  CHECK(made);
  CHECK(has(made, ")\n.reqntid 256, 1, 1\n{\n\tmov.u32 \t%r1, 256;\n"));
  CHECK(has(made, "%r2, %tid.x; mov.u32 %r3, 0;\n")); /* one work-item in y */
  CHECK(has(made, "%r4, %ctaid.y;\n\tmov.u32 %r5, 1;\n"));
  CHECK(has(made, "mpl_scratch[544]") && has(made, "helper"));
  CHECK(!has(made, "entry firs(") && !has(made, ".maxntid")); /* another kernel, and like-named */
  free(made);
  made = mpl_cuda_specialise(text, table, 1, (const uint32_t[3]){1, 3, 5});
  CHECK(made && has(made, ".reqntid 1, 3, 5\n{\n\tmov.u32 \t%r1, 3;\n") && !has(made, "entry first("));
  free(made);
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
  deep();
  mpl_cuda_table_free(table);
  return 0;
}
