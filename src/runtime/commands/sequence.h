/* The order of commands that the host's program has set up: by a queue, by events, or because the
 * host has seen the end of one.  That one happened to end before another began makes no order.  The
 * order is kept under the check only.  Where it is unknown who has seen what, commands count as in
 * order. */
#ifndef MPL_RUNTIME_SEQUENCE_H
#define MPL_RUNTIME_SEQUENCE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "runtime/mistakes/locate.h"

enum { MPL_SEQUENCE_QUEUES = 64 }; /* at a time */

struct mpl_sequence {
  struct mpl_trace enqueued;
  uint64_t made;                       /* less than those of commands that were enqueued later */
  unsigned queue;                      /* a place in `until`; MPL_SEQUENCE_QUEUES: none */
  uint64_t number;                     /* in its queue, once it has begun */
  uint64_t until[MPL_SEQUENCE_QUEUES]; /* of each queue, the last command that is in front of this
                                        * one, or is itself */
};

/* From here on, if not before: kernels are checked. */
void mpl_sequence_want(void);
extern atomic_bool mpl_sequences; /* are wanted */

/* A queue's place; its end. */
unsigned mpl_sequence_join(void);
void mpl_sequence_leave(unsigned queue);
/* Commands may be unordered: there are two queues. */
bool mpl_sequence_matters(void);

/* Of a new command, freed with free(), where they are wanted; null if there is no memory, and then
 * nothing is known of the command. */
struct mpl_sequence *mpl_sequence_new(unsigned queue);
/* `before` has ended, `after` has not begun. */
void mpl_sequence_follow(struct mpl_sequence *after, const struct mpl_sequence *before);
/* It begins, and ends; between the two it is the thread's own.  The first returns whose that was.
 */
const struct mpl_sequence *mpl_sequence_begin(struct mpl_sequence *);
void mpl_sequence_end(const struct mpl_sequence *, const struct mpl_sequence *before);

/* The host knows what the command knows, and that it has ended. */
void mpl_sequence_seen(const struct mpl_sequence *);
/* It knows the same of all commands of a queue that have ended; of all queues. */
void mpl_sequence_seen_queue(unsigned queue);
void mpl_sequence_seen_all(void);
/* A user event: whatever the host knows now. */
void mpl_sequence_of_host(struct mpl_sequence *);

/* The command that the thread does; or null. */
const struct mpl_sequence *mpl_sequence_now(void);
/* Others may have heard of the thread's command in a way that is not known, and it of others. */
void mpl_sequence_share(void);

static inline bool mpl_sequence_has(const struct mpl_sequence *order, unsigned queue,
                                    uint64_t number) {
  return order->until[queue] >= number;
}

#endif
