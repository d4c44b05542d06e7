/* The rows of tables/targets.def, for the tables that name them: a new row compiles these again, and nothing else. */
#ifndef MPL_COMPILER_TARGET_ROWS_H
#define MPL_COMPILER_TARGET_ROWS_H

enum mpl_target_row {
#define MPL_TARGET(id, ...) MPL_TARGET_##id,
#include "tables/targets.def"
};

#endif
