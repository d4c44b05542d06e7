/* Reads a whole module. */
#ifndef MPL_SPIRV_READ_H
#define MPL_SPIRV_READ_H

#include "reader.h"

/* Fills r->module, which is empty and has its target, from r->binary; r's fields above `context`
 * that come from the command line are set too.  Ends the process if the module cannot be
 * translated. */
void mpl_spirv_read(mpl_spirv r);

#endif
