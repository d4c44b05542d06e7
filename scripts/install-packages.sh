#!/bin/sh
# Installs the Debian packages that the build and the tests need, and only those that are missing.
# Does nothing, silently, if all are there.
#   install-packages.sh          install what is missing
#   install-packages.sh NAME...  the same for these packages only
#   install-packages.sh --list   print the list
#   LLVM=20, LLVM=21             with that version of clang and LLVM in place of 19
set -eu

llvm=${LLVM:-19}
packages="cmake ninja-build clang-$llvm llvm-$llvm-dev libclang-$llvm-dev libclang-rt-$llvm-dev
          g++ make ocl-icd-libopencl1 ocl-icd-opencl-dev opencl-c-headers clinfo libpng-dev gdb
          spirv-headers spirv-tools zsh jq xz-utils"
fedora="cmake ninja-build clang$llvm clang$llvm-devel llvm$llvm-devel compiler-rt$llvm gcc-c++ make
        ocl-icd-devel opencl-headers clinfo libpng-devel gdb spirv-headers-devel spirv-tools zsh jq xz"

if [ "${1:-}" = --list ]; then
  printf '%s\n' $packages
  exit 0
fi

[ $# -eq 0 ] || packages="$*"

# On other systems: no list of packages to compare with, but the commands can be looked for.
if ! command -v dpkg-query >/dev/null 2>&1 || ! command -v apt-get >/dev/null 2>&1; then
  for command in cmake ninja "clang-$llvm" "clang++-$llvm"; do
    command -v "$command" >/dev/null 2>&1 && continue
    echo "maniple: '$command' is missing, and packages are installed on Debian and Ubuntu only." >&2
    if command -v dnf >/dev/null 2>&1; then
      echo "On Fedora this installs what the build needs (the numbers are left out for the version that" \
        "Fedora has as its own):" >&2
      echo sudo dnf install $fedora >&2
    else
      echo "Needed: CMake, Ninja, clang and LLVM $llvm with headers, an OpenCL ICD loader with headers," \
        "libpng, SPIR-V's headers and tools." >&2
    fi
    exit 1
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
  echo "  apt-get install --no-install-recommends$missing" >&2
  exit 1
fi

echo "maniple: installing missing packages:$missing"
# Through env, because sudo drops the environment.
$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq update
$as_root env DEBIAN_FRONTEND=noninteractive \
  apt-get -qq -y --no-install-recommends install $missing >/dev/null || {
  echo "maniple: apt-get could not install them.  Debian 12 has clang-19 since one of its point" \
       "releases: an old mirror or a snapshot may lack it.  Ubuntu 24.04 has it in noble-updates, and" \
       "Debian 13 clang-21 in trixie-backports." >&2
  exit 1
}
