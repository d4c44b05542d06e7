#!/bin/sh
# check-aarch64-kernel.sh BUILD [PATTERN]: the units of the run time that are about processes, signals and what the system
# confines, which qemu's user emulation hands on to a kernel of another processor, or not at all: all units without a
# compiler, on Debian's kernel for AArch64 in an emulated machine.  BUILD is check-aarch64.sh's.
set -eu
build=$(realpath "$1") image=$(realpath "$1")/system pattern=${2:-'^unit\.runtime_'}
sysroot=$build/sysroot

packed=$image/root
rm -rf "$packed"
mkdir -p "$packed/bin" "$packed/proc" "$packed/sys" "$packed/dev" "$packed/tmp" "$packed/usr" "$packed/lib" "$packed$build"
cp "$image/unpacked/bin/busybox" "$packed/bin"
for name in sh mount timeout env poweroff cat true sleep mkdir; do ln -s busybox "$packed/bin/$name"; done
for name in libc.so.6 libm.so.6 libgcc_s.so.1 libstdc++.so.6 libdl.so.2 libpthread.so.0 libcrypt.so.1; do
  cp -L "$sysroot/usr/lib/aarch64-linux-gnu/$name" "$packed/lib"
done
cp -L "$sysroot/usr/lib/ld-linux-aarch64.so.1" "$packed/lib"
(cd "$build" && cp --parents -t "$packed$build" tests/runtime_* tests/unit/*.so tests/unit/*.o lib/maniple/warm.so)

# Each test without its emulator: what stands behind the folder of libraries.
ctest --test-dir "$build" --show-only=json-v1 -R "$pattern" | jq -r --arg sysroot "$sysroot" '.tests[] |
  [.name, "env", (.command[] | select(startswith("MANIPLE_THREADS="))), .command[(.command | index($sysroot)) + 1:][]] |
  join(" ")' >"$packed/tests"
cat >"$packed/init" <<'INIT'
#!/bin/sh
export PATH=/bin MANIPLE_CACHE=0
mount -t proc none /proc
mount -t sysfs none /sys
mount -t devtmpfs none /dev
mount -t tmpfs none /tmp
mkdir /dev/shm
mount -t tmpfs none /dev/shm
cat /proc/version
while read -r name command; do
  timeout 600 $command </dev/null >/tmp/output 2>&1
  status=$?
  [ $status -eq 0 ] || cat /tmp/output
  echo "$name: status $status"
done </tests
poweroff -f
INIT
chmod +x "$packed/init"
(cd "$packed" && find . | cpio --quiet -o -H newc) | gzip -1 >"$image/initramfs"

qemu-system-aarch64 -M virt -cpu cortex-a72 -smp 4 -m 2G -display none -serial stdio -monitor none -nic none -no-reboot \
  -kernel "$image"/unpacked/boot/vmlinuz-* -initrd "$image/initramfs" -append "console=ttyAMA0 quiet panic=-1" </dev/null |
  tr -d '\r' | tee "$image/log"
awk -v tests="$(wc -l <"$packed/tests")" '/^unit\.[a-z_0-9]*: status [0-9]+$/ { ended[$3]++; all++ }
  END { printf "on a kernel for AArch64: %d passed, %d skipped, %d failed\n", ended[0], ended[77], tests - ended[0] - ended[77]
        exit all != tests || ended[0] + ended[77] != tests }' "$image/log"
