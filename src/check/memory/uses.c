#include "uses.h"

#include "check/engine/engine.h"
#include "runtime/device.h"

enum { MOST_SETS = 1 << 14 }; /* of bytes; what is scattered more is not known */

static bool make(struct mpl_noted *noted) {
  for (unsigned k = 0; k < MPL_USES; k++)
    if (!(noted->bits[k] = calloc(noted->size / 8 + 1, 1))) return false;
  return true;
}

static void clear(struct mpl_noted *noted) {
  for (unsigned k = 0; k < MPL_USES; k++) free(noted->bits[k]);
}

void mpl_uses_begin(struct mpl_check_launch *check) {
  uint32_t count = check->args ? check->kernel->num_args : 0, asked = 0;
  for (uint32_t i = 0; i < count; i++) asked += check->args[i].uses != NULL;
  check->num_noted = 0;
  check->noted = asked ? calloc(asked, sizeof *check->noted) : NULL;
  if (!check->noted) return;
  for (uint32_t i = 0; i < count; i++) {
    if (!check->args[i].uses) continue;
    struct mpl_noted *noted = &check->noted[check->num_noted];
    noted->low = (uintptr_t)check->args[i].uses->base;
    noted->size = check->args[i].uses->size;
    noted->argument = i;
    if (make(noted))
      check->num_noted++;
    else
      clear(noted);
  }
}

/* --- Notes --- */

static void set(uint8_t *bits, uint64_t begin, uint64_t end) {
  while (begin < end) {
    bool whole = begin % 8 == 0 && end - begin >= 8;
    uint8_t value = whole ? 0xff : (uint8_t)(1 << begin % 8);
    if ((bits[begin / 8] & value) != value)
      __atomic_fetch_or(&bits[begin / 8], value, __ATOMIC_RELAXED);
    begin += whole ? 8 : 1;
  }
}

void mpl_uses_add(const struct mpl_noted *noted, enum mpl_use_kind kind, uintptr_t address,
                  uint64_t size) {
  uintptr_t begin = address > noted->low ? address : noted->low,
            end = address + size < noted->low + noted->size ? address + size
                                                            : noted->low + noted->size;
  if (begin < end) set(noted->bits[kind], begin - noted->low, end - noted->low);
}

void mpl_uses_note(struct mpl_check_launch *check, const struct mpl_access *access,
                   uintptr_t address, uint64_t size) {
  if (access->flags & MPL_ACCESS_ATOMIC) atomic_store(&check->noted_atomics, true);
  for (uint32_t i = 0; i < check->num_noted; i++) {
    const struct mpl_noted *noted = &check->noted[i];
    if (access->flags & MPL_ACCESS_ATOMIC) { /* volatile ones too, as for filters */
      mpl_uses_add(noted, MPL_USE_ATOMIC, address, size);
      continue;
    }
    if (access->flags & MPL_ACCESS_READ) mpl_uses_add(noted, MPL_USE_READ, address, size);
    if (access->flags & MPL_ACCESS_WRITE) mpl_uses_add(noted, MPL_USE_WRITE, address, size);
  }
}

/* --- The answer --- */

static bool is_set(const uint8_t *bits, uint64_t at) {
  return bits[at / 8] >> at % 8 & 1;
}

/* From `at` on, the first byte that is set, or that is not; or `size`. */
static uint64_t next(const uint8_t *bits, uint64_t at, uint64_t size, bool wanted) {
  const uint8_t none = wanted ? 0 : 0xff;
  while (at < size && is_set(bits, at) != wanted) at += at % 8 == 0 && bits[at / 8] == none ? 8 : 1;
  return at < size ? at : size;
}

/* False: there are too many, or no memory. */
static bool collect(const uint8_t *bits, uint64_t size, struct mpl_byte_set *set) {
  uint32_t room = 0;
  for (uint64_t end = 0, begin; (begin = next(bits, end, size, true)) < size;) {
    end = next(bits, begin, size, false);
    if (set->count == MOST_SETS) return false;
    if (set->count == room) {
      room = room ? 2 * room : 4;
      struct mpl_bytes *more = realloc(set->each, room * sizeof *more);
      if (!more) return false;
      set->each = more;
    }
    set->each[set->count++] = (struct mpl_bytes){begin, end};
  }
  return true;
}

void mpl_uses_end(struct mpl_check_launch *check) {
  for (uint32_t i = 0; i < check->num_noted; i++) {
    struct mpl_noted *noted = &check->noted[i];
    struct mpl_arg_uses *uses = check->args[noted->argument].uses;
    uses->is_known = true;
    uses->has_atomics = atomic_load(&check->noted_atomics);
    for (unsigned k = 0; k < MPL_USES; k++)
      uses->is_known &= collect(noted->bits[k], noted->size, &uses->sets[k]);
    clear(noted);
  }
  free(check->noted);
  check->noted = NULL;
  check->num_noted = 0;
}
