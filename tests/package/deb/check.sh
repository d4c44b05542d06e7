#!/bin/sh
# check.sh FOLDER: tries the packages that make-deb.sh left in FOLDER in a new Debian of the suite that this
# system is, which debootstrap makes in FOLDER/debian: installing, using, upgrading, removing (trial.sh).
# Needs root, or sudo, and Debian's mirror.
#   SUITE=... another suite; MIRROR=... another mirror; KEEP=1 leaves the new system where it is
set -eu
[ "$(id -u)" -eq 0 ] || exec sudo env SUITE="${SUITE:-}" MIRROR="${MIRROR:-}" KEEP="${KEEP:-}" "$0" "$1"
folder=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
source=$here/../../..
root=$folder/debian
suite=${SUITE:-$(. /etc/os-release && echo "${VERSION_CODENAME:-bookworm}")}
"$source/scripts/install-packages.sh" debootstrap

# In a mount namespace of its own: what is mounted goes with it.
if [ "${1:-}" != "${MOUNTED:-}" ]; then
  status=0
  MOUNTED=$1 unshare --mount --pid --fork --kill-child "$0" "$1" || status=$?
  [ -n "${KEEP:-}" ] || rm -rf --one-file-system "$root"
  exit $status
fi

rm -rf --one-file-system "$root"
debootstrap --variant=minbase "$suite" "$root" "${MIRROR:-http://deb.debian.org/debian}" >"$folder/debootstrap.log" 2>&1 || {
  tail -n 5 "$folder/debootstrap.log"
  exit 1
}
mount -t proc proc "$root/proc"

# The same packages again, as if of a later day: another version, later files.
again() { # DEB FOLDER
  rm -rf "$folder/again"
  dpkg-deb -R "$1" "$folder/again"
  version=$(dpkg-deb -f "$1" Version)
  sed -i "s/$version/$version+again/g" "$folder/again/DEBIAN/control"
  find "$folder/again/usr" -type f -exec touch -d '+1 minute' {} +
  dpkg-deb -b --root-owner-group "$folder/again" "$2" >/dev/null
  rm -rf "$folder/again"
}
mkdir -p "$root/srv/first" "$root/srv/second" "$root/srv/package"
for deb in "$folder"/*.deb; do
  case $deb in *-dbgsym_*) continue ;; esac
  cp "$deb" "$root/srv/first"
  again "$deb" "$root/srv/second"
done
cp "$here/trial.sh" "$here"/../app.c "$here"/../app.cpp "$here"/../CMakeLists.txt "$root/srv/package"
# The first program of the README, and what it prints there.
sed -n '/^```c$/,/^```$/p' "$source/README.md" | sed '1d;/^```$/,$d' >"$root/srv/package/first.c"
sed -n '/^    \$ .*\.\/first$/{n;s/^    //p;q}' "$source/README.md" >"$root/srv/package/first.txt"
chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
  DEBIAN_FRONTEND=noninteractive sh /srv/package/trial.sh
