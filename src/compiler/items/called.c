#include "called.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/analysis/instructions.h"

static const struct {
  const char *code, *name;
} types[] = {{"c", "char"},  {"h", "uchar"}, {"s", "short"}, {"t", "ushort"},
             {"i", "int"},   {"j", "uint"},  {"l", "long"},  {"m", "ulong"},
             {"Dh", "half"}, {"f", "float"}, {"d", "double"}};

/* mpl_work_group_reduce_add_int, of the C interface (maniple/kernel.h). */
static bool read_c_name(const char *full, struct mpl_called *call) {
  size_t length = strlen(full + 4);
  if (length >= sizeof call->name) return false;
  strcpy(call->name, full + 4);
  call->mangled = full;
  call->rest = "";
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    size_t own = strlen(types[i].name);
    if (length <= own || call->name[length - own - 1] != '_' ||
        strcmp(call->name + length - own, types[i].name) != 0)
      continue;
    call->name[length - own - 1] = 0;
    call->rest = types[i].code;
    break;
  }
  return true;
}

/* _Z21work_group_reduce_addi: the name of an overloaded function and its types. */
bool mpl_read_called(const char *mangled, struct mpl_called *call) {
  char *name;
  if (mpl_begins(mangled, "mpl_")) return read_c_name(mangled, call);
  if (mpl_begins(mangled, "__work_group_") ||
      mpl_begins(mangled, "__sub_group_")) { /* of pipes: clang's */
    snprintf(call->name, sizeof call->name, "%s", mangled + 2);
    call->mangled = mangled;
    call->rest = "";
    return true;
  }
  if (strncmp(mangled, "_Z", 2) != 0 || !isdigit((unsigned char)mangled[2])) return false;
  unsigned long length = strtoul(mangled + 2, &name, 10);
  if (length >= sizeof call->name || length > strlen(name)) return false;
  memcpy(call->name, name, length);
  call->name[length] = 0;
  call->mangled = mangled;
  call->rest = name + length;
  return true;
}

bool mpl_is_barrier_name(const char *name) {
  return !strcmp(name, "barrier") || !strcmp(name, "work_group_barrier") ||
         !strcmp(name, "sub_group_barrier");
}

bool mpl_is_copy_name(const char *name) {
  return mpl_begins(name, "async_work_group_") && !strstr(name, "fence");
}

bool mpl_is_collective_name(const char *name) {
  return mpl_begins(name, "work_group_") || mpl_begins(name, "sub_group_") ||
         mpl_begins(name, "intel_sub_group_") || !strcmp(name, "barrier") ||
         mpl_begins(name, "async_work_group_") || !strcmp(name, "wait_group_events") ||
         !strcmp(name, "linear_id_of");
}

void mpl_read_type(struct mpl_called *call) {
  const char *at = call->rest;
  unsigned lanes = 0;
  if (!strncmp(at, "Dv", 2)) lanes = (unsigned)strtoul(at + 2, (char **)&at, 10);
  if (lanes && *at == '_') at++;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    if (!mpl_begins(at, types[i].code)) continue;
    if (lanes)
      snprintf(call->type, sizeof call->type, "%s%u", types[i].name, lanes);
    else
      snprintf(call->type, sizeof call->type, "%s", types[i].name);
  }
}
