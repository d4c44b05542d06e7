/* A grid with its times: a graph of an event, the grid and another event.  Making one takes longer
 * than a launch, so they are kept, and their grids changed. */
#include <stdatomic.h>
#include <stdlib.h>

#include "cuda.h"
#include "runtime/errors.h"

enum { MOST_KEPT = 256 };

struct mpl_cuda_timed {
  struct mpl_cuda *cuda;
  struct mpl_cuda_timed *next; /* of those that nobody uses */
  atomic_uint users;
  CUevent events[2];
  CUgraph graph;
  CUgraphNode node; /* the grid's */
  CUgraphExec made; /* null before the first launch */
  unsigned unloads; /* of the device's modules, when it was launched */
};

static void destroy(struct mpl_cuda_timed *timed) {
  const struct mpl_cuda_driver *driver = timed->cuda->driver;
  if (mpl_cuda_enter(timed->cuda)) {
    if (timed->made) driver->graph_forget(timed->made);
    if (timed->graph) driver->graph_destroy(timed->graph);
    for (unsigned i = 0; i < 2; i++)
      if (timed->events[i]) driver->event_destroy(timed->events[i]);
  }
  free(timed);
}

struct mpl_cuda_timed *mpl_cuda_timed_get(struct mpl_cuda *cuda) {
  pthread_mutex_lock(&cuda->timed_lock);
  struct mpl_cuda_timed *timed = cuda->timed;
  if (timed) {
    cuda->timed = timed->next;
    cuda->num_timed--;
  }
  pthread_mutex_unlock(&cuda->timed_lock);
  if (timed && timed->unloads != atomic_load(&cuda->unloads)) { /* its function may be gone */
    destroy(timed);
    timed = NULL;
  }
  if (!timed) timed = calloc(1, sizeof *timed);
  if (!timed) return NULL;
  timed->cuda = cuda;
  atomic_store(&timed->users, 2);
  return timed;
}

static bool make(struct mpl_cuda_timed *timed, const struct mpl_cuda_grid *grid) {
  const struct mpl_cuda_driver *driver = timed->cuda->driver;
  CUgraphNode begin, end;
  return !driver->event_create(&timed->events[0], 0) &&
         !driver->event_create(&timed->events[1], 0) && !driver->graph_create(&timed->graph, 0) &&
         !driver->graph_add_record(&begin, timed->graph, NULL, 0, timed->events[0]) &&
         !driver->graph_add_kernel(&timed->node, timed->graph, &begin, 1, grid) &&
         !driver->graph_add_record(&end, timed->graph, &timed->node, 1, timed->events[1]) &&
         !driver->graph_instantiate(&timed->made, timed->graph, 0);
}

int mpl_cuda_timed_launch(struct mpl_cuda_timed *timed, const struct mpl_cuda_grid *grid,
                          CUstream stream) {
  const struct mpl_cuda_driver *driver = timed->cuda->driver;
  timed->unloads = atomic_load(&timed->cuda->unloads);
  bool good =
      timed->made ? !driver->graph_set_kernel(timed->made, timed->node, grid) : make(timed, grid);
  return good && !driver->graph_launch(timed->made, stream) ? 0 : MPL_OUT_OF_RESOURCES;
}

CUevent mpl_cuda_timed_event(const struct mpl_cuda_timed *timed, bool end) {
  return timed->events[end];
}

void mpl_cuda_timed_drop(struct mpl_cuda_timed *timed) {
  struct mpl_cuda *cuda = timed->cuda;
  if (atomic_fetch_sub(&timed->users, 1) > 1) return;
  pthread_mutex_lock(&cuda->timed_lock);
  bool kept = timed->made && cuda->num_timed < MOST_KEPT;
  if (kept) {
    timed->next = cuda->timed;
    cuda->timed = timed;
    cuda->num_timed++;
  }
  pthread_mutex_unlock(&cuda->timed_lock);
  if (!kept) destroy(timed);
}
