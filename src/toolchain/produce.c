#include "produce.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/options.h"
#include "runtime/print/log.h"
#include "runtime/trace/trace.h"
#include "toolchain/cache/cache.h"

static void add_text(struct mpl_hasher *hasher, const char *text) {
  mpl_hash_add_item(hasher, text ? text : "", text ? strlen(text) : 0);
}

/* Relative paths mean other files in another folder. */
static bool depends_on_folder(const struct mpl_compile_job *job, const char *more_options) {
  bool depends = job->input == MPL_INPUT_SOURCE &&
                 memmem(job->inputs->data, job->inputs->size, "include", 7);
  for (size_t i = 0; i < job->num_headers; i++)
    depends |= memmem(job->headers[i].text, job->headers[i].size, "include", 7) != NULL;
  return depends || strstr(more_options, "-include");
}

static void make_key(const struct mpl_compile_job *job, const char *target,
                     enum mpl_binary_kind kind, struct mpl_cache_key *key) {
  const uint64_t numbers[] = {kind,
                              job->options_for,
                              job->num_headers,
                              job->num_inputs,
                              job->num_constants,
                              job->input,
                              job->filters,
                              mpl_option_number(MPL_OPTION_SUBGROUP_SIZE),
                              mpl_option_number(MPL_OPTION_CHECK),
                              mpl_option_number(MPL_OPTION_CHECK_MEMORY),
                              mpl_option_number(MPL_OPTION_TRACE_GROUPS),
                              mpl_option_number(MPL_OPTION_VECTOR_WIDTH),
                              mpl_option_number(MPL_OPTION_INLINED_PIXELS),
                              mpl_option_number(MPL_OPTION_CODE_ECONOMY)};
  const char *more_options = mpl_option_text(MPL_OPTION_BUILD_OPTIONS);
  char here[PATH_MAX];
  struct mpl_hasher hasher;
  mpl_hash_begin(&hasher);
  mpl_hash_add(&hasher, numbers, sizeof numbers);
  add_text(&hasher, mpl_compiler_identity());
  add_text(&hasher, target);
  add_text(&hasher, job->options);
  add_text(&hasher, more_options);
  for (size_t i = 0; i < job->num_headers; i++) {
    add_text(&hasher, job->headers[i].name);
    mpl_hash_add_item(&hasher, job->headers[i].text, job->headers[i].size);
  }
  for (size_t i = 0; i < job->num_constants; i++) {
    const uint64_t constant[] = {job->constants[i].number, job->constants[i].bits};
    mpl_hash_add(&hasher, constant, sizeof constant);
  }
  for (size_t i = 0; i < job->num_inputs; i++)
    mpl_hash_add_item(&hasher, job->inputs[i].data, job->inputs[i].size);
  if (depends_on_folder(job, more_options) && getcwd(here, sizeof here)) add_text(&hasher, here);
  mpl_hash_end(&hasher, key->bytes);
}

/* <MANIPLE_DUMP>/<first digits of the key>: each program has its own folder. */
static const char *dump_folder(const struct mpl_cache_key *key, char folder[PATH_MAX]) {
  const char *parent = mpl_option_text(MPL_OPTION_DUMP);
  if (!*parent) return NULL;
  snprintf(folder, PATH_MAX, "%s/.", parent); /* a file is none */
  if ((mkdir(parent, 0777) && errno != EEXIST) || access(folder, W_OK | X_OK)) {
    mpl_log_always("MANIPLE_DUMP=%s: nothing is kept there: %s", parent, strerror(errno));
    return NULL;
  }
  const uint8_t *b = key->bytes;
  int n = snprintf(folder, PATH_MAX, "%s/%02x%02x%02x%02x", parent, b[0], b[1], b[2], b[3]);
  return n < PATH_MAX ? folder : NULL;
}

static void pack(struct mpl_compile_answer *answer, const char *target, enum mpl_binary_kind kind,
                 struct mpl_product *product) {
  struct mpl_binary binary = {
      .kind = kind, .payload = answer->output, .payload_size = answer->output_size};
  product->binary = mpl_binary_pack(&binary, target, &product->binary_size);
  if (!product->binary) product->result = MPL_COMPILER_BROKEN;
}

static bool find_cached(const struct mpl_cache_key *key, const char *target,
                        struct mpl_product *product) {
  struct mpl_cache_entry entry;
  struct mpl_binary binary;
  const char *why;
  if (!mpl_cache_find(key, &entry)) return false;
  if (!mpl_binary_unpack(entry.binary, entry.binary_size, target, &binary, &why)) {
    mpl_cache_entry_free(&entry);
    return false;
  }
  product->log = entry.log;
  product->binary = entry.binary;
  product->binary_size = entry.binary_size;
  return true;
}

static void produce(const struct mpl_compile_job *asked, const char *target,
                    enum mpl_binary_kind kind, struct mpl_product *product) {
  struct mpl_compile_job job = *asked;
  struct mpl_compile_answer answer;
  struct mpl_cache_key key;
  struct mpl_cache_entry entry;
  char folder[PATH_MAX];
  *product = (struct mpl_product){.result = MPL_COMPILED};
  job.target = target;
  job.output = kind == MPL_BINARY_EXECUTABLE ? MPL_OUTPUT_OBJECT : MPL_OUTPUT_BITCODE;
  make_key(&job, target, kind, &key);
  job.dump_dir = dump_folder(&key, folder);
  uint64_t start = mpl_trace_begin();
  bool is_cached = !job.dump_dir && find_cached(&key, target, product);
  if (mpl_tracing()) mpl_trace_build("look into the cache", start, product->binary_size);
  if (is_cached) return;
  bool waited = false;
  int claim = job.dump_dir ? -1 : mpl_cache_claim(&key, &waited);
  if (waited && find_cached(&key, target, product)) {
    mpl_cache_unclaim(&key, claim);
    return;
  }
  mpl_compile(&job, &answer);
  product->result = answer.result;
  if (answer.result == MPL_COMPILED) pack(&answer, target, kind, product);
  if (product->result == MPL_COMPILED) {
    entry = (struct mpl_cache_entry){answer.log, product->binary, product->binary_size};
    start = mpl_trace_begin();
    mpl_cache_store(&key, &entry, answer.dependencies, answer.num_dependencies);
    if (mpl_tracing()) mpl_trace_build("keep in the cache", start, product->binary_size);
  }
  mpl_cache_unclaim(&key, claim);
  product->log = answer.log;
  answer.log = NULL;
  mpl_compile_free(&answer);
}

void mpl_produce(const struct mpl_compile_job *job, const char *target, enum mpl_binary_kind kind,
                 struct mpl_product *product) {
  static const char *const labels[] = {[MPL_INPUT_SOURCE] = "build",
                                       [MPL_INPUT_BITCODE] = "link",
                                       [MPL_INPUT_SPIRV] = "build SPIR-V"};
  uint64_t start = mpl_trace_start() ? mpl_clock() : 0;
  produce(job, target, kind, product);
  if (mpl_tracing()) mpl_trace_build(labels[job->input], start, product->binary_size);
}
