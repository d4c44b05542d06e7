#!/bin/sh
# root.sh SOURCE: git has nothing in the root of the tree but what is listed here. Reports, logs and files that
# are named like options are what tools leave there. In a tree without a history, what lies there is compared.
export LC_ALL=C
cd "$1" || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

sort >"$work/listed" <<'END'
.ci
.clang-format
.gitignore
CMakeLists.txt
CONTRIBUTING.md
LICENSE
Makefile
README.md
STYLE.md
bench
cmake
debian
docs
examples
include
scripts
src
tests
wheel
END

if [ -e .git ]; then
  git -c safe.directory='*' ls-files >"$work/files" || exit 2
else
  find . -mindepth 1 -maxdepth 1 ! -name 'build*' ! -name Testing | sed 's,^\./,,' >"$work/files"
fi
sed 's,/.*,,' "$work/files" | sort -u >"$work/found"
diff -u --label listed --label found "$work/listed" "$work/found"
