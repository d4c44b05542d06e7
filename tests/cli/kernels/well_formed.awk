# Reads XML without comments or CDATA: are its tags closed in order, and its special characters escaped?
{ text = text $0 "\n" }
END {
  sub(/^<!DOCTYPE html>/, "", text)
  while (match(text, /<[^<>]*>/)) {
    between = substr(text, 1, RSTART - 1)
    tag = substr(text, RSTART + 1, RLENGTH - 2)
    text = substr(text, RSTART + RLENGTH)
    gsub(/&(lt|gt|amp|quot);/, "", between)
    if (inside != "style" && between ~ /[<>&]/) { print "not escaped: " between; exit 1 }
    name = tag
    sub(/[ \n].*/, "", name)
    if (tag ~ /\/$/) continue
    if (name !~ /^\//) {
      open[++depth] = inside = name
    } else if (name != "/" open[depth]) {
      print "<" tag "> closes <" open[depth] ">"
      exit 1
    } else {
      inside = open[--depth]
    }
    if (depth == 0) roots++
  }
  if (depth || roots != 1 || text ~ /[^ \n]/) { print "open at the end: " open[depth] text; exit 1 }
  print "well-formed"
}
