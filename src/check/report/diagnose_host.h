/* Messages on mistakes of the host's program that other layers have found. */
#ifndef MPL_CHECK_DIAGNOSE_HOST_H
#define MPL_CHECK_DIAGNOSE_HOST_H

#include "runtime/mistakes/host_mistake.h"

mpl_tell_host mpl_diagnose_host;

#endif
