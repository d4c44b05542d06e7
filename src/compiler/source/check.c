/* Reports what only the compiler can see, with the line of the call: else it would be an error of the
 * linker, a crash or a wrong answer.
 *
 * Every function that is called exists: in this program, in the built-in library, or in the C math
 * library that the built-in library stands on.  Clusters of a sub-group have a constant size that
 * is a power of two (OpenCL C 3.0, cl_khr_subgroup_clustered_reduce and _rotate). */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "compiler/analysis/markers.h"
#include "compiler/passes.h"
#include "source.h"

bool mpl_is_in_library(const char *library, const char *file, const char *name) {
  Dl_info info;
  void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
  void *symbol = handle ? dlsym(handle, name) : NULL;
  bool found = symbol && dladdr(symbol, &info) && info.dli_fname && strstr(info.dli_fname, file);
  if (handle) dlclose(handle);
  return found;
}

/* The user's function that became `call`, by the name of the library's
 * lanes_cluster_OPERATION_TYPE; and the extension that it is of.  Rotations call it for this check
 * only. */
static const char *clustered_function(LLVMValueRef call, char *text, size_t room) {
  static const char prefix[] = "lanes_cluster_";
  const char *name = LLVMGetValueName(mpl_combine_of(call));
  const char *type = strrchr(name, '_');
  if (strncmp(name, prefix, sizeof prefix - 1) || !type) {
    snprintf(text, room, "sub_group_clustered_rotate");
    return "cl_khr_subgroup_rotate";
  }
  name += sizeof prefix - 1;
  snprintf(text, room, "sub_group_clustered_reduce_%.*s", (int)(type - name), name);
  return "cl_khr_subgroup_clustered_reduce";
}

static void check_cluster(struct mpl_module_ir *ir, LLVMValueRef call) {
  char name[64];
  LLVMValueRef size = LLVMGetOperand(call, 1);
  uint64_t number = LLVMIsAConstantInt(size) ? LLVMConstIntGetZExtValue(size) : 1;
  bool power = number && !(number & (number - 1));
  if (LLVMIsAConstantInt(size) && power) return;
  const char *extension = clustered_function(call, name, sizeof name);
  mpl_report(ir, call, "the cluster size of '%s' must be a %s (%s)", name,
             power ? "constant" : "power of two", extension);
}

void mpl_diagnose_clusters(struct mpl_module_ir *ir) {
  MPL_EACH_KERNEL(kernel, ir) {
    MPL_EACH_INSTRUCTION_OF(i, kernel->group) {
      if (mpl_marker_of(i) == MPL_MARK_LANES_CLUSTER) check_cluster(ir, i);
    }
  }
}

bool mpl_diagnose_calls(struct mpl_module_ir *ir) {
  mpl_diagnose_clusters(ir);
  MPL_EACH_FUNCTION(f, ir->module) {
    LLVMUseRef use = LLVMGetFirstUse(f);
    const char *name = LLVMGetValueName(f);
    if (!use || !LLVMIsDeclaration(f) || LLVMGetIntrinsicID(f) || !strncmp(name, "__mpl_", 6))
      continue;
    if (mpl_is_memory_function(name) || (!ir->gpu && mpl_is_in_library("libm.so.6", "/libm", name)))
      continue;
    char *readable = mpl_ir_demangle(name);
    LLVMValueRef user = LLVMGetUser(use);
    mpl_report(ir, LLVMIsAInstruction(user) ? user : f,
               "'%s' is called but defined neither in this program nor in the built-in library",
               readable);
    LLVMDisposeMessage(readable);
  }
  return false;
}
