/* Which variables of the program kernels read or write, as the parts of it that maniple's compiler
 * made tell when they are loaded. */
#include <pthread.h>
#include <stdbool.h>

#include "host/host.h"
#include "maniple/kernel.h"
#include "runtime/threads/lock.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct mpl_kernel_variables *first;

void mpl_tell_kernel_variables(struct mpl_kernel_variables *of) {
  mpl_lock(&lock);
  of->next = first;
  first = of;
  mpl_unlock(&lock);
}

void mpl_forget_kernel_variables(struct mpl_kernel_variables *of) {
  mpl_lock(&lock);
  struct mpl_kernel_variables **each = &first;
  while (*each && *each != of) each = &(*each)->next;
  if (*each) *each = of->next;
  mpl_unlock(&lock);
}

static bool has(const struct mpl_kernel_variables *of, const void *variable) {
  if (!of->list) return true;
  for (size_t i = 0; i < of->count; i++)
    if (of->list[i] == variable) return true;
  return false;
}

int mpl_is_kernel_variable(const void *variable) {
  bool found = false;
  mpl_lock(&lock);
  for (const struct mpl_kernel_variables *each = first; each && !found; each = each->next)
    found = has(each, variable);
  mpl_unlock(&lock);
  return found;
}
