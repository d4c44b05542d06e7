#!/bin/sh
# Installs the Debian packages that the build and the tests need, and only those that are missing.
# Does nothing, silently, if all are there.
#   install-packages.sh          install what is missing
#   install-packages.sh NAME...  the same for these packages only
#   install-packages.sh --list   print the list
set -eu

packages="cmake ninja-build clang-19 llvm-19-dev libclang-19-dev libclang-rt-19-dev
          g++ make ocl-icd-libopencl1 ocl-icd-opencl-dev opencl-c-headers clinfo libpng-dev gdb
          spirv-headers spirv-tools zsh jq"

if [ "${1:-}" = --list ]; then
  printf '%s\n' $packages
  exit 0
fi

[ $# -eq 0 ] || packages="$*"

# On other systems: no list of packages to compare with, but the commands can be looked for.
if ! command -v dpkg-query >/dev/null 2>&1 || ! command -v apt-get >/dev/null 2>&1; then
  for command in cmake ninja clang-19 clang++-19; do
    command -v "$command" >/dev/null 2>&1 || {
      echo "maniple: '$command' is missing, and this is not a Debian system that packages could be" \
           "installed on automatically.  Needed: CMake, Ninja, clang and LLVM 19 with headers," \
           "an OpenCL ICD loader with headers, libpng." >&2
      exit 1
    }
  done
  exit 0
fi

missing=
for package in $packages; do
  state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || state=none
  [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -eq 0 ]; then
  as_root=
elif command -v sudo >/dev/null 2>&1; then
  as_root=sudo
else
  echo "maniple: these packages are missing:$missing" >&2
  echo "maniple: this user is not root and there is no sudo; please have an administrator run" >&2
  echo "  apt-get install$missing" >&2
  exit 1
fi

echo "maniple: installing missing packages:$missing"
# Through env, because sudo drops the environment.
$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq update
$as_root env DEBIAN_FRONTEND=noninteractive \
  apt-get -qq -y --no-install-recommends install $missing >/dev/null || {
  echo "maniple: apt-get could not install them.  Debian 12 has clang-19 since one of its point" \
       "releases: an old mirror or a snapshot may lack it." >&2
  exit 1
}
