/* Simulator files (maniple run FILE.sim), against a kernel with an argument of each sort. */
#include "cli/run/sim.h"

#include "cli/cli.h"
#include "target.h"

static const uint8_t *input;
static size_t input_size;

/* In the place of the command's own, which print and end the process. */
int mpl_say(int status, const char *format, ...) {
  return status;
}

void *mpl_need(void *memory) {
  return memory ? memory : (abort(), NULL);
}

char *mpl_read_file(const char *path, size_t *size) {
  char *text = mpl_need(malloc(input_size + 1));
  memcpy(text, input, input_size);
  text[ *size = input_size] = 0;
  return text;
}

bool mpl_run_arg_allocate(struct mpl_run *run, struct mpl_run_arg *arg, size_t size) {
  arg->size = size;
  if (size <= 1 << 16) arg->data = calloc(size ? size : 1, 1);
  return arg->data;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static struct mpl_param params[] = {
      {"a", "int*", CL_KERNEL_ARG_ADDRESS_GLOBAL, true, false, {MPL_ELEMENT_int, 1}},
      {"b", "float4", CL_KERNEL_ARG_ADDRESS_PRIVATE, false, false, {MPL_ELEMENT_float, 4}},
      {"c", "int*", CL_KERNEL_ARG_ADDRESS_LOCAL, true, false, {MPL_ELEMENT_int, 1}},
      {"d", "struct s*", CL_KERNEL_ARG_ADDRESS_CONSTANT, true, true, {MPL_ELEMENT_int, 0}},
      {"e", "ulong", CL_KERNEL_ARG_ADDRESS_PRIVATE, false, false, {MPL_ELEMENT_ulong, 1}}};
  struct mpl_run_arg args[5] = {0};
  struct mpl_signature signature = {.name = "k", .params = params, .num_params = 5};
  struct mpl_run run = {.signature = &signature, .args = args};
  struct mpl_sim sim;
  input = data;
  input_size = size;
  if (mpl_sim_open(&sim, "folder/file.sim")) {
    if (mpl_sim_header(&sim, &run)) mpl_sim_arguments(&sim, &run);
    mpl_sim_close(&sim);
  }
  for (int i = 0; i < 5; i++) free(args[i].data);
  return 0;
}
