#!/bin/sh
# check.sh WHEEL [SUITE]...: installs the wheel with pip beside PyOpenCL in new systems of these suites of
# Debian (bookworm and trixie), which have Python and no compiler, and runs what trial.py and the README
# have; and looks for the licences of what is in it (licences.py).  Needs root, or sudo, Debian's mirror and
# a Python package index.
#   MIRROR=... another mirror; PIP_...=... are pip's
set -eu
[ "$(id -u)" -eq 0 ] || exec sudo -E "$0" "$@"
wheel=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
source=$here/../../..
shift
[ $# -gt 0 ] || set -- bookworm trixie
"$source/scripts/install-packages.sh" debootstrap python3
[ -n "${MOUNTED:-}" ] || python3 "$here/licences.py" "$wheel"

# In a mount namespace of its own: what is mounted goes with it.
if [ -z "${MOUNTED:-}" ]; then
  MOUNTED=1 exec unshare --mount --pid --fork --kill-child "$0" "$wheel" "$@"
fi
root=$(mktemp -d)
trap 'umount "$root/system/proc" 2>/dev/null || true; rm -rf --one-file-system "$root"' EXIT
for suite in "$@"; do
  echo "$suite"
  debootstrap --variant=minbase --include=python3-venv,ca-certificates "$suite" "$root/system" \
    "${MIRROR:-http://deb.debian.org/debian}" >"$root/log" 2>&1 || { tail -n 5 "$root/log"; exit 1; }
  mount -t proc proc "$root/system/proc"
  mkdir "$root/system/srv/wheel"
  cp "$wheel" "$here/trial.sh" "$root/system/srv/wheel"
  cp /etc/resolv.conf "$root/system/etc/resolv.conf"
  # The program of the README, and what it prints there.
  sed -n '/^```python$/,/^```$/p' "$source/README.md" | sed '1d;/^```$/,$d' >"$root/system/srv/wheel/ranks.py"
  sed -n '/^    \$ python .*ranks.py$/{n;s/^    //p;q}' "$source/README.md" >"$root/system/srv/wheel/ranks.txt"
  [ -z "${PIP_CERT:-}" ] || cp "$PIP_CERT" "$root/system/srv/wheel/certificates"
  chroot "$root/system" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
    ${PIP_CERT:+PIP_CERT=/srv/wheel/certificates} ${PIP_INDEX_URL:+PIP_INDEX_URL="$PIP_INDEX_URL"} \
    PIP_DISABLE_PIP_VERSION_CHECK=1 sh /srv/wheel/trial.sh
  umount "$root/system/proc"
  rm -rf --one-file-system "$root/system"
done
