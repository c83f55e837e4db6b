#!/bin/sh
# Code for newer processors must stay in the functions that are chosen at run time: a function that
# the linker may share with other files (an inline one, say) must run on every processor.
#
#   levels_apart.sh LIBRARY...    prints functions outside the levels' namespaces that use AVX
command -v objdump >/dev/null || { echo "objdump is missing"; exit 77; }
# Asked of the library: the machine that compiles need not be the one that it is compiled for.
objdump --file-headers "$1" | grep -q 'file format elf64-x86-64' ||
  { echo "checks x86 code only"; exit 77; }

objdump --disassemble --demangle --no-show-raw-insn "$@" | awk '
  /^[0-9a-f]+ <.*>:$/ { name = $0; functions += 1; inside = name ~ /N_AVX[23]/ }
  inside { in_levels += 1; next }
  $2 ~ /^v[a-z]/ && $2 !~ /^ver[rw]$/ && !(name in seen) { seen[name] = 1; print name, $2; bad = 1 }
  END {
    if (functions < 100 || in_levels < 100) { print "found no code to look at"; exit 1 }
    if (!bad) print functions " functions: AVX only where it was asked for"
    exit bad
  }'
