#!/bin/sh
# check-aarch64.sh FIRST BUILD: the run time and test programs for AArch64, run by qemu's user emulation.
# FIRST is a finished build for this machine: its plugin, run by this machine's clang, compiles kernels
# for AArch64.  Debian's libraries for it, a kernel and a shell are fetched by apt, with lists of its own, and
# unpacked into BUILD; nothing of them is installed.
set -eu
first=$(realpath "$1")
mkdir -p "$2"
build=$(realpath "$2") llvm=${LLVM:-19}
here=$(cd "$(dirname "$0")/.." && pwd)
apt=$build/apt sysroot=$build/sysroot
system=$build/system
packages="libc6 libc6-dev linux-libc-dev libgcc-s1 libstdc++6 libcrypt1 ocl-icd-libopencl1 ocl-icd-opencl-dev
          opencl-c-headers"
# What apt says that a package depends on, by the beginning of its name.
depends() { apt-cache depends "$1" | sed -n "s/^ *Depends: \\($2.*\\)/\\1/p"; }

if ! [ -f "$sysroot/complete" ]; then
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/debs"
  : >"$apt/status"
  cat >"$apt/apt.conf" <<CONF
Dir::State "$apt";
Dir::State::status "$apt/status";
Dir::State::Lists "$apt/lists";
Dir::Cache "$apt/cache";
APT::Architecture "arm64";
APT::Architectures {"arm64";};
APT::Sandbox::User "root";
CONF
  export APT_CONFIG="$apt/apt.conf"
  echo "maniple: fetching Debian's libraries and a kernel for AArch64 into $build"
  apt-get -qq update
  gcc=$(depends g++ g++-) gcc=${gcc#g++-}
  packages="$packages libgcc-$gcc-dev libstdc++-$gcc-dev"
  (cd "$apt/debs" && apt-get -qq download $packages)
  mkdir -p "$system/debs"
  (cd "$system/debs" && apt-get -qq download busybox-static "$(depends linux-image-cloud-arm64 linux-image-)")
  for package in "$system"/debs/*.deb; do dpkg-deb -x "$package" "$system/unpacked"; done
  for package in "$apt"/debs/*.deb; do dpkg-deb -x "$package" "$sysroot"; done
  cp -a "$sysroot/lib/." "$sysroot/usr/lib/" # one folder, as on an installed system
  rm -rf "$sysroot/lib"
  ln -s usr/lib "$sysroot/lib"
  unset APT_CONFIG
  touch "$sysroot/complete"
fi

cmake -G Ninja -S "$here" -B "$build" -DCMAKE_TOOLCHAIN_FILE="$here/cmake/aarch64.cmake" \
  -DMANIPLE_SYSROOT="$sysroot" -DMANIPLE_LLVM="$llvm" -DMANIPLE_TOOLS="$first" --log-level=WARNING >/dev/null
cmake --build "$build" --target all tests

# This machine's clang and linker, for the processor that is emulated and with its libraries, which lie elsewhere.
tools=$build/lib/maniple/toolchain/bin libraries=$sysroot/usr/lib/aarch64-linux-gnu
mkdir -p "$tools"
cat >"$tools/clang-$llvm" <<TOOL
#!/bin/sh
for word; do
  shift
  [ "\$word" != -mcpu=native ] || word=-mcpu=cortex-a72
  set -- "\$@" "\$word"
done
exec "$(command -v "clang-$llvm")" "\$@"
TOOL
cat >"$tools/ld.lld" <<TOOL
#!/bin/sh
exec "$(command -v "ld.lld-$llvm" || command -v ld.lld)" "\$@" "$libraries/libm.so.6" "$libraries/libc.so.6" \
  "$libraries/libgcc_s.so.1"
TOOL
chmod +x "$tools/clang-$llvm" "$tools/ld.lld"

status=0
"$here/scripts/check-aarch64-kernel.sh" "$build" || status=1
"$here/scripts/check.sh" "$build" || status=1
exit $status
