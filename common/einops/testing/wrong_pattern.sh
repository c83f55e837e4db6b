#!/bin/sh
# wrong_pattern.sh SOURCE COMPILER ARGUMENT...
# Compiles a source that must be refused with the text that stands in its first line, a comment.
source=$1
shift
expected=$(sed -n '1s|^// ||p' "$source")
[ -n "$expected" ] || { echo "$source does not say what to expect"; exit 1; }

if said=$(LC_ALL=C "$@" -std=c++20 -fsyntax-only "$source" 2>&1); then
  echo "the compiler takes $source"
  exit 1
fi
printf '%s\n' "$said" | grep -F -- "$expected" || {
  printf 'expected: %s\nbut the compiler says:\n%s\n' "$expected" "$said"
  exit 1
}
