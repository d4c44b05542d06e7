/* Graphs: what is added last is done first, but for what it has to wait for. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"

struct CUgraphNode_st {
  CUevent event;
  struct twin_grid grid;
  CUgraph graph;
  CUgraphNode *before, next; /* next: what was added before it */
  size_t count;              /* of `before` */
  unsigned runs;             /* how many launches it has been in */
};
struct CUgraph_st {
  CUgraphNode last;
  unsigned launches;
  bool destroyed;
};
struct CUgraphExec_st {
  CUgraph graph;
  struct twin_record *last; /* its last launch, which the next one waits for */
  bool destroyed;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int twin_graph_create(CUgraph *graph, unsigned flags) {
  TWIN_ENTER(graph_create);
  *graph = calloc(1, sizeof **graph);
  TWIN_COUNT(graphs, 1);
  return 0;
}
/* What was made of it stays. */
int twin_graph_destroy(CUgraph graph) {
  TWIN_ENTER(graph_destroy);
  if (graph->destroyed) twin_fail("a graph is destroyed twice");
  graph->destroyed = true;
  TWIN_COUNT(graphs, -1);
  return 0;
}

/* Null if it is to be behind what is not of this graph. */
static CUgraphNode add(CUgraph graph, const CUgraphNode *before, size_t count) {
  if (graph->destroyed) return NULL;
  for (size_t i = 0; i < count; i++)
    if (!before[i] || before[i]->graph != graph) return NULL;
  CUgraphNode node = calloc(1, sizeof *node);
  *node = (struct CUgraphNode_st){.graph = graph, .next = graph->last, .count = count};
  node->before = calloc(count + 1, sizeof *before);
  for (size_t i = 0; i < count; i++) node->before[i] = before[i];
  return graph->last = node;
}

int twin_graph_add_record(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count,
                          CUevent event) {
  TWIN_ENTER(graph_add_record);
  if (!(*node = add(graph, before, count))) return TWIN_INVALID;
  (*node)->event = event;
  return 0;
}

/* The driver copies a node's parameters. */
static int set_grid(CUgraphNode node, const struct mpl_cuda_grid *grid) {
  struct twin_grid made;
  int error = twin_grid(&made, grid->function, grid->grid, grid->block, grid->shared, grid->extra);
  if (error) return error;
  free(node->grid.parameters);
  node->grid = made;
  return 0;
}
int twin_graph_add_kernel(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count,
                          const struct mpl_cuda_grid *grid) {
  TWIN_ENTER(graph_add_kernel);
  if (!(*node = add(graph, before, count))) return TWIN_INVALID;
  return set_grid(*node, grid);
}
int twin_graph_instantiate(CUgraphExec *made, CUgraph graph, unsigned long long flags) {
  TWIN_ENTER(graph_instantiate);
  if (graph->destroyed) return TWIN_INVALID;
  *made = calloc(1, sizeof **made);
  (*made)->graph = graph;
  TWIN_COUNT(graphs, 1);
  return 0;
}
int twin_graph_set_kernel(CUgraphExec made, CUgraphNode node, const struct mpl_cuda_grid *grid) {
  TWIN_ENTER(graph_set_kernel);
  if (node->graph != made->graph || node->event) return TWIN_INVALID;
  pthread_mutex_lock(&lock);
  int error = set_grid(node, grid);
  pthread_mutex_unlock(&lock);
  return error;
}

/* Null once all have been in this launch. */
static CUgraphNode next_to_run(CUgraph graph) {
  for (CUgraphNode n = graph->last; n; n = n->next) {
    bool waits = n->runs == graph->launches;
    for (size_t i = 0; i < n->count; i++) waits |= n->before[i]->runs != graph->launches;
    if (!waits) return n;
  }
  return NULL;
}

static struct twin_command **put(struct twin_command **end, enum twin_what what) {
  *end = twin_command(what);
  return &(*end)->next;
}

/* As commands of the stream, behind the launch before. */
static struct twin_command *commands_of(CUgraphExec made) {
  struct twin_command *first = NULL, **end = &first, **at;
  if (made->last) {
    at = end, end = put(end, TWIN_WAIT);
    (*at)->record = made->last;
  }
  made->graph->launches++;
  for (CUgraphNode n; (n = next_to_run(made->graph)); n->runs++) {
    at = end, end = put(end, n->event ? TWIN_RECORD : TWIN_LAUNCH);
    if (n->event) {
      (*at)->record = twin_record_again(n->event);
    } else {
      (*at)->grid = n->grid;
      (*at)->grid.parameters = memcpy(malloc(n->grid.size), n->grid.parameters, n->grid.size);
    }
  }
  made->last = twin_record_new(twin_current());
  put(end, TWIN_RECORD);
  (*end)->record = twin_record_keep(made->last);
  return first;
}

int twin_graph_launch(CUgraphExec made, CUstream stream) {
  TWIN_ENTER(graph_launch);
  if (made->destroyed) twin_fail("a graph that is destroyed is launched");
  pthread_mutex_lock(&lock);
  int error = twin_issue(stream, commands_of(made), false);
  pthread_mutex_unlock(&lock);
  return error;
}
int twin_graph_forget(CUgraphExec made) {
  TWIN_ENTER(graph_forget);
  if (made->destroyed) twin_fail("a graph is destroyed twice");
  made->destroyed = true;
  TWIN_COUNT(graphs, -1);
  return 0;
}
