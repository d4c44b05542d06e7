#!/bin/sh
# What documents and comments name exists: relative links of *.md with their headings, paths that begin
# with a folder of the repository, and file names such as engine.h.  A name may have the folders in front
# of it that tell it from others; * stands for any letters.
#   names.sh FOLDER    the repository's
cd "$1" || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

find bench cmake docs examples include scripts src tests -type f >"$work/files"
find . ! -name . -prune -type f | sed 's,^\./,,' >>"$work/files"
grep '\.md$' "$work/files" >"$work/documents"
grep -E '^(src|include|bench|examples|tests)/.*\.(c|h|S|cl|cpp|hpp|def|in)$' "$work/files" >"$work/code"
[ -s "$work/documents" ] && [ -s "$work/code" ] || exit 2

# The headings of a document as links name them.
headings() {
  sed -n 's/^##* *//p' "$1" | tr 'A-Z ' 'a-z-' | sed 's/[^a-z0-9_-]//g'
}

# FILE LINE TARGET for each link that is not to another site.
links() {
  while read -r document; do
    grep -no ']([^)]*' "$document" | sed -n "s,^\([0-9]*\):](\([^:]*\)\$,$document \1 \2,p"
  done <"$work/documents"
}

check_links() {
  links | while read -r document line target; do
    case $document in */*) folder=${document%/*}/ ;; *) folder= ;; esac
    case $target in '#'*) file=$document ;; *) file=$folder${target%%#*} ;; esac
    if [ ! -e "$file" ]; then
      echo "$document:$line: there is no $target"
    elif [ "$target" != "${target#*#}" ] && ! headings "$file" | grep -qx -e "${target#*#}"; then
      echo "$document:$line: there is no heading $target"
    fi
  done
}

# Reads the list of files, the list of names that are not the repository's, then documents and code.
# Of code only comments count.
check_names() {
  # One argument for each file.
  # shellcheck disable=SC2046
  awk '
    function add(path) { # as any of its ends names it
      known[path] = 1
      while (sub("^[^/]*/", "", path)) ends[path] = 1
    }
    function exists(name,   folder, pattern, path) {
      sub("/$", "", name)
      folder = FILENAME
      sub("/*[^/]*$", "", folder)
      if (name ~ "^[.]") {
        for (; sub("^[.][.]/", "", name); sub("/*[^/]*$", "", folder)) {}
        name = (folder == "" ? "" : folder "/") name
      } else if (name in other || name in ends) return 1
      if (name in known) return 1
      if (name !~ /[*]/) return 0
      pattern = name
      gsub(/[.+]/, "[&]", pattern)
      gsub(/[*]/, "[^/]*", pattern)
      for (path in known) if (path ~ "(^|/)" pattern "$") return 1
      return 0
    }
    function comments(line,   text, at) {
      for (text = ""; line != "";) {
        if (!inside) {
          if (!match(line, "/[*]|//")) break
          if (substr(line, RSTART, 2) == "//") return text " " substr(line, RSTART + 2)
          line = substr(line, RSTART + 2)
          inside = 1
        }
        at = index(line, "*/")
        if (!at) return text " " line
        text = text " " substr(line, 1, at - 1)
        line = substr(line, at + 2)
        inside = 0
      }
      return text
    }
    FILENAME == ARGV[1] {
      add($0)
      if (sub("[.]in$", "")) add($0)
      while (sub("/[^/]*$", "")) add($0)
      next
    }
    FILENAME == ARGV[2] { other[$1] = 1; next }
    FNR == 1 { inside = 0 }
    {
      count = split(FILENAME ~ /[.]md$/ ? $0 : comments($0), word, /[^A-Za-z0-9_.*\/+-]+/)
      for (k = 1; k <= count; k++) {
        name = word[k]
        sub(/[.]+$/, "", name)
        if (name !~ "[A-Za-z0-9_*][.](c|h|S|cl|clcpp|cpp|hpp|def|sh|md)(.in)?$" &&
            name !~ "^([.][.]|src|include|docs|bench|examples|tests)/.") continue
        if (name ~ "^/|^build/" || (name ~ /[A-Z][A-Z]/ && name !~ /[.]md$/)) continue
        if (!exists(name)) print FILENAME ":" FNR ": there is no " name
      }
    }' "$work/files" tests/structure/other_names $(cat "$work/documents" "$work/code")
}

{ check_links; check_names; } >"$work/missing"
cat "$work/missing"
[ ! -s "$work/missing" ]
