/* The graph of commands: order, failures, user events, callbacks, progress without being asked. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "runtime/commands/command.h"
#include "unit.h"

static struct mpl_device *device;
static atomic_int clock_ticks, releases;

/* A command that notes when it ran. */
struct note {
  int at, answer;
  unsigned delay_us;
};

static int take_note(void *data, struct mpl_device *on) {
  struct note *note = data;
  CHECK(on == device);
  if (note->delay_us) usleep(note->delay_us);
  note->at = atomic_fetch_add(&clock_ticks, 1) + 1;
  return note->answer;
}

static void note_released(void *data) {
  atomic_fetch_add(&releases, 1);
}

static struct mpl_command *add(struct mpl_queue *queue, struct note *note, struct mpl_command *wait,
                               unsigned order) {
  struct mpl_work_desc work = {
      .run = take_note, .release = note_released, .data = note, .weight = 1};
  struct mpl_command *command = mpl_enqueue(queue, &work, &wait, wait != NULL, order);
  CHECK(command);
  return command;
}

static void poll_until_complete(struct mpl_command *command) {
  for (int i = 0; i < 20000 && mpl_command_status(command) > MPL_COMPLETE; i++) usleep(500);
  CHECK(mpl_command_status(command) == MPL_COMPLETE);
}

/* While the only worker is busy, tasks of each rank are posted, the lowest first. */
struct ranked {
  struct mpl_task task;
  struct mpl_pool *pool;
  struct ranked *others;
  atomic_int *place;
  int at;
};

static void run_ranked(struct mpl_task *task) {
  struct ranked *own = (struct ranked *)task;
  for (int i = 0; own->others && i < 6; i++) mpl_pool_post(own->pool, &own->others[i].task);
  own->at = atomic_fetch_add(own->place, 1);
}

static void ranks(void) {
  struct mpl_pool *pool = mpl_pool_create(1);
  struct ranked list[7];
  atomic_int place;
  atomic_init(&place, 0);
  for (int i = 0; i < 7; i++)
    list[i] = (struct ranked){.task = {.run = run_ranked,
                                       .rank = i == 6 ? MPL_RANK_LOW : MPL_RANK_LOW - i / 2},
                              .pool = pool,
                              .others = i == 6 ? list : NULL,
                              .place = &place};
  mpl_pool_post(pool, &list[6].task);
  for (int i = 0; i < 20000 && atomic_load(&place) < 7; i++) usleep(500);
  static const int expected[7] = {5, 6, 3, 4, 1, 2, 0};
  for (int i = 0; i < 7; i++) CHECK(list[i].at == expected[i]);
  mpl_pool_release(pool);
}

static void in_order(void) {
  enum { COUNT = 1000 };
  static struct note notes[COUNT];
  struct mpl_queue *queue = mpl_queue_create(device, true, true);
  struct mpl_command *last = NULL;
  for (int i = 0; i < COUNT; i++) {
    if (last) mpl_command_release(last);
    last = add(queue, &notes[i], NULL, 0);
  }
  mpl_queue_finish(queue);
  CHECK(mpl_command_status(last) == MPL_COMPLETE);
  for (int i = 1; i < COUNT; i++) CHECK(notes[i].at == notes[i - 1].at + 1);
  struct mpl_times times = mpl_command_times(last);
  CHECK(times.queued && times.queued <= times.submitted && times.submitted <= times.started);
  CHECK(times.started <= times.ended && times.ended <= times.completed);
  mpl_command_release(last);
  mpl_queue_destroy(queue);
}

static void user_events(void) {
  struct note a = {0}, b = {0}, c = {0};
  struct mpl_queue *queue = mpl_queue_create(device, true, false);
  struct mpl_queue *other = mpl_queue_create(device, true, false);
  struct mpl_command *gate = mpl_user_command();
  CHECK(mpl_command_status(gate) == MPL_SUBMITTED);
  struct mpl_command *first = add(queue, &a, gate, 0), *second = add(queue, &b, NULL, 0);
  struct mpl_command *third = add(other, &c, second, 0);
  mpl_queue_flush(other);
  usleep(2000);
  CHECK(!a.at && !b.at && !c.at && mpl_command_status(first) == MPL_SUBMITTED);
  CHECK(mpl_command_finish(gate, MPL_COMPLETE) && !mpl_command_finish(gate, MPL_COMPLETE));
  CHECK(mpl_command_wait(third) == MPL_COMPLETE);
  CHECK(a.at < b.at && b.at < c.at);
  CHECK(mpl_command_wait(gate) == MPL_COMPLETE);
  mpl_command_release(gate);
  mpl_command_release(first);
  mpl_command_release(second);
  mpl_command_release(third);
  mpl_queue_destroy(queue);
  mpl_queue_destroy(other);
}

static void failures(void) {
  struct note bad = {.answer = -42}, waits = {0}, after = {0};
  struct mpl_queue *queue = mpl_queue_create(device, true, false);
  struct mpl_command *failing = add(queue, &bad, NULL, 0);
  struct mpl_command *dependent = add(queue, &waits, failing, 0);
  struct mpl_command *next = add(queue, &after, NULL, 0);
  CHECK(mpl_command_wait(dependent) == -42 && !waits.at);
  CHECK(mpl_command_wait(next) == MPL_COMPLETE && after.at);
  CHECK(mpl_command_status(failing) == -42);
  /* waiting for what has failed already */
  struct mpl_command *late = add(queue, &waits, failing, 0);
  CHECK(mpl_command_wait(late) == -42 && !waits.at);
  struct mpl_command *gate = mpl_user_command(), *gated = add(queue, &waits, gate, 0);
  CHECK(mpl_command_finish(gate, -7) && mpl_command_wait(gated) == -7 && !waits.at);
  mpl_command_release(failing);
  mpl_command_release(dependent);
  mpl_command_release(next);
  mpl_command_release(late);
  mpl_command_release(gate);
  mpl_command_release(gated);
  mpl_queue_destroy(queue);
}

static void out_of_order(void) {
  struct note slow = {0}, quick = {0}, after = {0}, marker_note = {0};
  struct mpl_queue *queue = mpl_queue_create(device, false, false);
  struct mpl_command *gate = mpl_user_command();
  struct mpl_command *blocked = add(queue, &slow, gate, 0), *free_one = add(queue, &quick, NULL, 0);
  CHECK(mpl_command_wait(free_one) == MPL_COMPLETE && !slow.at); /* overtakes */
  struct mpl_command *marker = add(queue, &marker_note, NULL, MPL_AFTER_ALL);
  struct mpl_command *second = add(queue, &after, NULL, 0);
  CHECK(mpl_command_wait(second) == MPL_COMPLETE && !marker_note.at); /* a marker holds none up */
  struct note barrier_note = {0}, behind = {0};
  struct mpl_command *barrier = add(queue, &barrier_note, NULL, MPL_AFTER_ALL | MPL_BEFORE_ALL);
  struct mpl_command *last = add(queue, &behind, NULL, 0);
  mpl_queue_flush(queue);
  usleep(2000);
  CHECK(!barrier_note.at && !behind.at);
  mpl_command_finish(gate, MPL_COMPLETE);
  mpl_queue_finish(queue);
  CHECK(slow.at < marker_note.at && marker_note.at < barrier_note.at &&
        barrier_note.at < behind.at);
  struct mpl_command *all[] = {gate, blocked, free_one, marker, second, barrier, last};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) mpl_command_release(all[i]);
  mpl_queue_destroy(queue);
}

static atomic_int calls[4];
static void count_call(struct mpl_command *command, int status, void *data) {
  CHECK(status == (int)(intptr_t)data);
  atomic_fetch_add(&calls[status < 0 ? 3 : status], 1);
}
static void wait_inside(struct mpl_command *command, int status, void *data) {
  CHECK(mpl_command_wait(command) == MPL_COMPLETE); /* its own event */
  atomic_fetch_add((atomic_int *)data, 1);
}

static void callbacks(void) {
  struct note note = {0}, bad = {.answer = -3};
  atomic_int inside = 0;
  struct mpl_queue *queue = mpl_queue_create(device, true, false);
  struct mpl_command *gate = mpl_user_command(), *command = add(queue, &note, gate, 0);
  struct mpl_command *failing = add(queue, &bad, NULL, 0);
  for (int when = MPL_COMPLETE; when <= MPL_SUBMITTED; when++)
    CHECK(mpl_command_on_status(command, when, false, count_call, (void *)(intptr_t)when));
  CHECK(mpl_command_on_status(command, MPL_COMPLETE, false, wait_inside, &inside));
  CHECK(mpl_command_on_status(failing, MPL_COMPLETE, false, count_call, (void *)(intptr_t)-3));
  CHECK(calls[MPL_SUBMITTED] == 1 && !calls[MPL_RUNNING] && !calls[MPL_COMPLETE]);
  mpl_command_finish(gate, MPL_COMPLETE);
  CHECK(mpl_command_wait(command) == MPL_COMPLETE && mpl_command_wait(failing) == -3);
  CHECK(calls[MPL_RUNNING] == 1 && calls[MPL_COMPLETE] == 1 && inside == 1 && calls[3] == 1);
  /* at once, if it is complete already */
  CHECK(mpl_command_on_status(command, MPL_RUNNING, false, count_call, (void *)(intptr_t)MPL_RUNNING));
  CHECK(calls[MPL_RUNNING] == 2);
  mpl_command_release(gate);
  mpl_command_release(command);
  mpl_command_release(failing);
  mpl_queue_destroy(queue);
}

static void call_slowly(struct mpl_command *command, int status, void *data) {
  usleep(30000);
  atomic_fetch_add((atomic_int *)data, 1);
}
static void finish_inside(struct mpl_command *command, int status, void *data) {
  mpl_queue_finish_calls(data); /* would wait for itself */
}

/* A queue without commands may still call back. */
static void finished_calls(bool in_order) {
  struct note note = {0}, last = {0};
  atomic_int called = 0;
  struct mpl_queue *queue = mpl_queue_create(device, in_order, false);
  struct mpl_command *gate = mpl_user_command(), *command = add(queue, &note, gate, 0);
  struct mpl_command *behind = add(queue, &last, NULL, 0);
  CHECK(mpl_command_on_status(command, MPL_COMPLETE, false, call_slowly, &called));
  CHECK(mpl_command_on_status(behind, MPL_COMPLETE, false, finish_inside, queue));
  mpl_command_finish(gate, MPL_COMPLETE);
  while (mpl_command_status(command) > 0) /* a worker calls, not this thread */
    usleep(100);
  mpl_queue_finish(queue);
  mpl_queue_finish_calls(queue);
  CHECK(called == 1);
  mpl_command_release(gate);
  mpl_command_release(command);
  mpl_command_release(behind);
  mpl_queue_destroy(queue);
}

/* Nothing but a flush, a status query, a callback or a released queue: work goes on. */
static void progress(void) {
  struct note notes[3] = {{0}};
  struct mpl_queue *queue = mpl_queue_create(device, true, false);
  struct mpl_command *flushed = add(queue, &notes[0], NULL, 0);
  mpl_queue_flush(queue);
  for (int i = 0; i < 20000 && !*(volatile atomic_int *)&clock_ticks; i++) usleep(500);
  poll_until_complete(flushed);
  struct mpl_command *polled = add(queue, &notes[1], NULL, 0);
  poll_until_complete(polled);
  struct mpl_command *abandoned = add(queue, &notes[2], NULL, 0);
  mpl_queue_destroy(queue);
  poll_until_complete(abandoned);
  mpl_command_release(flushed);
  mpl_command_release(polled);
  mpl_command_release(abandoned);
}

/* A worker that waits in a callback for what another command has yet to do. */
static struct mpl_queue *second_queue;
static struct note nested_note;
static void enqueue_and_wait(struct mpl_command *command, int status, void *data) {
  struct mpl_command *nested = add(second_queue, &nested_note, NULL, 0);
  CHECK(mpl_command_wait(nested) == MPL_COMPLETE);
  mpl_command_release(nested);
}

static void waits_in_workers(void) {
  struct note note = {0};
  struct mpl_queue *queue = mpl_queue_create(device, true, false);
  second_queue = mpl_queue_create(device, true, false);
  struct mpl_command *command = add(queue, &note, NULL, 0);
  CHECK(mpl_command_on_status(command, MPL_COMPLETE, false, enqueue_and_wait, NULL));
  CHECK(mpl_command_wait(command) == MPL_COMPLETE && nested_note.at);
  mpl_command_release(command);
  mpl_queue_destroy(queue);
  mpl_queue_destroy(second_queue);
}

static void sub_device(void) {
  struct mpl_device *whole = device, *part = mpl_device_partition(device, 2);
  struct note note = {.delay_us = 1000};
  CHECK(part);
  device = part;
  struct mpl_queue *queue = mpl_queue_create(part, true, false);
  struct mpl_command *command = add(queue, &note, NULL, 0);
  mpl_queue_destroy(queue);
  mpl_device_destroy(part); /* the command still runs on it */
  CHECK(mpl_command_wait(command) == MPL_COMPLETE && note.at);
  mpl_command_release(command);
  device = whole;
}

int main(void) {
  device = unit_device();
  in_order();
  ranks();
  user_events();
  failures();
  out_of_order();
  callbacks();
  finished_calls(true);
  finished_calls(false);
  progress();
  waits_in_workers();
  sub_device();
  return 0;
}
