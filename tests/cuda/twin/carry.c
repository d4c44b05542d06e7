/* Sums and differences of numbers that are longer than a register: what is carried from one
 * instruction to the next is a flag of the thread. */
#include <string.h>

#include "twin.h"

void twin_with_carry(struct twin_thread *t, const struct twin_instruction *i) {
  bool takes = i->name[3] == 'c', subtracts = !strncmp(i->name, "sub", 3);
  unsigned bits = 8 * twin_size(i->type);
  unsigned __int128 end = (unsigned __int128)1 << bits;
  unsigned __int128 a = twin_value(t, &i->operands[1]) & (end - 1),
                    b = twin_value(t, &i->operands[2]) & (end - 1), result;
  if (takes) b += t->carry;
  result = subtracts ? a + end - b : a + b;
  if (strstr(i->name, ".cc")) t->carry = subtracts ? a < b : result >= end;
  twin_set(t, &i->operands[0], (uint64_t)(result & (end - 1)));
}
