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

static void make_key(const struct mpl_compile_job *job, enum mpl_binary_kind kind,
                     struct mpl_cache_key *key) {
  const uint64_t numbers[] = {kind,
                              job->options_for,
                              job->num_headers,
                              job->num_inputs,
                              job->num_constants,
                              job->input,
                              job->filters,
                              mpl_option_number(MPL_OPTION_SUBGROUP_SIZE),
                              mpl_option_checks(),
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
  add_text(&hasher, job->target);
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

static bool find_cached(const struct mpl_cache_key *key, const char *target, char **log,
                        struct mpl_container *program) {
  struct mpl_cache_entry entry;
  const char *why;
  if (!mpl_cache_find(key, &entry)) return false;
  if (!mpl_binary_unpack(entry.binary, entry.binary_size, target, &program->holds, &why)) {
    mpl_cache_entry_free(&entry);
    return false;
  }
  *log = entry.log;
  program->data = entry.binary;
  program->size = entry.binary_size;
  return true;
}

/* Compiles, and keeps the result. */
static enum mpl_compile_result make(const struct mpl_compile_job *job, enum mpl_binary_kind kind,
                                    const struct mpl_cache_key *key, char **log,
                                    struct mpl_container *program) {
  struct mpl_compile_answer answer;
  mpl_compile(job, &answer);
  enum mpl_compile_result result = answer.result;
  struct mpl_binary binary = {kind, answer.output, answer.output_size};
  if (result == MPL_COMPILED && !mpl_binary_pack(&binary, job->target, program))
    result = MPL_COMPILER_BROKEN;
  if (result == MPL_COMPILED) {
    struct mpl_cache_entry entry = {answer.log, program->data, program->size};
    uint64_t start = mpl_trace_begin();
    mpl_cache_store(key, &entry, answer.dependencies, answer.num_dependencies);
    if (mpl_tracing()) mpl_trace_build("keep in the cache", start, program->size);
  }
  *log = answer.log;
  answer.log = NULL;
  mpl_compile_free(&answer);
  return result;
}

static enum mpl_compile_result produce(const struct mpl_compile_job *job, enum mpl_binary_kind kind,
                                       const struct mpl_cache_key *key, char **log,
                                       struct mpl_container *program) {
  if (job->dump_dir) return make(job, kind, key, log, program);
  uint64_t start = mpl_trace_begin();
  bool is_cached = find_cached(key, job->target, log, program), waited = false;
  if (mpl_tracing()) mpl_trace_build("look into the cache", start, program->size);
  if (is_cached) return MPL_COMPILED;
  int claim = mpl_cache_claim(key, &waited);
  is_cached = waited && find_cached(key, job->target, log, program);
  enum mpl_compile_result result =
      is_cached ? MPL_COMPILED : make(job, kind, key, log, program);
  mpl_cache_unclaim(key, claim);
  return result;
}

/* One of the two: the program, or its filters. */
static enum mpl_compile_result produce_one(struct mpl_compile_job *job, enum mpl_binary_kind kind,
                                           char **log, struct mpl_container *program) {
  static const char *const labels[] = {[MPL_INPUT_SOURCE] = "build",
                                       [MPL_INPUT_BITCODE] = "link",
                                       [MPL_INPUT_SPIRV] = "build SPIR-V"};
  struct mpl_cache_key key;
  char folder[PATH_MAX];
  uint64_t start = mpl_trace_start() ? mpl_clock() : 0;
  make_key(job, kind, &key);
  job->dump_dir = dump_folder(&key, folder);
  *program = (struct mpl_container){0};
  enum mpl_compile_result result = produce(job, kind, &key, log, program);
  if (mpl_tracing()) mpl_trace_build(labels[job->input], start, program->size);
  return result;
}

void mpl_produce(const struct mpl_compile_job *asked, const char *target, enum mpl_binary_kind kind,
                 bool with_filters, struct mpl_product *product) {
  struct mpl_compile_job job = *asked;
  char *log;
  job.target = target;
  job.output = kind == MPL_BINARY_EXECUTABLE ? MPL_OUTPUT_OBJECT : MPL_OUTPUT_BITCODE;
  job.filters = false;
  *product = (struct mpl_product){0};
  product->result = produce_one(&job, kind, &product->log, &product->program);
  if (!with_filters || product->result != MPL_COMPILED || kind != MPL_BINARY_EXECUTABLE) return;
  if (strstr(job.options, "-cl-opt-disable")) return; /* filters are vector code */
  job.filters = true;
  produce_one(&job, kind, &log, &product->filters);
  free(log); /* says the same once more, or what filters alone lack: then all is checked */
}
