/* Objects with a table of kernels like a compiled one's, which Maniple's compiler would not make:
 * HOSTILE says what is wrong. */
#include "abi/kernel.h"

#include <stdlib.h>

#define CONSTRUCTOR 1
#define DESTRUCTOR 2
#define RESOLVER 3 /* of a function's address: runs when relocations are done */
#define FOREIGN 4  /* a function that kernels do not call */
#define NO_TABLE 5

#if HOSTILE == CONSTRUCTOR
__attribute__((constructor)) static void run(void) { abort(); }
#elif HOSTILE == DESTRUCTOR
__attribute__((destructor)) static void run(void) { abort(); }
#elif HOSTILE == RESOLVER
static void (*resolve(void))(void) { abort(); }
void chosen(void) __attribute__((ifunc("resolve")));
void (*const uses)(void) = chosen;
#elif HOSTILE == FOREIGN
int (*const uses)(const char *) = system;
#endif

#if HOSTILE != NO_TABLE
const struct mpl_object mpl_object = {.abi_version = MPL_ABI_VERSION};
#endif
