/* A share of which nothing is left for others is joined once more by nobody; one that a thread left
 * because it was told to is. */
#include "runtime/threads/threads.h"
#include "unit.h"

static int joins;

static void work(struct mpl_share *share, const atomic_int *until) {
  CHECK(share->limit == 3);
  CHECK(atomic_load(&share->joined) == 1);
  (void)until;
  joins++;
}

int main(void) {
  struct mpl_pool *pool = mpl_pool_create(3);
  struct mpl_share share = {.work = work}, other = {.work = work};
  atomic_int waits = 1, told = 0;
  CHECK(pool);
  CHECK(!mpl_pool_help(pool, &waits));
  mpl_pool_share(pool, &share, 0); /* no worker is called */
  CHECK(mpl_pool_help(pool, &told) && joins == 1);
  CHECK(mpl_pool_help(pool, &waits) && joins == 2);
  CHECK(!mpl_pool_help(pool, &waits) && joins == 2);
  mpl_pool_share(pool, &other, 0);
  CHECK(mpl_pool_help(pool, NULL) && joins == 3);
  CHECK(!mpl_pool_help(pool, NULL) && joins == 3);
  mpl_pool_share_end(pool, &other);
  mpl_pool_share_end(pool, &share);
  mpl_pool_share(pool, &share, 0); /* again */
  CHECK(mpl_pool_help(pool, NULL) && joins == 4);
  mpl_pool_share_end(pool, &share);
  mpl_pool_release(pool);
  return 0;
}
