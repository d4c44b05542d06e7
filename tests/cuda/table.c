/* The table of kernels in a binary's comments: what is read from it, and that a damaged one is told. */
#include "cuda/cuda.h"

#include "abi/gpu.h"
#include "unit/unit.h"


static const char lines[] =
    "//\n// something else\n"
    "//mpl object %u 24 1\n"
    "//mpl kernel first\n"
    "//mpl entry first\n"
    "//mpl sizes 20 128 0 8 4 2 0 0 0 16 3\n"
    "//mpl attributes reqd_work_group_size(8,4,2)\n"
    "//mpl arg 8 8 0 4 1 1 0 1\n"
    "//mpl type unsigned int*\n"
    "//mpl name in\n"
    "//mpl arg 12 4 8 1 0 0 0 0\n"
    "//mpl type struct three\n"
    "//mpl name \n"
    "//mpl construct\n"
    "//mpl entry mpl_construct\n"
    "//mpl sizes 0 0 0 0 0 0 0 0 0 0 0\n"
    "//mpl attributes \n"
    ".version 7.0\n";

static char text[sizeof lines + 16];

static void reads_all(void) {
  struct mpl_cuda_table *table = mpl_cuda_table_read(text);
  CHECK(table && table->num_entries == 2);
  const struct mpl_object *object = &table->object;
  CHECK(object->num_kernels == 1 && object->globals_size == 24);
  CHECK(object->flags == MPL_OBJECT_WRITES_GLOBALS && !object->destruct);
  CHECK(object->construct == &object->kernels[1] && !strcmp(table->entries[1], "mpl_construct"));
  const struct mpl_kernel *k = object->kernels;
  CHECK(!strcmp(k->name, "first") && !strcmp(k->attributes, "reqd_work_group_size(8,4,2)"));
  CHECK(k->args_size == 20 && k->local_size == 128 && k->num_args == 2 && k->flags == 3);
  CHECK(k->reqd_local[0] == 8 && k->reqd_local[1] == 4 && k->reqd_local[2] == 2);
  CHECK(k->reqd_sub_group == 16 && k->sub_group == 16);
  CHECK(!k[1].reqd_sub_group && k[1].sub_group == MPL_GPU_LANES);
  CHECK(!strcmp(k->args[0].type_name, "unsigned int*") && !strcmp(k->args[0].name, "in"));
  CHECK(k->args[0].kind == MPL_ARG_POINTER && k->args[0].type_qualifier == MPL_TYPE_CONST);
  CHECK(k->args[1].size == 12 && k->args[1].offset == 8 && !*k->args[1].name);
  mpl_cuda_table_free(table);
}

/* Lines that are lost, cut or changed: refused or read, never more. */
static void tells_damage(void) {
  for (size_t cut = 0; cut < strlen(text); cut++) {
    char copy[sizeof text];
    memcpy(copy, text, sizeof text);
    copy[cut] = 0;
    struct mpl_cuda_table *table = mpl_cuda_table_read(copy);
    if (table) mpl_cuda_table_free(table);
    memcpy(copy, text, sizeof text);
    copy[cut] = '9';
    table = mpl_cuda_table_read(copy);
    if (table) mpl_cuda_table_free(table);
  }
  CHECK(!mpl_cuda_table_read("//mpl object 1 0 0\n"));
  CHECK(!mpl_cuda_table_read("//mpl arg 1 1 1 1 1 1 1 1\n"));
  char half[64];
  snprintf(half, sizeof half, "//mpl object %u 0 0\n//mpl kernel k\n", MPL_ABI_VERSION);
  CHECK(!mpl_cuda_table_read(half));
  CHECK(!mpl_cuda_table_read(""));
}

int main(void) {
  snprintf(text, sizeof text, lines, MPL_ABI_VERSION);
  reads_all();
  tells_damage();
  return 0;
}
