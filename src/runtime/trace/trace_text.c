/* Events as JSON.  Without printf: a traced launch writes several hundred characters, and they have
 * to cost little. */
#include <string.h>

#include "abi/kernel.h"
#include "runtime/trace/trace.h"
#include "runtime/trace/trace_event.h"

enum { LONGEST_NAME = 200 }; /* characters of a kernel's name that are written */

static char *put(char *to, const char *text) {
  size_t length = strlen(text);
  memcpy(to, text, length);
  return to + length;
}

static char *put_number(char *to, uint64_t number) {
  char digits[20];
  int count = 0;
  do {
    digits[count++] = (char)('0' + number % 10);
  } while (number /= 10);
  while (count) *to++ = digits[--count];
  return to;
}

/* The trace's unit is the microsecond. */
static char *put_time(char *to, uint64_t ns) {
  unsigned rest = (unsigned)(ns % 1000);
  to = put_number(to, ns / 1000);
  *to++ = '.';
  *to++ = (char)('0' + rest / 100);
  *to++ = (char)('0' + rest / 10 % 10);
  *to++ = (char)('0' + rest % 10);
  return to;
}

/* As the inside of a JSON string; bytes that may be no UTF-8 become '?'. */
static char *put_name(char *to, const char *name) {
  for (int i = 0; name[i] && i < LONGEST_NAME; i++) {
    unsigned char c = (unsigned char)name[i];
    if (c == '"' || c == '\\') *to++ = '\\';
    *to++ = c < ' ' || c >= 0x7f ? '?' : (char)c;
  }
  return to;
}

struct writer {
  char *at;
  uint64_t process, thread;
};

static void number(struct writer *w, const char *before, uint64_t value) {
  w->at = put_number(put(w->at, before), value);
}

static void begin(struct writer *w, const char *phase, const char *category, const char *name) {
  w->at = put(put(w->at, ",\n{\"ph\":\""), phase);
  w->at = put(put(w->at, "\",\"cat\":\""), category);
  w->at = put_name(put(w->at, "\",\"name\":\""), name);
  number(w, "\",\"pid\":", w->process);
  number(w, ",\"tid\":", w->thread);
}

static void at_time(struct writer *w, uint64_t ns) {
  w->at = put_time(put(w->at, ",\"ts\":"), ns);
}

static void slice(struct writer *w, const char *category, const struct mpl_trace_event *e) {
  begin(w, "X", category, e->name);
  at_time(w, e->start);
  w->at = put_time(put(w->at, ",\"dur\":"), e->end - e->start);
  w->at = put(w->at, ",\"args\":{");
}

static void three(struct writer *w, const char *before, const uint64_t values[3]) {
  number(w, before, values[0]);
  number(w, ",", values[1]);
  number(w, ",", values[2]);
  w->at = put(w->at, "]");
}

static void kernel(struct writer *w, const struct mpl_trace_event *e) {
  slice(w, "kernel", e);
  three(w, "\"global\":[", e->kernel.global);
  three(w, ",\"local\":[", e->kernel.local);
  number(w, ",\"groups\":", e->kernel.groups);
  if (e->kernel.bytes != MPL_TRACE_UNKNOWN) number(w, ",\"bytes\":", e->kernel.bytes);
  uint32_t lanes = e->flags >> MPL_KERNEL_LANES_SHIFT & MPL_KERNEL_LANES_MASK;
  if (lanes) number(w, ",\"width\":", lanes);
  uint32_t syncs = e->flags >> MPL_KERNEL_SYNCS_SHIFT;
  if (syncs || !(e->flags & MPL_KERNEL_HAS_SYNC)) number(w, ",\"group_operations\":", syncs);
  w->at = put(w->at, "}}");
}

static void groups(struct writer *w, const struct mpl_trace_event *e) {
  slice(w, "groups", e);
  number(w, "\"first\":", e->groups.first);
  number(w, ",\"end\":", e->groups.last);
  if (e->groups.of) {
    number(w, ",\"cycles\":", e->groups.of);
    number(w, ",\"group_operation_cycles\":", e->groups.ticks);
  }
  w->at = put(w->at, "}}");
}

static void sized(struct writer *w, const char *category, const struct mpl_trace_event *e,
                  uint64_t bytes) {
  slice(w, category, e);
  if (bytes != MPL_TRACE_UNKNOWN) number(w, "\"bytes\":", bytes);
  w->at = put(w->at, "}}");
}

/* A command spans from when it was queued to its end, beside the threads; inside stands how long it
 * waited. */
static void async(struct writer *w, const char *phase, const char *name,
                  const struct mpl_trace_event *e, uint64_t when) {
  begin(w, phase, "command", name);
  at_time(w, when);
  number(w, ",\"id\":\"", w->process);
  number(w, ".", e->command.number);
  w->at = put(w->at, "\"");
}

static void command(struct writer *w, const struct mpl_trace_event *e) {
  if (e->flags) {
    slice(w, "run", e);
    number(w, "\"command\":", e->command.number);
    w->at = put(w->at, "}}");
  }
  async(w, "b", e->name, e, e->command.queued);
  number(w, ",\"args\":{\"command\":", e->command.number);
  number(w, ",\"queue\":", e->command.queue);
  if (e->command.submitted) w->at = put_time(put(w->at, ",\"submitted\":"), e->command.submitted);
  w->at = put_time(put(w->at, ",\"started\":"), e->start);
  w->at = put_time(put(w->at, ",\"ended\":"), e->end);
  w->at = put(w->at, "}}");
  async(w, "b", "waits", e, e->command.queued);
  w->at = put(w->at, "}");
  async(w, "e", "waits", e, e->start);
  w->at = put(w->at, "}");
  async(w, "e", e->name, e, e->end);
  w->at = put(w->at, "}");
}

static void arrow(struct writer *w, const char *phase, const struct mpl_trace_event *e) {
  begin(w, phase, "wait", "waits for");
  at_time(w, e->start);
  number(w, ",\"id\":\"", w->process);
  number(w, ".", e->wait.number);
  number(w, "-", e->wait.waiter);
  number(w, "\",\"bp\":\"e\",\"args\":{\"from\":", e->wait.number);
  number(w, ",\"to\":", e->wait.waiter);
  w->at = put(w->at, "}}");
}

static void thread(struct writer *w, const struct mpl_trace_event *e) {
  begin(w, "M", "__metadata", "thread_name");
  w->at = put_name(put(w->at, ",\"args\":{\"name\":\""), e->name);
  w->at = put(w->at, "\"}}");
}

char *mpl_trace_text(const struct mpl_trace_event *e, uint64_t process, uint64_t of_thread,
                     char *text) {
  struct writer w = {text, process, of_thread};
  switch (e->kind) {
  case MPL_TRACE_THREAD:
    thread(&w, e);
    break;
  case MPL_TRACE_BUILD:
    sized(&w, "build", e, e->build.bytes);
    break;
  case MPL_TRACE_KERNEL:
    kernel(&w, e);
    break;
  case MPL_TRACE_GROUPS:
    groups(&w, e);
    break;
  case MPL_TRACE_TRANSFER:
    sized(&w, "transfer", e, e->transfer.bytes);
    break;
  case MPL_TRACE_COMMAND:
    command(&w, e);
    break;
  case MPL_TRACE_LET_GO:
    arrow(&w, "s", e);
    break;
  case MPL_TRACE_WAITED:
    arrow(&w, "f", e);
    break;
  }
  return w.at;
}

char *mpl_trace_text_process(uint64_t process, const char *name, char *text) {
  struct writer w = {put(text, "[\n{\"ph\":\"M\",\"cat\":\"__metadata\",\"name\":\"process_name\""),
                     process, process};
  number(&w, ",\"pid\":", process);
  number(&w, ",\"tid\":", process);
  w.at = put_name(put(w.at, ",\"args\":{\"name\":\""), name);
  return put(w.at, "\"}}");
}
