/* The graph of commands on a device that takes its time: order, failures half way, callbacks,
 * times; nothing hangs and nothing is left behind. */
#include <unistd.h>

#include "cpu/cpu.h"
#include "mock.h"
#include "runtime/commands/command.h"
#include "runtime/threads/threads.h"
#include "unit/unit.h"

enum { NODES = 400, BYTES = 64 };

static struct mpl_device *cpu, *mock;
static struct mock_state *state;

static void nothing_left(void) {
  for (int i = 0; i < 2000 && (atomic_load(&state->marks) || atomic_load(&state->streams)); i++)
    usleep(1000); /* a watching thread may be on its way out */
  CHECK(!atomic_load(&state->memory) && !atomic_load(&state->pinned));
  CHECK(!atomic_load(&state->marks) && !atomic_load(&state->streams));
  CHECK(!atomic_load(&state->broken));
}

/* --- Copies from place to place: what arrives says whether the order was kept --- */

struct job {
  struct mpl_operation operation;
};

static int perform(void *data, struct mpl_device *device) {
  return device->ops->perform(device, &((struct job *)data)->operation);
}

static atomic_int releases;

static void release(void *data) {
  atomic_fetch_add(&releases, 1);
  free(data);
}

static struct mpl_command *enqueue(struct mpl_queue *queue, const struct mpl_operation *operation,
                                   struct mpl_command *const *waits, uint32_t num_waits,
                                   unsigned order) {
  struct job *job = malloc(sizeof *job);
  CHECK(job);
  job->operation = *operation;
  struct mpl_work_desc work = {
      .run = perform, .release = release, .data = job, .weight = 1, .operation = &job->operation};
  struct mpl_command *command = mpl_enqueue(queue, &work, waits, num_waits, order);
  CHECK(command);
  return command;
}

static struct mpl_operation copy(void *to, bool to_host, void *from, bool from_host, size_t size) {
  return (struct mpl_operation){
      .kind = MPL_COPY,
      .copy = {.to = {.base = to, .on_host = to_host},
               .from = {.base = from, .on_host = from_host},
               .size = {size, 1, 1}}};
}

static struct mpl_operation fill(void *to, size_t size, unsigned char value) {
  return (struct mpl_operation){
      .kind = MPL_FILL,
      .fill = {.to = {.base = to}, .size = {size, 1, 1}, .pattern_size = 1, .pattern = {value}}};
}

static void in_order(void) {
  unsigned char *hidden =
      mock->ops->allocate(mock, NODES * BYTES, 64, MPL_STORAGE_DEVICE, "a test");
  unsigned char back[BYTES];
  struct mpl_queue *queue = mpl_queue_create(mock, true, false);
  struct mpl_operation operation = fill(hidden, BYTES, 7);
  mpl_command_release(enqueue(queue, &operation, NULL, 0, 0));
  for (int i = 1; i < NODES; i++) {
    operation = copy(hidden + i * BYTES, false, hidden + (i - 1) * BYTES, false, BYTES);
    mpl_command_release(enqueue(queue, &operation, NULL, 0, 0));
  }
  operation = copy(back, true, hidden + (NODES - 1) * BYTES, false, BYTES);
  struct mpl_command *last = enqueue(queue, &operation, NULL, 0, MPL_ASKED);
  CHECK(!mpl_command_wait(last));
  for (int i = 0; i < BYTES; i++) CHECK(back[i] == 7);
  mpl_command_release(last);
  mpl_queue_finish(queue);
  mpl_queue_destroy(queue);
  mock->ops->release(mock, hidden, MPL_STORAGE_DEVICE);
  nothing_left();
}

/* --- Random graphs over both devices --- */

struct node {
  struct mpl_command *command;
  bool on_host; /* where its bytes are */
  unsigned char value;
  bool fails; /* it, or something that it waits for */
  int from;
};

struct graph {
  struct node nodes[NODES];
  unsigned char host[NODES][BYTES], *hidden;
  struct mpl_queue *queues[4]; /* mock out of order, mock in order, mock profiled, CPU */
  unsigned random;
};

static unsigned below(struct graph *graph, unsigned limit) {
  graph->random = graph->random * 1664525u + 1013904223u;
  return (graph->random >> 10) % limit;
}

static void *place(struct graph *graph, int i) {
  return graph->nodes[i].on_host ? graph->host[i] : graph->hidden + i * BYTES;
}

/* A node copies from an earlier one; the CPU from one whose bytes are the host's. */
static void add_node(struct graph *graph, int i) {
  struct node *node = &graph->nodes[i];
  struct mpl_command *waits[3];
  uint32_t num_waits = 0;
  struct mpl_queue *queue = graph->queues[below(graph, 4)];
  bool on_cpu = queue == graph->queues[3];
  node->on_host = on_cpu || !below(graph, 4);
  node->from = i ? (int)below(graph, (unsigned)i) : -1;
  while (on_cpu && node->from >= 0 && !graph->nodes[node->from].on_host) node->from--;
  struct mpl_operation operation;
  if (node->from < 0) {
    if (!on_cpu) node->on_host = false;
    node->value = (unsigned char)(i * 7 + 1);
    operation = fill(place(graph, i), BYTES, node->value);
  } else {
    const struct node *from = &graph->nodes[node->from];
    node->value = from->value;
    waits[num_waits++] = from->command;
    operation =
        copy(place(graph, i), node->on_host, place(graph, node->from), from->on_host, BYTES);
  }
  for (int more = i ? (int)below(graph, 3) : 0; more; more--)
    waits[num_waits++] = graph->nodes[below(graph, (unsigned)i)].command;
  node->command = enqueue(queue, &operation, waits, num_waits, below(graph, 2) ? MPL_ASKED : 0);
  if (!below(graph, 20)) mpl_queue_flush(queue);
  if (!below(graph, 20)) mpl_command_status(graph->nodes[below(graph, (unsigned)i + 1)].command);
  if (!below(graph, 60)) mpl_command_wait(graph->nodes[below(graph, (unsigned)i + 1)].command);
  if (!below(graph, 50)) {
    struct mpl_work_desc nothing = {0};
    mpl_command_release(mpl_enqueue(graph->queues[below(graph, 4)], &nothing, NULL, 0,
                                    MPL_AFTER_ALL | MPL_BEFORE_ALL));
  }
}

static struct graph *make_graph(unsigned seed) {
  struct graph *graph = calloc(1, sizeof *graph);
  CHECK(graph);
  graph->random = seed;
  graph->hidden = mock->ops->allocate(mock, NODES * BYTES, 64, MPL_STORAGE_DEVICE, "a test");
  CHECK(graph->hidden);
  graph->queues[0] = mpl_queue_create(mock, false, false);
  graph->queues[1] = mpl_queue_create(mock, true, false);
  graph->queues[2] = mpl_queue_create(mock, false, true);
  graph->queues[3] = mpl_queue_create(cpu, false, false);
  return graph;
}

static void end_graph(struct graph *graph) {
  for (int i = 0; i < 4; i++) mpl_queue_finish(graph->queues[i]);
  for (int i = 0; i < NODES; i++) mpl_command_release(graph->nodes[i].command);
  for (int i = 0; i < 4; i++) mpl_queue_destroy(graph->queues[i]);
  mock->ops->release(mock, graph->hidden, MPL_STORAGE_DEVICE);
  free(graph);
  nothing_left();
}

static void random_graph(unsigned seed) {
  struct graph *graph = make_graph(seed);
  for (int i = 0; i < NODES; i++) add_node(graph, i);
  for (int i = 0; i < NODES; i++) CHECK(!mpl_command_wait(graph->nodes[i].command));
  for (int i = 0; i < NODES; i++) {
    unsigned char back[BYTES];
    struct mpl_operation operation = copy(back, true, place(graph, i), false, BYTES);
    if (graph->nodes[i].on_host)
      memcpy(back, graph->host[i], BYTES);
    else
      CHECK(!mock->ops->perform(mock, &operation));
    for (int b = 0; b < BYTES; b++) CHECK(back[b] == graph->nodes[i].value);
  }
  end_graph(graph);
}

/* Whatever goes wrong: everything ends, and who waited for a failure fails. */
static void failing_graph(unsigned seed, atomic_long *what) {
  struct graph *graph = make_graph(seed);
  atomic_store(what, 20 + seed % 50);
  int failed = 0;
  for (int i = 0; i < NODES; i++) add_node(graph, i);
  for (int i = 0; i < NODES; i++) {
    const struct node *node = &graph->nodes[i];
    int status = mpl_command_wait(node->command);
    CHECK(status <= 0);
    failed += status < 0;
    if (node->from >= 0 && mpl_command_wait(graph->nodes[node->from].command) < 0)
      CHECK(status < 0);
  }
  CHECK(!atomic_load(what)); /* it was asked for */
  CHECK(failed || (what != &state->fail_issue && what != &state->fail_end));
  end_graph(graph);
}

/* --- One thing at a time --- */

static atomic_int called, called_status;

static void call(struct mpl_command *command, int status, void *data) {
  atomic_store(&called_status, status);
  atomic_fetch_add(&called, 1);
}

/* Nobody waits: a callback, and work of the host, come all the same. */
static void unasked(void) {
  unsigned char *hidden = mock->ops->allocate(mock, BYTES, 64, MPL_STORAGE_DEVICE, "a test");
  struct mpl_queue *queue = mpl_queue_create(mock, true, false);
  struct mpl_operation operation = fill(hidden, BYTES, 1);
  atomic_store(&state->paused, true);
  struct mpl_command *first = enqueue(queue, &operation, NULL, 0, MPL_ASKED);
  struct mpl_command *second = enqueue(queue, &operation, NULL, 0, MPL_ASKED);
  CHECK(mpl_command_on_status(second, MPL_COMPLETE, false, call, NULL));
  CHECK(mpl_command_status(first) == MPL_RUNNING && mpl_command_status(second) == MPL_SUBMITTED);
  CHECK(!atomic_load(&called));
  mock_resume();
  for (int i = 0; i < 10000 && !atomic_load(&called); i++) usleep(1000);
  CHECK(atomic_load(&called) == 1 && atomic_load(&called_status) == MPL_COMPLETE);
  mpl_command_release(first);
  mpl_command_release(second);
  int before = atomic_load(&releases);
  mpl_command_release(enqueue(queue, &operation, NULL, 0, 0));
  mpl_queue_destroy(queue); /* ends what is in it without being asked */
  for (int i = 0; i < 10000 && atomic_load(&releases) == before; i++) usleep(1000);
  CHECK(atomic_load(&releases) == before + 1);
  mock->ops->release(mock, hidden, MPL_STORAGE_DEVICE);
  nothing_left();
}

/* A user event holds back the device; its failure passes on without being run. */
static void user_events(void) {
  unsigned char *hidden = mock->ops->allocate(mock, BYTES, 64, MPL_STORAGE_DEVICE, "a test");
  struct mpl_queue *queue = mpl_queue_create(mock, false, false);
  struct mpl_operation operation = fill(hidden, BYTES, 1);
  for (int status = 0; status >= -7; status -= 7) {
    struct mpl_command *gate = mpl_user_command();
    long issued = atomic_load(&state->issued);
    struct mpl_command *one = enqueue(queue, &operation, &gate, 1, MPL_ASKED);
    struct mpl_command *two = enqueue(queue, &operation, &one, 1, MPL_ASKED);
    CHECK(mpl_command_status(two) == MPL_SUBMITTED && atomic_load(&state->issued) == issued);
    CHECK(mpl_command_finish(gate, status));
    CHECK(mpl_command_wait(two) == status && mpl_command_wait(one) == status);
    CHECK(atomic_load(&state->issued) == issued + (status ? 0 : 2));
    mpl_command_release(gate);
    mpl_command_release(one);
    mpl_command_release(two);
  }
  mpl_queue_destroy(queue);
  mock->ops->release(mock, hidden, MPL_STORAGE_DEVICE);
  nothing_left();
}

static void times(void) {
  unsigned char *hidden = mock->ops->allocate(mock, BYTES, 64, MPL_STORAGE_DEVICE, "a test");
  struct mpl_queue *queue = mpl_queue_create(mock, true, true);
  struct mpl_operation operation = fill(hidden, BYTES, 1);
  struct mpl_command *commands[20];
  for (int i = 0; i < 20; i++) commands[i] = enqueue(queue, &operation, NULL, 0, MPL_ASKED);
  uint64_t last = 0;
  for (int i = 0; i < 20; i++) {
    CHECK(!mpl_command_wait(commands[i]));
    struct mpl_times t = mpl_command_times(commands[i]);
    CHECK(t.queued && t.queued <= t.submitted && t.submitted <= t.started && t.started <= t.ended);
    CHECK(t.completed == t.ended && last <= t.started);
    last = t.ended;
    mpl_command_release(commands[i]);
  }
  mpl_queue_destroy(queue);
  mock->ops->release(mock, hidden, MPL_STORAGE_DEVICE);
  nothing_left();
}

static void no_streams(void) {
  for (long n = 1; n <= 4; n++) {
    atomic_store(&state->fail_stream, n);
    CHECK(!mpl_queue_create(mock, false, false));
    nothing_left();
  }
}

int main(void) {
  state = mock_state();
  cpu = mpl_cpu_create();
  mock = mock_create(cpu);
  CHECK(cpu && mock);
  in_order();
  unasked();
  user_events();
  times();
  no_streams();
  atomic_long *const what[] = {&state->fail_issue, &state->fail_end, &state->fail_mark,
                               &state->fail_wait};
  for (unsigned seed = 1; seed <= 8; seed++) {
    random_graph(seed);
    failing_graph(seed, what[seed % 4]);
  }
  return 0;
}
