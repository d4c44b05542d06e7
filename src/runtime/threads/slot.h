/* A number of the calling thread. */
#ifndef MPL_RUNTIME_SLOT_H
#define MPL_RUNTIME_SLOT_H

/* The lowest that no living thread has, as long as there is one.  Threads that write to places of
 * their own number do not wait for one another's cache lines; two may have the same. */
enum { MPL_SLOTS = 64 };
unsigned mpl_slot(void);

#endif
