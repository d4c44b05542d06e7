#!/bin/sh
# trial.sh: the packages in /srv/first and /srv/second, in a Debian that has nothing else; see check.sh.
set -eu
cd /srv/package

step() { printf '%s\n' "$*"; }
fail() {
  printf 'trial.sh: %s\n' "$*" >&2
  exit 1
}
quietly() { "$@" >/tmp/log 2>&1 || { tail -n 20 /tmp/log; fail "failed: $*"; } }
# All there is, but for what the packaging tools keep of their own and what programs are working on.
files() {
  find / -xdev \( -path /proc -o -path /sys -o -path /tmp -o -path /srv -o -path /root -o \
    -path /var/cache -o -path /var/log -o -path /var/lib/apt -o -path /var/lib/dpkg \) -prune -o -print |
    sort
}
ours="libmaniple1 maniple-opencl-icd maniple libmaniple-dev"

step "apt install ./*.deb"
quietly apt-get -qq update
quietly apt-get -qq -y install clinfo cmake make pkgconf gcc g++ ocl-icd-opencl-dev
quietly apt-get -qq -y install /srv/first/*.deb
files >/tmp/installed

step "clinfo"
clinfo >/tmp/clinfo
grep -q 'Platform Name  *maniple$' /tmp/clinfo || fail "clinfo shows no platform of ours"
grep -q 'Device Version  *OpenCL 3.1 maniple' /tmp/clinfo || fail "clinfo shows no device of ours"

step "maniple info"
maniple info >/tmp/info || { cat /tmp/info; fail "maniple info finds something amiss"; }
grep '^check ' /tmp/info

step "the README's first program"
first() {
  ./first >/tmp/first
  diff first.txt /tmp/first || fail "the first program does not print what the README says"
}
gcc -o first first.c -lOpenCL
maniple cache clear >/tmp/log # clinfo builds a program too
first

step "maniple c++, maniple cc, CMake, pkg-config"
maniple c++ app.cpp -o app && ./app
maniple cc app.c -o app && ./app | grep ', compiled'
for compiler in clang gcc; do
  case $compiler in clang) cc=clang-19 cxx=clang++-19 how=compiled ;; gcc) cc=gcc cxx=g++ how=fibres ;; esac
  quietly cmake -S . -B /tmp/$compiler -DCMAKE_C_COMPILER=$cc -DCMAKE_CXX_COMPILER=$cxx \
    -DCMAKE_BUILD_TYPE=Release
  quietly cmake --build /tmp/$compiler
  /tmp/$compiler/sycl_app
  /tmp/$compiler/c_app | grep ", $how"
done
clang-19 -O2 $(pkg-config --cflags maniple) $(pkg-config --variable=kernel_cflags maniple) app.c -o app \
  $(pkg-config --libs maniple)
./app | grep ', compiled'

step "an upgrade, on whose first run nothing of the old cache is used"
entries() { maniple cache list | wc -l; }
maniple cache clear >/tmp/log # maniple c++ leaves a precompiled header
first
[ "$(entries)" = 1 ] || fail "the first program left $(entries) files in the cache"
first
[ "$(entries)" = 1 ] || fail "a second run did not use the cache"
quietly apt-get -qq -y install /srv/second/*.deb
first
[ "$(entries)" = 2 ] || fail "the new version used what the old one had compiled"
maniple c++ app.cpp -o app && ./app

step "apt purge"
quietly apt-get -qq -y purge $ours
files >/tmp/purged
for package in $ours; do
  ! dpkg-query -W "$package" 2>/dev/null || fail "$package is still known"
done
comm -13 /tmp/installed /tmp/purged >/tmp/left
[ ! -s /tmp/left ] || { cat /tmp/left; fail "these files were left behind"; }
! grep -i maniple /tmp/purged || fail "these files were left behind"
[ ! -e /etc/OpenCL/vendors/maniple.icd ] || fail "the registration was left behind"
! ./first 2>/dev/null || fail "the driver still runs"
echo "The packages install, work, upgrade and go."
