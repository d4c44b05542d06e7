#!/bin/sh
# make-deb.sh FOLDER: builds the Debian packages of this checkout into FOLDER, and has lintian look at
# them.  Tracked files as they are now are built, in a copy.  The version is the project's, with the
# time and name of the commit if that is no release (a tag v0.1.0): newer commits are upgrades.
#   DEB_BUILD_OPTIONS=  with packages of debugging symbols; nocheck: without the command's tests
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
"$source/scripts/install-packages.sh"
"$source/scripts/install-packages.sh" build-essential debhelper dpkg-dev lintian

cd "$source"
version=$(sed -n 's/^project(maniple VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
seconds=$(date +%s)
if git rev-parse --verify -q HEAD >/dev/null; then
  if git diff --quiet HEAD; then
    seconds=$(git log -1 --format=%ct)
    mark=$(git rev-parse --short=8 HEAD)
  else
    mark=changed
  fi
  [ "$(git describe --exact-match --tags --dirty 2>/dev/null)" = "v$version" ] ||
    version=$version+$(date -u -d "@$seconds" +%Y%m%d%H%M%S).$mark
fi

rm -rf "$folder/maniple-$version" "$folder"/*.deb "$folder"/*.ddeb "$folder"/maniple_*
mkdir "$folder/maniple-$version"
{ git ls-files -z 2>/dev/null || find . -type f ! -path './build*' -print0; } |
  tar -c --null -T - | tar -x -C "$folder/maniple-$version"
cd "$folder/maniple-$version"
cat >debian/changelog <<END
maniple ($version) unstable; urgency=medium

  * Built from the project's own repository.

 -- $(sed -n 's/^Maintainer: //p' debian/control)  $(LC_ALL=C date -u -d "@$seconds" '+%a, %d %b %Y %H:%M:%S +0000')
END
export DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS-noautodbgsym}"
dpkg-buildpackage --no-sign ${DPKG_BUILDPACKAGE_OPTIONS:-} >"$folder/log" 2>&1 || {
  tail -n 40 "$folder/log"
  echo "maniple: the packages were not built; all that was said is in $folder/log" >&2
  exit 1
}
cd "$folder"
rm -rf "maniple-$version"
lintian --allow-root --fail-on error,warning maniple_*.changes
ls -1 "$folder"/*.deb
