#include "diagnose_pointer.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "check/engine/engine.h"
#include "check/memory/memory.h"
#include "id_ranges.h"

/* --- The access in words --- */

static const char *name_of(enum mpl_fault_kind kind) {
  static const char *const names[] = {
      [MPL_FAULT_ACCESS] = "an access", [MPL_FAULT_READ] = "a read", [MPL_FAULT_WRITE] = "a write",
      [MPL_FAULT_CALL] = "a call",      [MPL_FAULT_TRAP] = "a trap",
  };
  return names[kind];
}

static const char *bytes_of(size_t count) {
  return count == 1 ? "byte" : "bytes";
}

/* Room for "4 bytes before the beginning of". */
static void say_offset(char *text, size_t room, ptrdiff_t offset, size_t size) {
  size_t behind = (size_t)offset - size, before = (size_t)-offset;
  if (offset < 0)
    snprintf(text, room, "%zu %s before the beginning of", before, bytes_of(before));
  else if ((size_t)offset < size)
    snprintf(text, room, "at byte %td of", offset);
  else if (!behind)
    snprintf(text, room, "right behind the end of");
  else
    snprintf(text, room, "%zu %s behind the end of", behind, bytes_of(behind));
}

size_t mpl_describe_access(const struct mpl_fault *fault, const struct mpl_allocation *memory,
                           char *text, size_t room) {
  char where[80];
  say_offset(where, sizeof where, (const char *)fault->address - memory->base, memory->size);
  char size[40] = "";
  if (fault->size) snprintf(size, sizeof size, " of %zu %s", fault->size, bytes_of(fault->size));
  int length = snprintf(text, room, "%s%s %s %zu %s of %s%s", name_of(fault->kind), size, where,
                        memory->size, bytes_of(memory->size), memory->what,
                        memory->is_freed ? " that had been freed" : "");
  return length < 0 ? 0 : (size_t)length < room ? (size_t)length : room - 1;
}

/* --- Properties of the memory --- */

/* The work-group's part of a thread's local memory (cpu/launch.c). */
static void find_local(const struct mpl_run *run, struct mpl_allocation *memory) {
  const char *base = run->group->local_base, *end = run->group->scratch;
  size_t offset = (size_t)(base - memory->base);
  if (offset > memory->size || (size_t)(end - base) > memory->size - offset) return;
  memory->base = base;
  memory->size = (size_t)(end - base);
  memory->made.count = 0; /* that was for an earlier launch, perhaps */
}

static void note_place(struct mpl_report *report, const struct mpl_trace *callers,
                       const char *what) {
  struct mpl_site site = mpl_locate_trace(callers);
  struct mpl_place place = mpl_place_of(&site);
  if (place.line) mpl_report_note(report, &place, "%s", what);
}

void mpl_note_memory(struct mpl_report *report, const struct mpl_allocation *memory) {
  note_place(report, &memory->made, "allocated here");
  if (memory->is_freed) note_place(report, &memory->freed, "freed here");
}

/* Those of an OpenCL kernel that point to it. */
static void note_arguments(struct mpl_report *report, const struct mpl_run *run,
                           const struct mpl_allocation *memory) {
  const struct mpl_kernel *kernel = run->check->kernel;
  for (uint32_t i = 0; i < kernel->num_args; i++) {
    const struct mpl_arg *arg = &kernel->args[i];
    const char *pointer;
    if (arg->kind != MPL_ARG_POINTER || !arg->name[0]) continue;
    memcpy(&pointer, (const char *)run->launch->args + arg->offset, sizeof pointer);
    size_t offset = (size_t)(pointer - memory->base);
    if (offset && offset < memory->size)
      mpl_report_note(report, NULL, "argument %s points to byte %zu of it", arg->name, offset);
    else if (!offset)
      mpl_report_note(report, NULL, "argument %s points to it", arg->name);
  }
}

/* --- Faults --- */

static const char *signal_name(int number) {
  return number == SIGFPE ? "SIGFPE" : number == SIGTRAP ? "SIGTRAP" : "SIGILL";
}

static void describe_other(const struct mpl_fault *fault, char *text, size_t room) {
  size_t address = (size_t)fault->address;
  const char *name = name_of(fault->kind);
  if (fault->kind == MPL_FAULT_TRAP)
    snprintf(text, room, "%s, or an instruction that the processor refuses (%s)", name,
             signal_name(fault->number));
  else if (fault->is_no_address)
    snprintf(text, room, "%s by a pointer that is no address, or not aligned for its type", name);
  else if (!address)
    snprintf(text, room, "%s through a null pointer", name);
  else if (address < MPL_NULL_PAGES)
    snprintf(text, room, "%s through a null pointer, at byte %zu", name, address);
  else
    snprintf(text, room, "%s at %p, where there is no memory for it", name, fault->address);
}

/* The kernel's; its name alone, without a line, is no place to show but tells it from others. */
static struct mpl_place kernel_place(const struct mpl_check_launch *check) {
  struct mpl_place place = mpl_kernel_place(check);
  return place.line ? place : (struct mpl_place){.file = check->kernel->name};
}

static struct mpl_place place_of(const struct mpl_run *run) {
  struct mpl_site site = mpl_locate_trace(&run->fault.callers);
  if (site.line) return mpl_place_of(&site);
  struct mpl_place place = mpl_access_place(run->fault_access);
  return place.line ? place : kernel_place(run->check);
}

static void note_item(struct mpl_report *report, const struct mpl_run *run) {
  const struct mpl_item *item = run->faulted;
  if (mpl_has_no_groups(run->check)) return;
  struct mpl_id_ranges ids = {.run = run};
  mpl_id_ranges_add(&ids, item->linear);
  mpl_report_note(report, item->last.line ? &item->last : NULL, "%s%s",
                  mpl_id_ranges_text(&ids).bytes,
                  item->last.line ? ", after this collective" : " is the first to do so");
}

void mpl_diagnose_fault(struct mpl_run *run) {
  const struct mpl_fault *fault = &run->fault;
  struct mpl_allocation memory;
  char text[400];
  bool known = !fault->is_no_address && mpl_allocation_at(fault->address, &memory);
  if (known) find_local(run, &memory);
  if (run->fault_object.size) {
    known = true;
    memory = run->fault_object;
  }
  const char *variable = run->fault_object.size ? mpl_access_variable(run->fault_access) : NULL;
  if (known)
    mpl_describe_access(fault, &memory, text, sizeof text);
  else
    describe_other(fault, text, sizeof text);
  struct mpl_place place = place_of(run);
  enum mpl_check check = fault->kind == MPL_FAULT_TRAP ? MPL_CHECK_TRAP
                         : known && !memory.is_freed   ? MPL_CHECK_BOUNDS
                                                       : MPL_CHECK_POINTER;
  struct mpl_report *report =
      mpl_report_begin(check, &place, variable ? "%s '%s'" : "%s", text, variable);
  if (!report) return;
  if (mpl_has_no_groups(run->check))
    mpl_report_where(report, "kernel %s", run->check->kernel->name);
  else
    mpl_say_where(report, run, &run->work);
  note_item(report, run);
  if (known) note_arguments(report, run, &memory);
  if (known) mpl_note_memory(report, &memory);
  mpl_report_end(report);
}

/* --- Bytes beside memory that have changed --- */

void mpl_diagnose_damage(const struct mpl_damage *damage, enum mpl_damage_found found,
                         const struct mpl_check_launch *check) {
  const struct mpl_allocation *memory = &damage->allocation;
  struct mpl_fault write = {.kind = MPL_FAULT_WRITE, .address = memory->base + damage->offset};
  struct mpl_place place = check ? kernel_place(check) : (struct mpl_place){0};
  char text[400];
  mpl_describe_access(&write, memory, text, sizeof text);
  const char *when = found == MPL_AFTER_LAUNCH    ? "after kernel "
                     : found == MPL_BEFORE_LAUNCH ? "before a launch: by the host or a command"
                                                  : "at its end: by the host or a command";
  struct mpl_report *report =
      mpl_report_begin(MPL_CHECK_BOUNDS, &place, "%s, found %s%s", text, when,
                       found == MPL_AFTER_LAUNCH ? check->kernel->name : "");
  if (!report) return;
  mpl_note_memory(report, memory);
  mpl_report_end(report);
}

/* --- Commands --- */

bool mpl_command_may_access(const void *at, size_t size, enum mpl_fault_kind kind) {
  struct mpl_allocation memory;
  if (!size || !mpl_allocation_at(at, &memory)) return true;
  size_t offset = (size_t)((const char *)at - memory.base);
  if (!memory.is_freed && offset <= memory.size && size <= memory.size - offset) return true;
  struct mpl_fault access = {.kind = kind, .address = at, .size = size};
  char text[400];
  mpl_describe_access(&access, &memory, text, sizeof text);
  struct mpl_site site = mpl_locate_caller();
  struct mpl_place place = mpl_place_of(&site);
  struct mpl_report *report = mpl_report_begin(
      memory.is_freed ? MPL_CHECK_POINTER : MPL_CHECK_BOUNDS, &place, "%s, by a command", text);
  if (!report) return false;
  mpl_note_memory(report, &memory);
  mpl_report_end(report);
  return false;
}
