/* Commands other than kernels that use what the host has mapped (OpenCL 3.0 API, 5.4.3). */
#include <stdint.h>
#include <stdio.h>

#include "mem.h"
#include "mem_watch.h"
#include "runtime/mistakes/host_mistake.h"

void mpl_mem_watch_command(cl_mem mem, const char *command, const struct mpl_box *box,
                           bool writes) {
  struct mpl_mem_watch *watch = mpl_mem_watch_of(mem);
  struct mpl_box own = *box;
  char text[240];
  if (!watch) return;
  own.start += mem->origin;
  mpl_lock(&watch->lock);
  for (const struct mpl_watched_map *map = watch->maps; map; map = map->next) {
    size_t at =
        map->is_made && (writes || map->writes) ? mpl_box_common(&own, &map->box) : SIZE_MAX;
    if (at == SIZE_MAX) continue;
    snprintf(text, sizeof text,
             "command '%s' %s byte %zu of a memory object, which the host has mapped%s", command,
             writes ? "writes to" : "reads", at - mem->origin, map->writes ? " for writing" : "");
    mpl_host_tell(&(struct mpl_host_mistake){
        .kind = MPL_HOST_ACCESS, .text = text, .notes = {{"mapped here", &map->made}}});
  }
  mpl_unlock(&watch->lock);
}
