/* Kernels for the local size at hand, and for few groups.  A kernel whose work-items meet, or that has
 * use for more registers, is compiled again for a shape, by a thread of its own, once the shape has
 * come often enough and the driver may load it (quiet.c); until then the variant for all sizes
 * runs. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cuda.h"
#include "runtime/options.h"
#include "runtime/print/log.h"
#include "runtime/threads/fork.h"

enum { MOST_VARIANTS = 16, OFTEN = 2 /* launches */ };

struct variant {
  struct mpl_cuda_shape shape;
  unsigned launches;
  enum { NOT_MADE, IN_WORK, MADE, REFUSED } state;
  struct mpl_cuda_code code;
};

struct mpl_cuda_kernel {
  struct mpl_module *module;
  int index; /* in the module's table */
  CUfunction any_size;
  bool varies; /* with the local size */
  bool goes;   /* it is not worth waiting any more */
  unsigned often;
  unsigned count;
  struct variant variants[MOST_VARIANTS];
  struct variant deep; /* of all deep groups (specialise.c) */
};

/* Of all kernels: what is in work is waited for before a module goes, and before the process ends,
 * since the driver goes then. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static unsigned in_work;
static bool over;
static unsigned forks; /* mpl_generation() of the process that compiles */

/* Neither the threads nor the driver's contexts are there in a child of fork(). */
static bool is_child(void) {
  return forks != mpl_generation();
}

static void end_all(void) {
  if (is_child()) return;
  pthread_mutex_lock(&lock);
  over = true;
  while (in_work) pthread_cond_wait(&ended, &lock);
  pthread_mutex_unlock(&lock);
}

static void wait_at_exit(void) {
  forks = mpl_generation();
  atexit(end_all); /* registered behind the driver's, so before it */
}

struct mpl_cuda_kernel *mpl_cuda_kernel_create(struct mpl_module *module, int index,
                                               CUfunction any_size, bool varies, bool required) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  const char *when = mpl_option_text(MPL_OPTION_CUDA_SPECIALISE);
  struct mpl_cuda_kernel *kernel = calloc(1, sizeof *kernel);
  if (!kernel) return NULL;
  pthread_once(&once, wait_at_exit);
  kernel->module = module;
  kernel->index = index;
  kernel->any_size = any_size;
  kernel->varies = varies && strcmp(when, "0") != 0;
  kernel->often = !strcmp(when, "now") ? 0 : required ? 1 : OFTEN;
  return kernel;
}

static bool has_work(const struct mpl_cuda_kernel *kernel) {
  for (unsigned i = 0; i < kernel->count; i++)
    if (kernel->variants[i].state == IN_WORK) return true;
  return kernel->deep.state == IN_WORK;
}

void mpl_cuda_kernel_free(struct mpl_cuda_kernel *kernel) {
  if (!kernel || is_child()) return;
  pthread_mutex_lock(&lock);
  kernel->goes = true;
  while (has_work(kernel)) pthread_cond_wait(&ended, &lock);
  pthread_mutex_unlock(&lock);
  for (unsigned i = 0; i < kernel->count; i++)
    if (kernel->variants[i].state == MADE)
      mpl_cuda_uncompile(kernel->module, &kernel->variants[i].code);
  if (kernel->deep.state == MADE) mpl_cuda_uncompile(kernel->module, &kernel->deep.code);
  free(kernel);
}

struct job {
  struct mpl_cuda_kernel *kernel;
  struct variant *variant;
};

static bool is_wanted(const struct job *job) {
  pthread_mutex_lock(&lock);
  bool wanted = !over && !job->kernel->goes;
  pthread_mutex_unlock(&lock);
  return wanted;
}

/* Until the driver may load; false if it may not now and nobody `waits`, or it is too late. */
static bool begin_load(const struct job *job, bool waits) {
  const struct timespec a_while = {.tv_nsec = 500000};
  while (is_wanted(job)) {
    if (mpl_cuda_load_begin(mpl_cuda_of(job->kernel->module))) return true;
    if (!waits) return false;
    nanosleep(&a_while, NULL);
  }
  return false;
}

/* `waits`: the caller has time. */
static void make(const struct job *job, bool waits) {
  struct variant *v = job->variant;
  struct mpl_module *module = job->kernel->module;
  bool may = begin_load(job, waits);
  bool good = may && mpl_cuda_compile_for(module, job->kernel->index, &v->shape, &v->code);
  if (may) mpl_cuda_load_end(mpl_cuda_of(module));
  pthread_mutex_lock(&lock);
  v->state = good ? MADE : may ? REFUSED : NOT_MADE;
  in_work--;
  pthread_cond_broadcast(&ended);
  pthread_mutex_unlock(&lock);
}

static void *make_beside(void *data) {
  struct job job = *(struct job *)data;
  free(data);
  make(&job, true);
  return NULL;
}

static bool start_thread(const struct job *job) {
  pthread_t thread;
  struct job *copy = malloc(sizeof *copy);
  if (!copy) return false;
  *copy = *job;
  if (pthread_create(&thread, NULL, make_beside, copy)) {
    free(copy);
    return false;
  }
  pthread_detach(thread);
  return true;
}

/* With the lock held. */
static struct variant *find(struct mpl_cuda_kernel *kernel, const struct mpl_cuda_shape *shape) {
  for (unsigned i = 0; i < kernel->count; i++)
    if (!memcmp(&kernel->variants[i].shape, shape, sizeof *shape))
      return &kernel->variants[i];
  if (kernel->count == MOST_VARIANTS) return NULL;
  struct variant *v = &kernel->variants[kernel->count++];
  v->shape = *shape;
  return v;
}

CUfunction mpl_cuda_choose(struct mpl_cuda_kernel *kernel, const struct mpl_cuda_shape *shape) {
  if (!kernel->varies || is_child()) return kernel->any_size;
  pthread_mutex_lock(&lock);
  struct variant *v = find(kernel, shape);
  struct job job = {kernel, v};
  bool starts = v && v->state == NOT_MADE && ++v->launches >= kernel->often && !over;
  if (starts) {
    v->state = IN_WORK;
    in_work++;
  }
  pthread_mutex_unlock(&lock);
  if (starts && (!kernel->often || !start_thread(&job))) make(&job, false);
  pthread_mutex_lock(&lock);
  CUfunction chosen = v && v->state == MADE ? v->code.function : kernel->any_size;
  pthread_mutex_unlock(&lock);
  return chosen;
}

/* Nothing else can run such a group, so the launch waits, and the next one tries again. */
CUfunction mpl_cuda_choose_deep(struct mpl_cuda_kernel *kernel) {
  struct variant *v = &kernel->deep;
  if (is_child()) return NULL;
  pthread_mutex_lock(&lock);
  while (v->state == IN_WORK) pthread_cond_wait(&ended, &lock);
  bool starts = v->state == NOT_MADE && !over;
  if (starts) {
    v->state = IN_WORK;
    in_work++;
  }
  pthread_mutex_unlock(&lock);
  bool good = starts && mpl_cuda_compile_deep(kernel->module, kernel->index, &v->code);
  pthread_mutex_lock(&lock);
  if (starts) {
    v->state = good ? MADE : NOT_MADE;
    in_work--;
    pthread_cond_broadcast(&ended);
  }
  CUfunction chosen = v->state == MADE ? v->code.function : NULL;
  pthread_mutex_unlock(&lock);
  return chosen;
}
