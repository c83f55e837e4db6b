# Sourced by ./lecture: configures and compiles in build/, quietly unless something fails.
# shellcheck shell=bash disable=SC2154 # root, build, yes, install: from ./lecture

cache_entry() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt" 2>/dev/null; }

# Processes to compile with: one for each processor, and 1 GB of memory for each.
jobs_allowed() {
  local processors memory
  processors=$(nproc 2>/dev/null || echo 2)
  memory=$(awk '/^MemAvailable:/ {print int($2 / 1e6)}' /proc/meminfo 2>/dev/null || true)
  [[ -z $memory ]] || ((memory >= processors)) || processors=$((memory > 1 ? memory : 1))
  echo "${CMAKE_BUILD_PARALLEL_LEVEL:-$processors}"
}

# One build at a time in build/; the lock goes when the descriptor is closed, however that happens.
lock() {
  if ! mkdir -p "$build" 2>/dev/null || ! [[ -w $build ]]; then
    give_up "$(t 'cannot write to %s, which belongs to %s. Copy the project to a folder of your own, or remove build/.' \
      "$build" "$(stat -c %U "$build" "$root" 2>/dev/null | head -n 1)")"
  fi
  exec 9>"$build/.lock"
  command -v flock >/dev/null || return 0
  flock -n 9 && return
  say "$(t 'Another %s is building here; waiting for it.' ./lecture)"
  flock 9
}
unlock() { exec 9>&-; }

# Why the existing build/ cannot be used any more, or nothing.
stale_because() {
  local compiler known
  [[ -f $build/CMakeCache.txt ]] || return 0
  if ! [[ $(cache_entry CMAKE_HOME_DIRECTORY) -ef $root &&
    $(cache_entry CMAKE_CACHEFILE_DIR) -ef $build ]]; then
    t 'it was made for another folder'
    return
  fi
  compiler=$(cache_entry CMAKE_CXX_COMPILER)
  if ! [[ -x $compiler && -x $(cache_entry CMAKE_COMMAND) && -x $(cache_entry CMAKE_MAKE_PROGRAM) ]]; then
    t 'the compiler, CMake or build program it was made with is gone'
    return
  fi
  known=$(sed -n 's/^set(CMAKE_CXX_COMPILER_VERSION "\(.*\)")$/\1/p' \
    "$build"/CMakeFiles/*/CMakeCXXCompiler.cmake 2>/dev/null | head -n 1)
  if [[ -n $known && $("$compiler" -dumpfullversion -dumpversion 2>/dev/null) != "$known" ]]; then
    t '%s is no longer version %s' "$compiler" "$known"
  fi
}

# Empties build/, but for the unpacked libraries.
start_afresh() {
  find "$build" -mindepth 1 -maxdepth 1 ! -name deps ! -name .lock ! -name '*.log' \
    -exec rm -rf {} +
}

run_cmake() {
  local compiler
  local -a flags=(-S "$root" -B "$build")
  if ! [[ -f $build/CMakeCache.txt ]]; then
    compiler=$(find_compiler)
    [[ -n ${CXX-} || $compiler == c++ ]] || flags+=("-DCMAKE_CXX_COMPILER=$compiler")
    [[ -n ${CMAKE_GENERATOR-} ]] || ! command -v ninja >/dev/null || flags+=(-G Ninja)
  fi
  # shellcheck disable=SC2086 # several flags
  cmake "${flags[@]}" ${LECTURE_CMAKE_FLAGS-} >"$build/configure.log" 2>&1 9>&-
}

# Configures; a first refusal gets the libraries that are missing, a second one the benefit of an
# empty folder.
configure() {
  local had_cache=no
  [[ -f $build/CMakeCache.txt ]] && had_cache=yes
  run_cmake && return
  if [[ -s $build/missing.txt ]]; then
    get_libraries "$(<"$build/missing.txt")"
    run_cmake && return
  elif [[ $had_cache == yes ]]; then
    start_afresh
    run_cmake && return
  fi
  start_afresh  # nothing half done stays
  say "$(t 'CMake stopped. From %s:' "$build/configure.log")"
  sed -n '/CMake Error/,$p' "$build/configure.log" | grep -v '^ *$' | head -n 25 |
    sed 's/^/  | /' >&2
  exit 3
}

# Reads the build's output; says what is done once something really is compiled. On a terminal
# the line counts along.
show_progress() {
  local what=$1 line begun=no
  while IFS= read -r line; do
    [[ $line =~ ^\[\ *([0-9]+/[0-9]+|[0-9]+%)\]\ +(Building|Linking) ]] || continue
    if [[ -t 2 ]]; then
      printf '\r%s: %s \033[K' "$what" "${BASH_REMATCH[1]}" >&2
    elif [[ $begun == no ]]; then
      say "$what"
    fi
    begun=yes
  done
  [[ $begun == no || ! -t 2 ]] || printf '\r\033[K' >&2
}

# The part of build.log that says why: from the first error on, without the long command lines.
show_errors() {
  say "$(t 'The build stopped. From %s:' "$build/build.log")"
  awk '/FAILED:|error:|CMake Error|错误：|undefined reference/ {on = 1}
       on && length($0) < 400 && !/^(g?make|ninja|\[)/' \
    "$build/build.log" | head -n 30 |
    sed 's/^/  | /' >&2
  if grep -q 'Killed' "$build/build.log"; then
    say "$(t 'The machine ran out of memory. One file at a time needs less:')"
    say "  CMAKE_BUILD_PARALLEL_LEVEL=1 ./lecture ..."
  fi
}

# compile TARGET...
compile() {
  local what start=$SECONDS
  if [[ $* == all ]]; then what=$(t 'Building everything'); else what=$(t 'Building %s' "$*"); fi
  [[ -f $build/.built ]] || what+=$(t ' (a minute or two the first time)')
  cmake --build "$build" --parallel "$(jobs_allowed)" --target "$@" 2>&1 9>&- |
    tee "$build/build.log" | show_progress "$what" || return
  : >"$build/.built"
  ! grep -qE '\] +(Building|Linking) ' "$build/build.log" || say "$(t 'Built in %s s.' $((SECONDS - start)))"
}

# Brings these targets up to date: all that ./lecture does before it runs something.
build_targets() {
  local reason interrupted
  interrupted=$(t 'Interrupted.')
  trap 'say; say "$interrupted"; exit 130' INT TERM
  lock
  get_tools
  reason=$(stale_because)
  if [[ -n $reason ]]; then
    say "$(t 'Starting build/ afresh: %s.' "$reason")"
    start_afresh
  fi
  [[ -f $build/CMakeCache.txt && (-f $build/build.ninja || -f $build/Makefile) ]] || configure
  if ! compile "$@"; then
    # After an update CMake may ask for a library that was not needed before.
    if ! { [[ -s $build/missing.txt ]] && configure && compile "$@"; }; then
      show_errors
      exit 3
    fi
  fi
  unlock
  trap - INT TERM
}
