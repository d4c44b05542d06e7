/* The command lines of clang and of the linker. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/gpu.h"
#include "job.h"
#include "runtime/device.h"
#include "runtime/options.h"
#include "tables/clang.h"
#include "tables/version.h"
#include "toolchain/tools.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof *(array))

enum feature_how { CLANG, DEFINE, DEFINE_ALWAYS, HOST };

/* Features and extensions, from the table that the device's queries answer from. */
static const struct {
  const char *name;
  enum feature_how how;
  bool is_feature; /* of OpenCL C 3.0 */
  uint32_t needs;
} features[] = {
#define MPL_EXTENSION(name, major, minor, patch, how, needs) {#name, how, false, needs},
#define MPL_FEATURE(name, of, how, needs)                    {#name, how, true, needs},
#include "tables/features.def"
#undef MPL_EXTENSION
#undef MPL_FEATURE
};

bool mpl_is_nvptx(const char *target) {
  return target && !strncmp(target, MPL_NVPTX, strlen(MPL_NVPTX));
}

static void add_features(struct mpl_args *args, const struct mpl_source_options *source,
                         uint32_t lacks) {
  char list[4096] = "-cl-ext=-all";
  int c_version = source->c_version;
  for (size_t i = 0; i < ARRAY_SIZE(features); i++) {
    if (features[i].needs & lacks) continue;
    if (features[i].how == CLANG) strcat(strcat(list, ",+"), features[i].name);
    /* A feature's macro is defined for 3.0 by us, and for 2.0 by clang's header. */
    if (features[i].how == DEFINE_ALWAYS ||
        (features[i].how == DEFINE && c_version >= (features[i].is_feature ? 300 : 200)))
      mpl_args_addf(args, "-D%s=1", features[i].name);
  }
  if (!(lacks & MPL_OFFERS_IMAGES)) mpl_args_add(args, "-D__IMAGE_SUPPORT__=1");
  /* Lets kernels take the pointer classes of <opencl_memory>, which turns it on by a pragma. */
  if (source->language != MPL_OPENCL_C)
    strcat(list, ",+__cl_clang_non_portable_kernel_param_types");
  mpl_args_add(args, "-Xclang");
  mpl_args_add(args, list);
}

/* The library of OpenCL C++; after the user's folders. */
static void add_cxx_headers(struct mpl_args *args, const struct mpl_source_options *source) {
  if (source->language == MPL_OPENCL_C) return;
  mpl_args_addf(args, "-I%s", mpl_tools()->cxx_headers);
  mpl_args_add(args, "-fdeclspec"); /* for members of the library's that look like variables */
  mpl_args_add(args, "-Xclang");
  mpl_args_add(args, "-fno-rtti"); /* virtual inheritance needs nothing of a C++ run time then */
  if (source->language != MPL_OPENCL_CXX) return;
  mpl_args_add(args, "-Wno-opencl-unsupported-rgba"); /* OpenCL C++ has had v.rgb from the start */
  mpl_args_add(args, "-include");
  mpl_args_addf(args, "%s/maniple/language.h", mpl_tools()->cxx_headers);
}

static void add_all(struct mpl_args *args, const char *const *list, size_t count) {
  for (size_t i = 0; i < count; i++) mpl_args_add(args, list[i]);
}

static void add_source_flags(struct mpl_args *args, const struct mpl_source_options *source,
                             uint32_t lacks, const char *header_folder) {
  static const char *const flags[] = {
      "-Xclang",
      "-ffake-address-space-map", /* address spaces stay visible in the IR */
      "-Xclang",
      "-fdeclare-opencl-builtins",
      "-Xclang",
      "-finclude-default-header",
      "-DCL_VERSION_3_1=310",
      "-nostdlibinc",        /* the host's C headers are not OpenCL's */
      "-fno-use-cxa-atexit", /* the pass `lifetime` finds the object of each destructor */
      "-fvisibility=hidden",
      "-Wno-error=ignored-pragmas", /* log_pragmas.c takes those out that are none */
  };
  mpl_args_addf(args, "-cl-std=%s", source->standard);
  mpl_args_addf(args, "-D__OPENCL_VERSION__=%d", MPL_CL_VERSION(~lacks));
  if (source->c_version > 300) { /* newer than clang */
    mpl_args_add(args, "-U__OPENCL_C_VERSION__");
    mpl_args_addf(args, "-D__OPENCL_C_VERSION__=%d", source->c_version);
  }
  add_all(args, flags, ARRAY_SIZE(flags));
  add_features(args, source, lacks);
  mpl_args_add(args, "-include");
  mpl_args_add(args, mpl_tools()->header);
  /* Kernel arguments' names cost little and every tool wants them. */
  mpl_args_add(args, "-cl-kernel-arg-info");
  if (source->debug) { /* with -gembed-source the assembler refuses other modules' line tables */
    mpl_args_add(args, "-gdwarf-4"); /* perf's and valgrind's readers go wrong in clang's version 5 */
    mpl_args_add(args, "-fdebug-prefix-map=" MPL_SOURCE_PATH "=" MPL_SOURCE_NAME);
  }
  if (!source->debug && mpl_option_number(MPL_OPTION_CHECK)) /* messages show lines of programs given as text */
    add_all(args, (const char *const[]){"-Xclang", "-gembed-source"}, 2);
  if (header_folder[0]) mpl_args_addf(args, "-I%s", header_folder);
}

/* The processor: this one, or a GPU of which the job's target says "nvptx sm_80 ptx70". */
static void add_processor(struct mpl_args *args, const char *target) {
  static const char *const host[] = {
#if defined(__x86_64__)
      "--target=x86_64-pc-linux-gnu",
      "-march=native",
#if MPL_LLVM_NUMBER < 21
      "-mno-avx10.1-256", /* a virtual machine's, beside AVX-512, which clang warns of */
#endif                    /* and from 21 on it warns of the option */
      /* Masks in general registers are bits that a kernel counts and shifts: moving them to those of
       * masks changed no kernel of bench/kernels, and the search for it takes 1.5 % of the time. */
      "-mllvm",
      "-disable-x86-domain-reassignment",
#elif defined(__aarch64__)
      "--target=aarch64-pc-linux-gnu",
      "-mcpu=native",
      "-fsigned-char",        /* OpenCL C, 6.3.1, whatever the host's C does */
      "-mno-outline-atomics", /* their functions are in no shared library */
#else
#error "no target triple for this processor"
#endif
      "-fPIC",
      "-fstack-size-section", /* what each function needs of the stack, for cpu/stack.c */
      "-mrecip=none", /* estimates miss the 2.5 ULP that relaxed math leaves to a division */
  };
  static const char *const gpu[] = {
#define MPL_CLANG_GPU_OPTION(option) option,
#include "tables/clang_options.def"
  };
  char chip[32], version[32];
  if (!mpl_is_nvptx(target)) {
    add_all(args, host, ARRAY_SIZE(host));
    return;
  }
  if (sscanf(target, MPL_NVPTX "%31s %31s", chip, version) != 2) abort();
  add_all(args, gpu, ARRAY_SIZE(gpu));
  mpl_args_addf(args, "-march=%s", chip);
  mpl_args_addf(args, "--cuda-feature=+%s", version); /* else that of whatever CUDA clang finds */
}

/* Options of both front ends, source and bitcode. */
static void add_common_flags(struct mpl_args *args, const char *target,
                             const struct mpl_source_options *source) {
  static const char *const flags[] = {
#define MPL_CLANG_OPTION(who, option) option,
#include "tables/clang_options.def"
  };
  add_processor(args, target);
  add_all(args, flags, ARRAY_SIZE(flags));
  if (source->by_item)
    add_all(args, (const char *const[]){"-O0", "-Xclang", "-disable-O0-optnone"}, 3);
  else
    mpl_args_add(args, source->no_optimize ? "-O1" : "-O3");
}

void mpl_clang_command(const struct mpl_compile_job *job, const struct mpl_args *options,
                       const struct mpl_source_options *source, const char *header_folder,
                       struct mpl_args *out) {
  bool from_source = job->input == MPL_INPUT_SOURCE;
  mpl_args_add(out, mpl_tools()->clang);
  add_common_flags(out, job->target, source);
  if (from_source) {
    add_source_flags(out, source, job->lacks, header_folder);
    mpl_args_addf(out, "-MMD");
    mpl_args_add(out, "-MF");
    mpl_args_addf(out, "/proc/self/fd/%d", MPL_FD_DEPENDENCIES);
  }
  for (size_t i = 0; i < options->count; i++) mpl_args_add(out, options->list[i]);
  if (from_source) add_cxx_headers(out, source);
  if (from_source) /* last, so that it has the last word */
    mpl_args_split(out, mpl_option_text(MPL_OPTION_BUILD_OPTIONS));
  for (size_t i = 1; !from_source && i < job->num_inputs; i++) {
    mpl_args_add(out, "-Xclang");
    mpl_args_add(out, "-mlink-bitcode-file");
    mpl_args_add(out, "-Xclang");
    mpl_args_addf(out, "/proc/self/fd/%d", MPL_FD_BITCODE + (int)i);
  }
  /* Our passes, which also link the built-in library, run when an object is made; bitcode is only
   * mended by the plugin (lifetime.c). */
  mpl_args_addf(out, "-fpass-plugin=%s", mpl_tools()->plugin);
  if (job->output == MPL_OUTPUT_BITCODE) {
    mpl_args_add(out, "-emit-llvm");
    mpl_args_add(out, "-Xclang");
    mpl_args_add(out, "-disable-llvm-passes"); /* optimised when linked */
  }
  bool is_text = mpl_is_nvptx(job->target) && job->output == MPL_OUTPUT_OBJECT;
  mpl_args_add(out, is_text ? "-S" : "-c");
  mpl_args_add(out, "-x");
  mpl_args_add(out, from_source ? "cl" : "ir");
  if (from_source) {
    mpl_args_add(out, "-iquote."); /* what stands beside a source without a name */
    mpl_args_add(out, "-fmacro-prefix-map=" MPL_SOURCE_PATH "=" MPL_SOURCE_NAME);
    mpl_args_add(out, "-fdebug-compilation-dir=."); /* else names lose what they share with it */
    mpl_args_add(out, MPL_SOURCE_PATH);
  } else
    mpl_args_addf(out, "/proc/self/fd/%d", MPL_FD_BITCODE);
  mpl_args_add(out, "-o-");
}

void mpl_link_command(struct mpl_args *out) {
  static const char *const libraries[] = {"libm.so.6", "libc.so.6", "libgcc_s.so.1"};
  const struct mpl_tools *tools = mpl_tools();
  mpl_args_add(out, tools->linker);
  mpl_args_add(out, "-shared");
  mpl_args_add(out, "-Bsymbolic"); /* a kernel's function is never one of the application's */
  mpl_args_add(out, "-zdefs");
  mpl_args_add(out, "-znoseparate-code"); /* fewer pages to load */
  mpl_args_add(out, "--hash-style=gnu");
  mpl_args_add(out, "/proc/self/fd/0");
  mpl_args_add(out, "--as-needed");
  for (size_t i = 0; tools->libraries[0] && i < ARRAY_SIZE(libraries); i++) {
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s", tools->libraries, libraries[i]) < PATH_MAX &&
        access(path, R_OK) == 0)
      mpl_args_add(out, path);
  }
  /* LLVM's linker knows "-", and would put a file beside any other path; GNU's takes the path. */
  mpl_args_add(out, strstr(tools->linker, "lld") ? "-o-" : "-o/proc/self/fd/1");
}
