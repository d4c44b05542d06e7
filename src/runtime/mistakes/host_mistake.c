#include "runtime/mistakes/host_mistake.h"

_Atomic(mpl_tell_host *) mpl_host_teller;
