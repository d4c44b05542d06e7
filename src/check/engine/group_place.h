/* The memory that mpl_group_place has given to the running thread. */
#ifndef MPL_CHECK_GROUP_PLACE_H
#define MPL_CHECK_GROUP_PLACE_H

#include <stdbool.h>

/* Whether `p` leads into some of it. */
bool mpl_is_group_place(const void *p);

#endif
