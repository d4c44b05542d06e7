/* The twin's graphs: nodes wait for what they are said to, and for nothing else. */
#include "driver_alone.h"

static CUevent events[3];

/* Whether event `a` was no later than event `b` in a launch. */
static bool is_first(int a, int b) {
  float time = -1;
  CHECK(!driver.event_wait(events[a]) && !driver.event_wait(events[b]));
  CHECK(!driver.event_elapsed(&time, events[a], events[b]));
  return time >= 0;
}

static void launch(CUgraph graph) {
  CUgraphExec made;
  CHECK(!driver.graph_instantiate(&made, graph, 0));
  for (int times = 0; times < 2; times++) CHECK(!driver.graph_launch(made, NULL));
}

static void goes_by_dependencies(void) {
  CUgraph graph;
  CUgraphNode nodes[3];
  CHECK(!driver.graph_create(&graph, 0));
  CHECK(!driver.graph_add_record(&nodes[0], graph, NULL, 0, events[0]));
  CHECK(!driver.graph_add_record(&nodes[1], graph, NULL, 0, events[1]));
  CHECK(!driver.graph_add_record(&nodes[2], graph, &nodes[0], 1, events[2]));
  launch(graph);
  CHECK(is_first(1, 0) && is_first(0, 2));
}

static void refuses_foreign_nodes(void) {
  CUgraph one, other;
  CUgraphNode node, next;
  CHECK(!driver.graph_create(&one, 0) && !driver.graph_create(&other, 0));
  CHECK(!driver.graph_add_record(&node, one, NULL, 0, events[0]));
  CHECK(driver.graph_add_record(&next, other, &node, 1, events[1]) == 1);
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  driver_find(argv[1]);
  driver_start();
  for (int i = 0; i < 3; i++) CHECK(!driver.event_create(&events[i], 0));
  goes_by_dependencies();
  refuses_foreign_nodes();
  return 0;
}
