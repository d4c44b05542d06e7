/* A plugin of QEMU's user emulation that tells at the end how many instructions the program executed.  What it
 * needs of the interface (version 1) is declared here, since Debian's packages have no header of it. */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

enum { ADD = 0 }; /* qemu_plugin_op */
struct qemu_plugin_tb;
extern void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, void (*)(uint64_t id, struct qemu_plugin_tb *));
extern void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *, int operation, void *to, uint64_t value);
extern void qemu_plugin_register_atexit_cb(uint64_t id, void (*)(uint64_t id, void *data), void *data);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);

int qemu_plugin_version = 1;
static uint64_t count;

static void translated(uint64_t id, struct qemu_plugin_tb *block) {
  (void)id;
  qemu_plugin_register_vcpu_tb_exec_inline(block, ADD, &count, qemu_plugin_tb_n_insns(block));
}

static void at_end(uint64_t id, void *data) {
  (void)id;
  (void)data;
  fprintf(stderr, "instructions %" PRIu64 "\n", count);
}

int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv) {
  (void)info;
  (void)argc;
  (void)argv;
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_atexit_cb(id, at_end, NULL);
  return 0;
}
