#!/bin/sh
# listed.sh BUILD: each file that is installed is in one Debian package, and each package's list names
# files that there are (debian/*.install).
set -eu
debian=$(cd "$(dirname "$0")/../../debian" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
DESTDIR=$work/root cmake --install "$1" --prefix /usr >"$work/log"
cd "$work/root"
find . ! -type d | sed 's,^\./,,' | sort >"$work/installed"
# Debian has a folder for each kind of processor in usr/lib.
cat "$debian"/*.install | while read -r pattern folder; do
  found=$(find $(echo "$pattern" | sed 's,/lib/\*/,/lib*/,') ! -type d) || true
  [ -n "$found" ] || echo "debian/*.install: there is no $pattern"
  echo "$found"
done | sort >"$work/listed"
diff "$work/installed" "$work/listed"
