#include "cache.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cache_folder.h"
#include "runtime/options.h"
#include "runtime/print/log.h"
#include "runtime/print/write_all.h"
#include "toolchain/process/process.h"

static const char magic[8] = {'m', 'p', 'l', 'c', 'a', 'c', 'h', 1};

/* Then: per dependency {uint64 path size, uint64 file size, int64 seconds, int64 ns, hash, path},
 * the log, the binary.  The checksum is of all that comes after it. */
struct header {
  char magic[8];
  uint8_t checksum[MPL_HASH_SIZE];
  uint8_t key[MPL_HASH_SIZE];
  uint64_t num_dependencies, dependencies_size, log_size, binary_size;
};

struct dependency {
  uint64_t path_size, size;
  int64_t seconds, nanoseconds;
  uint8_t hash[MPL_HASH_SIZE];
};

static void entry_name(const struct mpl_cache_key *key, char name[80]) {
  for (size_t i = 0; i < 20; i++) sprintf(name + 2 * i, "%02x", key->bytes[i]);
  strcpy(name + 40, MPL_CACHE_SUFFIX);
}

/* A whole file; null if it cannot be read.  The file must be the user's own. */
static void *read_file(int folder, const char *name, bool own, size_t *size, struct stat *status) {
  int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (own ? O_NOFOLLOW : 0));
  *size = 0;
  if (fd < 0) return NULL;
  bool good = !fstat(fd, status) && S_ISREG(status->st_mode) &&
              (!own || (status->st_uid == geteuid() && !(status->st_mode & 022)));
  char *data = good ? mpl_file_contents(fd, size) : NULL;
  close(fd);
  return data;
}

static bool hash_file(const char *path, struct dependency *dependency) {
  struct stat status;
  size_t size;
  void *data = read_file(AT_FDCWD, path, false, &size, &status);
  if (!data || size != (size_t)status.st_size) {
    free(data);
    return false;
  }
  dependency->path_size = strlen(path);
  dependency->size = size;
  dependency->seconds = status.st_mtim.tv_sec;
  dependency->nanoseconds = status.st_mtim.tv_nsec;
  mpl_hash(data, size, dependency->hash);
  free(data);
  return true;
}

/* Size and time vouch for the contents; a file with another time is read. */
static bool unchanged(const struct dependency *then, const char *path) {
  struct stat status;
  struct dependency now;
  if (stat(path, &status) || (uint64_t)status.st_size != then->size) return false;
  if (status.st_mtim.tv_sec == then->seconds && status.st_mtim.tv_nsec == then->nanoseconds)
    return true;
  return hash_file(path, &now) && !memcmp(now.hash, then->hash, sizeof now.hash);
}

static bool dependencies_unchanged(const char *at, uint64_t count, uint64_t size) {
  for (; count; count--) {
    struct dependency dependency;
    char path[4097];
    if (size < sizeof dependency) return false;
    memcpy(&dependency, at, sizeof dependency);
    at += sizeof dependency;
    size -= sizeof dependency;
    if (dependency.path_size > size || dependency.path_size >= sizeof path) return false;
    memcpy(path, at, dependency.path_size);
    path[dependency.path_size] = 0;
    at += dependency.path_size;
    size -= dependency.path_size;
    if (!unchanged(&dependency, path)) return false;
  }
  return size == 0;
}

/* Takes an entry file apart; false if it is damaged, of another key, or out of date. */
static bool take_apart(const char *data, size_t size, const struct mpl_cache_key *key,
                       struct mpl_cache_entry *entry) {
  struct header header;
  uint8_t sum[MPL_HASH_SIZE];
  const size_t summed = offsetof(struct header, key);
  if (size < sizeof header) return false;
  memcpy(&header, data, sizeof header);
  mpl_hash(data + summed, size - summed, sum);
  if (memcmp(header.magic, magic, sizeof magic) || memcmp(sum, header.checksum, sizeof sum) ||
      memcmp(header.key, key->bytes, sizeof header.key))
    return false;
  size_t rest = size - sizeof header;
  if (header.dependencies_size > rest || header.log_size > rest - header.dependencies_size ||
      header.binary_size != rest - header.dependencies_size - header.log_size)
    return false;
  const char *at = data + sizeof header;
  if (!dependencies_unchanged(at, header.num_dependencies, header.dependencies_size)) return false;
  at += header.dependencies_size;
  entry->log = strndup(at, header.log_size);
  entry->binary_size = header.binary_size;
  entry->binary = malloc(header.binary_size + 1);
  if (!entry->log || !entry->binary) {
    mpl_cache_entry_free(entry);
    return false;
  }
  memcpy(entry->binary, at + header.log_size, header.binary_size);
  return true;
}

static int open_folder(bool make) {
  const char *problem;
  if (!mpl_option_number(MPL_OPTION_CACHE)) return -1;
  int folder = mpl_cache_open(make, &problem);
  if (problem) {
    static atomic_bool said;
    if (!atomic_exchange(&said, true))
      mpl_log(MPL_LOG_CACHE, "%s is not used: %s", mpl_cache_folder(), problem);
  }
  return folder;
}

bool mpl_cache_find(const struct mpl_cache_key *key, struct mpl_cache_entry *entry) {
  char name[80];
  struct stat status;
  size_t size;
  *entry = (struct mpl_cache_entry){0};
  int folder = open_folder(false);
  if (folder < 0) return false;
  entry_name(key, name);
  char *data = read_file(folder, name, true, &size, &status);
  bool found = data && take_apart(data, size, key, entry);
  if (found) /* the time of last use, for trimming */
    utimensat(folder, name, (struct timespec[2]){{.tv_nsec = UTIME_NOW}, {.tv_nsec = UTIME_OMIT}},
              AT_SYMLINK_NOFOLLOW);
  close(folder);
  free(data);
  mpl_log(MPL_LOG_CACHE, "%s: %s", name, found ? "hit" : data ? "damaged or out of date" : "miss");
  return found;
}

static void claim_name(const struct mpl_cache_key *key, char name[80]) {
  entry_name(key, name);
  strcpy(name + 40, ".lock.tmp"); /* which trimming removes, if its owner has not */
}

/* The lock goes with its owner, whatever ends that. */
int mpl_cache_claim(const struct mpl_cache_key *key, bool *waited) {
  enum { STEP = 10, MOST = 60000 }; /* ms */
  char name[80];
  *waited = false;
  int folder = open_folder(true);
  if (folder < 0) return -1;
  claim_name(key, name);
  int claim = openat(folder, name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  close(folder);
  for (int time = 0; claim >= 0 && flock(claim, LOCK_EX | LOCK_NB) && time < MOST; time += STEP) {
    *waited = true;
    nanosleep(&(struct timespec){.tv_nsec = STEP * 1000000}, NULL);
  }
  return claim;
}

void mpl_cache_unclaim(const struct mpl_cache_key *key, int claim) {
  char name[80];
  if (claim < 0) return;
  int folder = open_folder(false);
  claim_name(key, name);
  if (folder >= 0) { /* who waits for this file looks into the cache next */
    unlinkat(folder, name, 0);
    close(folder);
  }
  flock(claim, LOCK_UN); /* a child of fork() may have it open too */
  close(claim);
}

void mpl_cache_entry_free(struct mpl_cache_entry *entry) {
  free(entry->log);
  free(entry->binary);
  *entry = (struct mpl_cache_entry){0};
}

/* A growing run of bytes. */
struct bytes {
  char *data;
  size_t size;
  bool failed;
};

static void add_bytes(struct bytes *bytes, const void *data, size_t size) {
  char *longer = bytes->failed ? NULL : realloc(bytes->data, bytes->size + size + 1);
  if (!longer) {
    bytes->failed = true;
    return;
  }
  memcpy(longer + bytes->size, data, size);
  bytes->data = longer;
  bytes->size += size;
}

static bool put_together(struct bytes *out, const struct mpl_cache_key *key,
                         const struct mpl_cache_entry *entry, char *const *files, size_t count) {
  struct header header = {
      .num_dependencies = count, .log_size = strlen(entry->log), .binary_size = entry->binary_size};
  memcpy(header.magic, magic, sizeof magic);
  memcpy(header.key, key->bytes, sizeof header.key);
  add_bytes(out, &header, sizeof header);
  for (size_t i = 0; i < count; i++) {
    struct dependency dependency;
    if (!hash_file(files[i], &dependency)) return false;
    add_bytes(out, &dependency, sizeof dependency);
    add_bytes(out, files[i], strlen(files[i]));
  }
  if (out->failed) return false;
  header.dependencies_size = out->size - sizeof header;
  memcpy(out->data, &header, sizeof header);
  add_bytes(out, entry->log, header.log_size);
  add_bytes(out, entry->binary, entry->binary_size);
  if (out->failed) return false;
  const size_t summed = offsetof(struct header, key);
  mpl_hash(out->data + summed, out->size - summed,
           (uint8_t *)out->data + offsetof(struct header, checksum));
  return true;
}

static bool write_new(int folder, const char *name, const struct bytes *bytes) {
  int fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return false;
  bool written = mpl_write_all(fd, bytes->data, bytes->size);
  return !close(fd) && written;
}

void mpl_cache_store(const struct mpl_cache_key *key, const struct mpl_cache_entry *entry,
                     char *const *dependencies, size_t num_dependencies) {
  static atomic_uint number;
  char name[80], temporary[160];
  struct bytes bytes = {0};
  int folder = open_folder(true);
  if (folder < 0) return;
  entry_name(key, name);
  snprintf(temporary, sizeof temporary, "%.40s.%ld.%u.tmp", name, (long)getpid(),
           atomic_fetch_add(&number, 1));
  bool stored = put_together(&bytes, key, entry, dependencies, num_dependencies) &&
                bytes.size <= mpl_option_number(MPL_OPTION_CACHE_MAX_SIZE);
  if (stored) {
    stored = write_new(folder, temporary, &bytes) && !renameat(folder, temporary, folder, name);
    if (!stored) unlinkat(folder, temporary, 0);
  }
  if (stored) mpl_cache_trim(folder, bytes.size);
  close(folder);
  mpl_log(MPL_LOG_CACHE, "%s: %s", name, stored ? "stored" : "not stored");
  free(bytes.data);
}
