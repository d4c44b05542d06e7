/* The driver's functions that the CUDA device calls (tables/cuda_driver.def), over the host's
 * memory. A command is done when it is given. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cuda/driver.h"
#include "twin.h"

enum { INVALID = 1, NOT_FOUND = 500 };
struct CUctx_st {
  int unused;
};
struct CUmod_st {
  struct twin_module *module;
};
struct CUfunc_st {
  struct twin_function function;
};
struct CUstream_st {
  int unused;
};
struct CUevent_st {
  double at;
}; /* ms */
struct CUgraphNode_st {
  CUevent event;
  struct mpl_cuda_grid grid;
  CUgraph graph;
  CUgraphNode *before, next; /* next: what was added before it */
  size_t count;              /* of `before` */
  unsigned runs;             /* how many launches it has been run in */
};
struct CUgraph_st {
  CUgraphNode last;
  unsigned launches;
};
struct CUgraphExec_st {
  CUgraph graph;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct CUctx_st the_context;

#define SEEN_NEEDED "default"
#ifdef TWIN_OLD /* has nothing that is optional */
#define SEEN_OPTIONAL "hidden"
#else
#define SEEN_OPTIONAL "default"
#endif
#define MPL_CUDA(name, symbol, need, parameters)                                                   \
  int twin_##name parameters __asm__(symbol) __attribute__((visibility(SEEN_##need)));
#include "tables/cuda_driver.def"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

int twin_init(unsigned flags) {
  return 0;
}
int twin_error_name(int error, const char **name) {
  *name = "an error of the twin's";
  return 0;
}
int twin_device_count(int *count) {
  *count = 1;
  return 0;
}
int twin_device_get(int *device, int ordinal) {
  *device = ordinal;
  return 0;
}
int twin_device_name(char *name, int length, int device) {
  strncpy(name, "twin", (size_t)length);
  return 0;
}
int twin_device_attribute(int *value, int attribute, int device) {
  enum { CLOCK = 13, PROCESSORS = 16, CACHE = 38, MAJOR = 75, MINOR = 76, MOST_SHARED = 97 };
  *value = attribute == CLOCK         ? 1000000
           : attribute == PROCESSORS  ? 4
           : attribute == CACHE       ? 1 << 20
           : attribute == MAJOR       ? 9
           : attribute == MOST_SHARED ? 227 << 10
                                      : 0;
  return 0;
}
int twin_device_memory(size_t *bytes, int device) {
  *bytes = 1ull << 30;
  return 0;
}
int twin_context_flags(int device, unsigned flags) {
  return 0;
}
int twin_context_retain(CUcontext *context, int device) {
  *context = &the_context;
  return 0;
}
int twin_context_set(CUcontext context) {
  return 0;
}

/* --- Programs --- */

int twin_module_load(CUmodule *module, const void *image, unsigned count, int *options,
                     void **values) {
  *module = calloc(1, sizeof **module);
  (*module)->module = twin_read(image);
  return 0;
}
int twin_module_unload(CUmodule module) {
  return 0;
} /* small, and a test's */
int twin_module_function(CUfunction *function, CUmodule module, const char *name) {
  for (size_t i = 0; i < module->module->num_functions; i++)
    if (!strcmp(module->module->functions[i]->name, name)) {
      *function = (CUfunction)module->module->functions[i];
      return 0;
    }
  return NOT_FOUND;
}
int twin_function_attribute(int *value, int attribute, CUfunction f) {
  enum { STATIC_SHARED = 1, LOCAL_BYTES = 3, REGISTERS = 4 };
  *value = attribute == STATIC_SHARED ? (int)f->function.shared_size
           : attribute == LOCAL_BYTES ? (int)f->function.local_size
           : attribute == REGISTERS   ? 32
                                      : 1024;
  return 0;
}
int twin_function_set(CUfunction function, int attribute, int value) {
  return 0;
}

static int run(CUfunction f, const unsigned grid[3], const unsigned block[3], unsigned shared,
               void **extra) {
  if ((uintptr_t)extra[0] != 1 || (uintptr_t)extra[2] != 2) return INVALID;
  pthread_mutex_lock(&lock);
  twin_run(&f->function, grid, block, shared, extra[1], *(size_t *)extra[3]);
  pthread_mutex_unlock(&lock);
  return 0;
}
int twin_launch(CUfunction f, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                unsigned block_y, unsigned block_z, unsigned shared, CUstream stream,
                void **parameters, void **extra) {
  return run(f, (unsigned[]){grid_x, grid_y, grid_z}, (unsigned[]){block_x, block_y, block_z},
             shared, extra);
}

/* --- Graphs: what is added last is done first, but for what it has to wait for --- */

int twin_graph_create(CUgraph *graph, unsigned flags) {
  *graph = calloc(1, sizeof **graph);
  return 0;
}
int twin_graph_destroy(CUgraph graph) {
  return 0;
}
/* Null if it is to be behind what is not of this graph. */
static CUgraphNode add(CUgraph graph, const CUgraphNode *before, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!before[i] || before[i]->graph != graph) return NULL;
  CUgraphNode node = calloc(1, sizeof *node);
  *node = (struct CUgraphNode_st){.graph = graph, .next = graph->last, .count = count};
  node->before = calloc(count + 1, sizeof *before);
  for (size_t i = 0; i < count; i++) node->before[i] = before[i];
  return graph->last = node;
}
/* The driver copies a node's parameters. */
static void set_grid(CUgraphNode node, const struct mpl_cuda_grid *grid) {
  size_t size = *(size_t *)grid->extra[3], *kept_size = malloc(sizeof size);
  void *bytes = malloc(size), **extra = calloc(5, sizeof *extra);
  memcpy(bytes, grid->extra[1], size);
  *kept_size = size;
  extra[0] = (void *)1;
  extra[1] = bytes;
  extra[2] = (void *)2;
  extra[3] = kept_size;
  node->grid = *grid;
  node->grid.extra = extra;
}
int twin_graph_add_record(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count,
                          CUevent event) {
  if (!(*node = add(graph, before, count))) return INVALID;
  (*node)->event = event;
  return 0;
}
int twin_graph_add_kernel(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count,
                          const struct mpl_cuda_grid *grid) {
  if (!(*node = add(graph, before, count))) return INVALID;
  set_grid(*node, grid);
  return 0;
}
int twin_graph_instantiate(CUgraphExec *made, CUgraph graph, unsigned long long flags) {
  *made = calloc(1, sizeof **made);
  (*made)->graph = graph;
  return 0;
}
int twin_graph_set_kernel(CUgraphExec made, CUgraphNode node, const struct mpl_cuda_grid *grid) {
  if (node->graph != made->graph || node->event) return INVALID;
  set_grid(node, grid);
  return 0;
}
/* Null once all have been run. */
static CUgraphNode next_to_run(CUgraph graph) {
  for (CUgraphNode n = graph->last; n; n = n->next) {
    bool waits = n->runs == graph->launches;
    for (size_t i = 0; i < n->count; i++) waits |= n->before[i]->runs != graph->launches;
    if (!waits) return n;
  }
  return NULL;
}
static int run_graph(CUgraph graph) {
  graph->launches++;
  for (CUgraphNode n; (n = next_to_run(graph)); n->runs++) {
    if (n->event)
      n->event->at = now();
    else if (run(n->grid.function, n->grid.grid, n->grid.block, n->grid.shared, n->grid.extra))
      return INVALID;
  }
  return 0;
}
int twin_graph_launch(CUgraphExec made, CUstream stream) {
  static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&one);
  int error = run_graph(made->graph);
  pthread_mutex_unlock(&one);
  return error;
}
int twin_graph_forget(CUgraphExec made) {
  return 0;
}

/* --- Memory --- */

int twin_allocate(CUdeviceptr *address, size_t size) {
  *address = (uintptr_t)aligned_alloc(256, (size + 255) / 256 * 256);
  return *address ? 0 : MPL_CUDA_OUT_OF_MEMORY;
}
int twin_release(CUdeviceptr address) {
  free((void *)(uintptr_t)address);
  return 0;
}
int twin_host_allocate(void **address, size_t size, unsigned flags) {
  return twin_allocate((CUdeviceptr *)address, size);
}
int twin_host_release(void *address) {
  return twin_release((uintptr_t)address);
}
int twin_copy_in(CUdeviceptr to, const void *from, size_t size, CUstream stream) {
  memmove((void *)(uintptr_t)to, from, size);
  return 0;
}
int twin_copy_out(void *to, CUdeviceptr from, size_t size, CUstream stream) {
  memmove(to, (void *)(uintptr_t)from, size);
  return 0;
}
int twin_copy_within(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream) {
  return twin_copy_in(to, (void *)(uintptr_t)from, size, stream);
}
int twin_copy_rows(const struct mpl_cuda_rows *r, CUstream stream) {
  const char *from =
      r->from_type == MPL_CUDA_HOST ? r->from_host : (void *)(uintptr_t)r->from_device;
  char *to = r->to_type == MPL_CUDA_HOST ? r->to_host : (void *)(uintptr_t)r->to_device;
  if (r->width > r->from_pitch || r->width > r->to_pitch) return INVALID;
  for (size_t y = 0; y < r->height; y++)
    memmove(to + y * r->to_pitch, from + y * r->from_pitch, r->width);
  return 0;
}
#define FILL(bits, T, name)                                                                        \
  int twin_fill_##bits(CUdeviceptr to, T value, size_t count, CUstream stream) {                   \
    for (size_t i = 0; i < count; i++)                                                             \
      memcpy((char *)(uintptr_t)to + i * sizeof value, &value, sizeof value);                      \
    return 0;                                                                                      \
  }
FILL(8, unsigned char, )
FILL(16, unsigned short, )
FILL(32, unsigned, )
int twin_fill_rows_8(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height,
                     CUstream stream) {
  for (size_t y = 0; y < height; y++) memset((char *)(uintptr_t)to + y * pitch, value, width);
  return 0;
}

/* --- Streams and events --- */

int twin_stream_create(CUstream *stream, unsigned flags) {
  *stream = calloc(1, sizeof **stream);
  return 0;
}
int twin_stream_destroy(CUstream stream) {
  free(stream);
  return 0;
}
int twin_stream_wait(CUstream stream) {
  return 0;
}
int twin_stream_wait_event(CUstream stream, CUevent event, unsigned flags) {
  return 0;
}
int twin_event_create(CUevent *event, unsigned flags) {
  *event = calloc(1, sizeof **event);
  return 0;
}
int twin_event_destroy(CUevent event) {
  free(event);
  return 0;
}
int twin_event_record(CUevent event, CUstream stream) {
  event->at = now();
  return 0;
}
int twin_event_query(CUevent event) {
  return 0;
}
int twin_event_wait(CUevent event) {
  return 0;
}
int twin_event_elapsed(float *milliseconds, CUevent begin, CUevent end) {
  *milliseconds = (float)(end->at - begin->at);
  return 0;
}
