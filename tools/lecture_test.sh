#!/usr/bin/env bash
# Tests of ./lecture that need no network and no compiler: a copy of the door in a folder with a
# space in its name, on machines made of pretended commands.
#   tools/lecture_test.sh [PROJECT]     exit code 1 when something is not as it should be
# shellcheck disable=SC2016,SC2317 # pretended scripts are quoted whole; machine_ functions are called by name
set -uo pipefail
project=$(cd "${1:-$(dirname "$0")/..}" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

copy="$scratch/a student's folder/napkin"
mkdir -p "$copy/cmake" "$copy/demos/01_tensors" "$copy/demos/06_optimizers"
cp -r "$project/lecture" "$project/tools" "$copy"
cp "$project/cmake/packages.txt" "$copy/cmake"
echo '// 01 Tensors: a long strip' >"$copy/demos/01_tensors/main.cpp"
echo '// 06 Optimizers: the way down' >"$copy/demos/06_optimizers/main.cpp"

# Commands that every machine has; what a test pretends comes before them on the PATH.
plain="$scratch/plain" pretended="$scratch/pretended" home="$scratch/home"
mkdir -p "$plain" "$pretended" "$home"
for command in bash sh env awk sed grep head tail tr cut sort wc cat cp mv rm mkdir ls find stat \
  readlink dirname basename fold mktemp nproc tee flock uname sleep chmod touch; do
  found=$(command -v "$command") && ln -s "$found" "$plain/$command"
done

# pretend NAME SCRIPT: a command of that name on the next machine.
pretend() {
  printf '#!/usr/bin/env bash\n%s\n' "$2" >"$pretended/$1"
  chmod +x "$pretended/$1"
}

# A new machine: an ordinary user, nothing built, only the commands named.
machine() {
  rm -rf "$copy/build" "${pretended:?}"/*
  pretend id 'echo 1000'
  local command
  for command in "$@"; do "machine_$command"; done
}
machine_root() { pretend id 'echo 0'; }
machine_compiler() { pretend c++ 'case $1 in -dump*) echo 12.2.0 ;; *) echo "__clang_major__ 12" ;; esac'; }
machine_old_compiler() { pretend c++ 'echo "__clang_major__ 11"'; }
machine_new_compiler() {
  pretend g++-13 'case $1 in -dump*) echo 13.1.0 ;; *) echo "__clang_major__ 13" ;; esac'
}
machine_make() { pretend make 'exit 0'; }
# CMake that misses two libraries until build/deps or a file "installed" is there.
machine_cmake() {
  pretend cmake '
    [[ $1 == --version ]] && { echo "cmake version 3.25.1"; exit; }
    [[ $1 == --build ]] && { mkdir -p "$2/bin"; echo "[1/1] Building all"
      printf "#!/usr/bin/env bash\necho ran in \$PWD with; printf \"<%%s>\" \"\$@\"; exit \${EXIT:-0}\n" >"$2/bin/01_tensors"
      chmod +x "$2/bin/01_tensors"; exit; }
    build=$4
    echo "$*" >>"$HOME/configured"
    : >"$build/CMakeCache.txt"
    if [[ -e $build/deps/usr/lib || -e $HOME/installed ]]; then
      : >"$build/missing.txt"
      : >"$build/Makefile"
      printf "%s\n" "CMAKE_HOME_DIRECTORY:INTERNAL=$2" "CMAKE_CACHEFILE_DIR:INTERNAL=$4" \
        "CMAKE_CXX_COMPILER:STRING=$(command -v c++)" "CMAKE_COMMAND:INTERNAL=$0" \
        "CMAKE_MAKE_PROGRAM:FILEPATH=$0" >"$build/CMakeCache.txt"
    else
      printf "libfmt-dev libhwy-dev" >"$build/missing.txt"
      echo "CMake Error: Not found: fmt, hwy."
      exit 1
    fi'
}
# apt whose archive has libfmt-dev with its libfmt42; what it downloads is unpacked by dpkg.
machine_apt() {
  pretend apt-get 'echo "apt-get $*" >>"$HOME/said"
    case "$*" in
      *" install "*) touch "$HOME/installed" ;;
      *" download "*) for package in "${@##-*}"; do [[ $package != lib* ]] || touch "$package.deb"; done ;;
    esac'
  pretend apt-cache '[[ $1 != policy || -e $HOME/said ]] || exit 0  # nothing before an update
    case "$*" in
      "policy g++") echo "  Candidate: ${GXX:-4:12.2.0-3}" ;;
      "policy g++-1"[34]) echo "  Candidate: (none)" ;;
      "policy g++-12") echo "  Candidate: 12.3.0-1ubuntu1~22.04" ;;
      *" depends "*) printf "libfmt-dev\n  Depends: libfmt42\n  Depends: <virtual>\n  Depends: libc6\n" ;;
      *" show "*) printf "Package: libfmt-dev\nSource: fmtlib\n\nPackage: libfmt42\nSource: fmtlib (42)\n\n"
        printf "Package: libhwy-dev\n\nPackage: libeigen3-dev\n\nPackage: libc6\nSource: glibc\n" ;;
    esac'
  pretend dpkg 'mkdir -p "$3/usr/lib"; touch "$3/usr/lib/$(basename "$2")"'
  pretend dpkg-query 'exit 1'
}
machine_no_network() { pretend apt-cache 'exit 100'; }
machine_sudo() {
  pretend id '[[ $1 == -u ]] && echo 1000 || echo student sudo'
  pretend sudo '[[ $1 == -n ]] && exit; echo sudo >>"$HOME/said"; "$@"'
}

# lecture ARGUMENTS...: runs the copy's door; `output` has both streams, `code` the exit code.
lecture() {
  rm -f "$home"/*
  output=$(cd "$scratch" && env -i HOME="$home" PATH="$pretended:$plain" EXIT="${EXIT-}" GXX="${GXX-}" LANG="${SPEECH-}" ${CXX:+CXX="$CXX"} \
    "$copy/lecture" "$@" 2>&1 </dev/null)
  code=$?
}

expect() { # WHAT CODE TEXT...: the last run ended with that code and said each text
  local what=$1 wanted=$2 text
  shift 2
  if ((code != wanted)); then
    failures=$((failures + 1))
    printf '%s: exit code %s instead of %s\n%s\n' "$what" "$code" "$wanted" "$output"
    return
  fi
  for text in "$@"; do
    if [[ $output != *"$text"* ]]; then
      failures=$((failures + 1))
      printf '%s: no "%s" in\n%s\n' "$what" "$text" "$output"
    fi
  done
}

expect_that() { # WHAT COMMAND...: the command succeeds
  local what=$1
  shift
  "$@" || { failures=$((failures + 1)); printf '%s: not so\n%s\n' "$what" "$output"; }
}

usage() {
  machine
  lecture; expect "no words at all" 0 "usage: ./lecture"
  lecture help; expect "help" 0 "run NN" "test" "grade" "hint" "bench" "doctor"
  lecture frobnicate; expect "unknown command" 2 '"frobnicate"' "doctor"
  lecture help me; expect "help with a word too many" 2 '"me"'
  lecture test --help; expect "help of a command" 0 "usage: ./lecture"
  lecture run; expect "run without a demo" 0 "01  Tensors: a long strip" "06  Optimizers"
  lecture run 99; expect "a demo that does not exist" 2 '"99"' "01  Tensors"
  lecture run tensor; expect "half a name" 2 '"tensor"'
  lecture run --section 2.1; expect "a flag in place of the demo" 2 "./lecture run 01 --section"
  lecture bench 06; expect "nothing to time" 2 "no benchmark.cpp"
  lecture doctor; expect "doctor on a bare machine" 0 "compiler       none" "missing: libfmt-dev" \
    "no GPU: 0 checks" "install -y"
  expect_that "nothing was written" test ! -e "$copy/build"
}

refusals() {
  machine
  lecture run 01; expect "no apt-get" 3 "no apt-get" "libhwy-dev"
  machine apt
  lecture run 01; expect "no compiler, no root" 3 "administrator" "sudo apt-get install" "g++ cmake make"
  lecture run --no-install 01; expect "--no-install" 3 "This line" "g++ cmake make libfmt-dev"
  expect_that "--no-install installs nothing" test ! -e "$home/said"
  machine apt old_compiler make cmake
  lecture run 01; expect "g++ 11" 3 "g++" "administrator"
  machine apt compiler make cmake no_network
  lecture run 01; expect "no network" 3 "no network?" "libfmt-dev libhwy-dev"
  expect_that "nothing half unpacked" test ! -e "$copy/build/deps" -a ! -e "$copy/build/deps.partial"
  machine apt compiler make
  pretend cmake 'echo "cmake version 3.18.4"'
  lecture run 01; expect "CMake 3.18" 3 "3.18 is too old"
}

first_uses() {
  machine root apt
  lecture run 01; expect "root, where apt-get brings no compiler" 3 "Installing with apt-get" "still missing"
  expect_that "root updates first" grep -q "apt-get.* update" "$home/said"
  expect_that "root installs all at once" grep -q "install.* g++ cmake make libfmt-dev" "$home/said"
  GXX=4:11.2.0-1ubuntu1 lecture run 01
  expect_that "g++-12 where g++ is 11" grep -q "install.* g++-12 cmake make libfmt-dev" "$home/said"
  machine root apt compiler make cmake
  lecture run 01; expect "root, libraries missing" 0 "Installing" "Building 01_tensors" "ran in $scratch"
  machine apt compiler make cmake sudo
  lecture run 01; expect "sudo is not used unasked" 0 "Unpacking" "ran in"
  lecture run --yes 01; expect "nothing to install the second time" 0 "ran in"
  expect_that "really nothing" test ! -e "$home/said"
  machine apt compiler make cmake sudo
  lecture --yes run 01; expect "sudo with --yes" 0 "Installing" "ran in"
  expect_that "by sudo" grep -q "^sudo" "$home/said"
  machine apt compiler make cmake
  EXIT=1 lecture run 1 --shape "2, 3"; expect "no root" 1 "Unpacking" "ran in $scratch" "<--shape><2, 3>"
  expect_that "with the runtime library" test -e "$copy/build/deps/usr/lib/libfmt42.deb"
  expect_that "without what the compiler brought" test ! -e "$copy/build/deps/usr/lib/libc6.deb"
  lecture doctor; expect "an unpacked library without its files" 0 "libeigen3-dev"
  mkdir -p "$copy/build/deps/usr/share/eigen3/cmake"
  touch "$copy/build/deps/usr/share/eigen3/cmake/Eigen3Config.cmake"
  lecture doctor
  expect_that "doctor sees one below share/" test "${output/libeigen3-dev/}" = "$output"
}

which_compiler() {
  machine apt old_compiler new_compiler make cmake
  lecture run 01; expect "g++ 11 beside g++ 13" 0 "ran in"
  expect_that "the newer one is taken" grep -q -- -DCMAKE_CXX_COMPILER=g++-13 "$home/configured"
  CXX=c++ lecture run 01; expect "an old compiler asked for" 3 "CXX=c++ is g++ 11"
  machine apt compiler new_compiler make cmake
  lecture run 01; expect "g++ 12 beside g++ 13" 0 "ran in"
  expect_that "the default one is taken" test -z "$(grep CMAKE_CXX_COMPILER "$home/configured")"
}

old_builds() {
  machine apt compiler make cmake
  lecture run 01; expect "a first build" 0 "ran in"
  touch "$copy/build/left.over"
  lecture run 01; expect "a second build" 0 "ran in"
  expect_that "the build stays" test -e "$copy/build/left.over"
  mv "$copy" "$copy.moved"
  copy+=.moved
  lecture run 01; expect "a moved project" 0 "made for another folder" "ran in"
  expect_that "is built afresh" test ! -e "$copy/build/left.over"
  expect_that "but keeps its libraries" test "${output/Unpacking/}" = "$output"
  sed -i 's,^CMAKE_CXX_COMPILER:.*,CMAKE_CXX_COMPILER:STRING=/nowhere/c++,' "$copy/build/CMakeCache.txt"
  lecture run 01; expect "a compiler that went away" 0 "is gone" "ran in"
  ln -s "$copy/lecture" "$scratch/link"
  expect_that "a link to the door leads here too" "$scratch/link" help >/dev/null
  rm "$copy/build/Makefile"
  lecture run 01; expect "a build left half configured" 0 "ran in"
}

languages() {
  machine
  SPEECH=zh_CN.UTF-8 lecture; expect "help in the language of the locale" 0 "用法：./lecture"
  SPEECH=zh_CN.GBK lecture; expect "a locale that is not UTF-8" 0 "usage: ./lecture"
  SPEECH=zh_CN.UTF-8 lecture help --lang en; expect "--lang goes before the locale" 0 "usage: ./lecture"
  lecture --lang=zh help; expect "--lang in front" 0 "用法：./lecture"
  lecture doctor --lang zh; expect "doctor" 0 "编译器         没有" "缺少：libfmt-dev"
  lecture --lang fr doctor; expect "another language" 2 "--lang fr"
  lecture doctor --lang; expect "no language" 2 "--lang"
  echo '{"A strip": "一条长带",' >"$copy/demos/01_tensors/zh.json"
  lecture run 9 --lang zh; expect "an unknown demo" 2 "的演示" "06  Optimizers"
  machine apt compiler make cmake
  lecture run 01 --lang zh; expect "the programs are told" 0 "正在编译 01_tensors" "<--lang><zh>"
  lecture --lang zh run 01 --quick; expect "also of what stood in front" 0 "<--quick><--lang><zh>"
  rm "$copy/demos/01_tensors/zh.json"
  sentences_are_translated
}

# Every sentence that the door can say stands in tools/language.sh, with as many %s, and no other.
sentences_are_translated() {
  local sentence
  # shellcheck source=tools/language.sh
  source "$project/tools/language.sh"
  grep -ohP "\bt '\K[^']+" "$project/lecture" "$project"/tools/{build,doctor,install,language}.sh |
    sort -u >"$scratch/said"
  printf '%s\n' "${!chinese[@]}" | sort -u >"$scratch/known"
  output=$(diff "$scratch/said" "$scratch/known")
  expect_that "said (<) and translated (>) are the same" test -z "$output"
  for sentence in "${!chinese[@]}"; do
    output=$sentence
    expect_that "as many values" test "${sentence//[!%]/}" = "${chinese[$sentence]//[!%]/}"
  done
}

# A processor that /proc/cpuinfo describes like this, as the doctor's two lines show it.
expect_processor() { # WHAT TEXT PROCESSOR VECTORS
  printf '%b' "$2" >"$scratch/cpuinfo"
  # shellcheck source=tools/doctor.sh
  output=$(root=$project; source "$project/tools/language.sh"; source "$project/tools/doctor.sh"
    cpuinfo="$scratch/cpuinfo"
    processor_line; echo; vector_line)
  expect_that "$1" test "$output" = "$3, $(nproc) cores to use${4:+$'\n'$4}"
}

processors() {
  local arm='Features\t: fp asimd aes'
  expect_processor "x86" 'model name\t: AMD EPYC  9654\nflags\t\t: sse2 avx2 fma avx512f\n' \
    "AMD EPYC 9654" "AVX-512, AVX2, FMA"
  expect_processor "Arm" "$arm\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n" "Arm Neoverse N1" NEON
  expect_processor "a Mac" "$arm\nCPU implementer\t: 0x61\nCPU part\t: 0x000\n" "Apple processor" NEON
  expect_processor "Arm with SVE" "$arm sve\nCPU implementer\t: 0x41\nCPU part\t: 0xd40\n" \
    "Arm Neoverse V1" "NEON, SVE (not used)"
  expect_processor "an unknown part" "$arm\nCPU implementer\t: 0x41\nCPU part\t: 0xfff\n" \
    "Arm processor, implementer 0x41, part 0xfff" NEON
  expect_processor "no name" 'isa\t: rv64\n' "$(uname -m)" ""
  machine
  pretend uname '[[ $1 == -m ]] && echo armv7l || echo Linux'
  lecture doctor; expect "another architecture" 0 "armv7l; tried on x86-64 and 64-bit Arm only"
}

usage
languages
refusals
first_uses
which_compiler
old_builds
processors
((failures == 0)) && echo "./lecture behaves"
exit $((failures > 0))
