/* The parts of an installation: those of tables/parts.def, the headers, the ICD loader and the file
 * by which it finds the driver. */
#include "cli/installation.h"

#include <dirent.h>
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tables/clang.h"
#include "toolchain/internals.h"

#define VENDORS "/etc/OpenCL/vendors"

bool mpl_library_file(char file[PATH_MAX]) {
  Dl_info info;
  return dladdr((void *)mpl_internals.tools, &info) && info.dli_fname &&
         realpath(info.dli_fname, file);
}

bool mpl_library_folder(char folder[PATH_MAX]) {
  char *slash = mpl_library_file(folder) ? strrchr(folder, '/') : NULL;
  if (slash) *slash = 0;
  return slash != NULL;
}

/* The folder of that name that holds such a file: beside the library's folder, or beside the folder
 * of that. */
static bool find_beside(const char *name, const char *file, char folder[PATH_MAX]) {
  static const char *const ways[] = {"..", "../.."};
  char library[PATH_MAX], path[2 * PATH_MAX];
  if (!mpl_library_folder(library)) return false;
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    int length = snprintf(path, sizeof path, "%s/%s/%s/", library, ways[i], name);
    snprintf(path + length, sizeof path - (size_t)length, "%s", file);
    if (access(path, R_OK)) continue;
    path[length] = 0;
    if (realpath(path, folder)) return true;
  }
  return false;
}

bool mpl_headers_folder(char folder[PATH_MAX]) {
  return find_beside("include", "maniple/kernel.h", folder);
}

/* Does the file, NAME.icd, name our library: by its path, or as one that is looked for? */
static bool names_library(const char *icd) {
  char line[PATH_MAX] = "", ours[PATH_MAX], theirs[PATH_MAX];
  FILE *file = fopen(icd, "re");
  if (!file) return false;
  if (!fgets(line, sizeof line, file)) line[0] = 0;
  fclose(file);
  line[strcspn(line, "\r\n")] = 0;
  if (!strchr(line, '/')) return !strncmp(line, "libmaniple.so", strlen("libmaniple.so"));
  return mpl_library_file(ours) && realpath(line, theirs) && !strcmp(ours, theirs);
}

static bool is_library(const char *file, char found[PATH_MAX]) {
  char ours[PATH_MAX];
  return mpl_library_file(ours) && realpath(file, found) && !strcmp(ours, found);
}

/* The library itself, in the Khronos loader's list. */
static bool find_in_list(char found[PATH_MAX]) {
  char file[PATH_MAX];
  const char *list = getenv("OCL_ICD_FILENAMES");
  for (size_t length; list && *list; list += length + (list[length] == ':')) {
    length = strcspn(list, ":");
    if (snprintf(file, sizeof file, "%.*s", (int)length, list) < PATH_MAX && is_library(file, found))
      return true;
  }
  return false;
}

/* What loaders find us by: an .icd file, or the library itself.  OCL_ICD_VENDORS: a folder of such files
 * for every loader; one, or the library, for ocl-icd. */
static bool find_registration(char found[PATH_MAX]) {
  const char *asked = getenv("OCL_ICD_VENDORS"), *where = asked && *asked ? asked : VENDORS;
  struct stat info;
  if (is_library(where, found) || find_in_list(found)) return true;
  if (stat(where, &info)) return false;
  if (!S_ISDIR(info.st_mode)) return names_library(where) && realpath(where, found);
  DIR *folder = opendir(where);
  bool good = false;
  for (struct dirent *entry; !good && folder && (entry = readdir(folder));) {
    size_t length = strlen(entry->d_name);
    if (length < 4 || strcmp(entry->d_name + length - 4, ".icd")) continue;
    good = snprintf(found, PATH_MAX, "%s/%s", where, entry->d_name) < PATH_MAX &&
           names_library(found);
  }
  if (folder) closedir(folder);
  return good;
}

/* To point to the folder that the build or the installation has made, which all loaders take; else
 * to the library. */
static void mend_registration(char command[2 * PATH_MAX]) {
  static const char name[] = "maniple.icd";
  char path[PATH_MAX];
  if (find_beside("icd", name, path) || find_beside("etc/OpenCL/vendors", name, path))
    snprintf(command, 2 * PATH_MAX, "export OCL_ICD_VENDORS=%s", path);
  else
    strcpy(command, "eval \"$(maniple env)\"");
}

static bool find_loader(char found[PATH_MAX]) {
  struct link_map *map;
  void *loader = dlopen("libOpenCL.so.1", RTLD_LAZY | RTLD_LOCAL);
  bool good = loader && !dlinfo(loader, RTLD_DI_LINKMAP, &map) && realpath(map->l_name, found);
  if (loader) dlclose(loader);
  return good;
}

static void say_install(const char *package, char command[2 * PATH_MAX]) {
  if (!*package)
    snprintf(command, 2 * PATH_MAX, "install maniple again");
  else if (!access("/usr/bin/apt-get", X_OK))
    snprintf(command, 2 * PATH_MAX, "sudo apt-get install %s", package);
  else
    snprintf(command, 2 * PATH_MAX, "install what Debian has as %s", package);
}

static void of_tools(struct mpl_part *part, const char *path, const char *package) {
  if (*path && !access(path, R_OK))
    snprintf(part->found, sizeof part->found, "%s", path);
  else
    say_install(package, part->command);
}

size_t mpl_parts(struct mpl_part parts[MPL_MOST_PARTS]) {
  const struct mpl_tools *tools = mpl_internals.tools();
  struct mpl_part *part = parts;
#define MPL_PART(key, needed_by, package)                                                          \
  *part = (struct mpl_part){#key, needed_by, "", ""};                                              \
  of_tools(part++, tools->key, package);
#include "tables/parts.def"
  if (parts->command[0] && mpl_internals.options()[MPL_OPTION_CLANG].set) /* the first: clang */
    snprintf(parts->command, sizeof parts->command, "unset MANIPLE_CLANG");
  *part = (struct mpl_part){"headers", "maniple c++, maniple cc", "", ""};
  if (!mpl_headers_folder(part->found)) say_install("libmaniple-dev", part->command);
  part++;
  *part = (struct mpl_part){"icd_loader", "OpenCL programs", "", ""};
  if (!find_loader(part->found)) say_install("ocl-icd-libopencl1", part->command);
  part++;
  *part = (struct mpl_part){"registration", "OpenCL programs, to find this driver", "", ""};
  if (!find_registration(part->found)) {
    part->found[0] = 0;
    mend_registration(part->command);
  }
  part++;
  return (size_t)(part - parts);
}
