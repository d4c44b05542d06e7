#!/bin/sh
# order.sh FOLDER: no call has two arguments that build instructions.  C leaves open which argument is computed
# first (C11, 6.5.2.2), so a maniple that gcc built would emit other code than one that clang built.  A function
# builds if it calls LLVM's C API for that, or one that builds.
find "$1" -name '*.[ch]' | sort | xargs awk '
  # The line without comments, and with strings and characters emptied.
  function bare(line,  out, at, c) {
    out = ""
    while (line != "") {
      if (in_comment) {
        at = index(line, "*/")
        if (!at) return out
        line = substr(line, at + 2); in_comment = 0
        continue
      }
      if (!match(line, /\/\*|\/\/|"|\047/)) return out line
      c = substr(line, RSTART, RLENGTH)
      out = out substr(line, 1, RSTART - 1)
      line = substr(line, RSTART + RLENGTH)
      if (c == "//") return out
      if (c == "/*") { in_comment = 1; continue }
      out = out "0"
      while (line != "" && substr(line, 1, 1) != c) line = substr(line, substr(line, 1, 1) == "\\" ? 3 : 2)
      line = substr(line, 2)
    }
    return out
  }
  function key(name) { return (FILENAME, name) in defined ? FILENAME SUBSEP name : name }

  FNR == 1 { depth = braces = in_comment = 0; word = before = function_at = "" }
  /^#/ { next }
  {
    line = bare($0)
    while (match(line, /[A-Za-z_][A-Za-z_0-9]*|[][(){},;]/)) {
      token = substr(line, RSTART, RLENGTH)
      line = substr(line, RSTART + RLENGTH)
      if (token ~ /^[A-Za-z_]/) {
        if (!depth && !braces && token == "static") is_static = 1
        word = ""
        if (line ~ /^[ \t]*\(/) {
          word = token
          if (braces) { # a call in each argument that it is part of, and in the function
            for (d = 1; d <= depth; d++) if (frame[d]) inside[frame[d], argument[d]] = inside[frame[d], argument[d]] " " token
            if (function_at) calls[function_at] = calls[function_at] " " token
          } else if (!depth) name = token
        }
        continue
      }
      if (token ~ /[[({]/) {
        if (token == "{" && !depth) {
          if (!braces++ && name != "") {
            function_at = is_static ? FILENAME SUBSEP name : name
            defined[function_at] = 1; calls[function_at] = ""
          }
        } else {
          depth++
          argument[depth] = 0; frame[depth] = 0
          if (token == "(" && braces && word !~ /^(if|for|while|switch|return|sizeof)?$/) {
            frame[depth] = ++frames
            where[frames] = FILENAME ":" FNR ": " word
            file[frames] = FILENAME
          }
        }
      } else if (token == "}" && !depth) {
        if (!--braces) { function_at = name = ""; is_static = 0 }
      } else if (token ~ /[])}]/) {
        if (frame[depth]) last[frame[depth]] = argument[depth]
        depth--
      } else if (token == "," && depth) argument[depth]++
      else if (token == ";" && !depth && !braces) { name = ""; is_static = 0 }
      word = ""
    }
  }

  function builds_of(from, name) {
    if (name ~ /^LLVM(Build|InsertIntoBuilder|AppendBasicBlock|InsertBasicBlock|AddFunction|AddGlobal|InstructionClone|GetInsertBlock)/)
      return 1
    return (from SUBSEP name) in defined ? (from SUBSEP name) in builds : name in builds
  }
  END {
    do {
      more = 0
      for (f in calls) {
        if (f in builds) continue
        from = f; sub(SUBSEP ".*", "", from)
        n = split(calls[f], called, " ")
        for (k = 1; k <= n; k++) if (builds_of(from, called[k])) { builds[f]; more = 1; break }
      }
    } while (more)
    for (k = 1; k <= frames; k++) {
      found = 0
      for (a = 0; a <= last[k]; a++) {
        n = split(inside[k, a], called, " ")
        for (c = 1; c <= n; c++) if (builds_of(file[k], called[c])) { found++; break }
      }
      if (found > 1) { print where[k] " has " found " arguments that build instructions"; status = 1 }
    }
    for (f in builds) count++
    if (count < 100) { print "only " count + 0 " functions build instructions: not the compiler"; status = 2 }
    exit status
  }'
