# Sourced by ./lecture doctor: what this machine has, and what would make things work or faster.
# Needs nothing but the shell, so it also works before anything is installed.
# shellcheck shell=bash disable=SC2154 # root, build: from ./lecture

row() { printf '  %s%*s %s\n' "$1" $((14 - $(columns_of "$1"))) "" "$2"; }

system_line() {
  local name
  name=$(sed -n 's/^PRETTY_NAME="\{0,1\}\([^"]*\)"\{0,1\}$/\1/p' /etc/os-release 2>/dev/null)
  echo "${name:-$(uname -s)}, $(uname -m)$(case $(uname -m) in x86_64 | aarch64) ;; *)
    t '; tried on x86-64 and 64-bit Arm only' ;; esac)"
}

# The first value of a line of /proc/cpuinfo that begins with these words.
cpu_value() { sed -n "s/^$1[^:]*: *//p" "$cpuinfo" 2>/dev/null | head -n 1 | tr -s ' '; }
cpuinfo=/proc/cpuinfo

# Arm processors are numbers there; the names of some are in the source.
arm_name() {
  local implementer part name=""
  implementer=$(cpu_value 'CPU implementer') part=$(cpu_value 'CPU part')
  [[ -n $implementer && -n $part ]] || return 0
  name=$(sed -n "s/^ *{\"$implementer\", \"\($part\)\{0,1\}\", \"\(.*\)\"},$/\2/p" \
    "$root/common/core/processor_name.cpp" 2>/dev/null)
  echo "${name:-Arm processor, implementer $implementer, part $part}"
}

processor_line() {
  local name
  name=$(cpu_value 'model name')
  [[ -n $name ]] || name=$(arm_name)
  t '%s, %s cores to use' "${name:-$(uname -m)}" "$(nproc)"
}

# The instructions that the fast loops choose from at run time.
vector_line() {
  local flags flag found=""
  flags=" $(cpu_value flags)$(cpu_value Features) "
  for flag in avx512f:AVX-512 avx512_bf16:AVX-512-BF16 amx_tile:AMX avx2:AVX2 fma:FMA \
    asimd:NEON sve:SVE; do
    [[ $flags != *" ${flag%%:*} "* ]] || found+=", ${flag#*:}"
  done
  [[ $found != *SVE ]] || found+=$(t ' (not used)')
  echo "${found:2}"
}

memory_line() {
  local total free
  read -r total free < <(awk '/^MemTotal:/ {total = $2} /^MemAvailable:/ {free = $2}
    END {if (total) printf "%.1f %.1f\n", total / 1e6, free / 1e6}' /proc/meminfo 2>/dev/null) || return 0
  t '%s GB, %s GB free' "$total" "$free"
}

compiler_line() {
  local compiler version
  compiler=$(find_compiler)
  if [[ -n $compiler ]]; then
    version=$(compiler_version "$compiler")
    echo "${version% *} $($compiler -dumpfullversion -dumpversion) ($compiler)"
  elif command -v c++ >/dev/null; then
    t '%s is too old: g++ 12 or clang 16, or newer, is needed' "$(compiler_version c++)"
  else
    t 'none'
  fi
}

cmake_line() {
  local version
  command -v cmake >/dev/null || { t 'none'; return; }
  version=$(cmake --version | sed -n '1s/[^0-9]*//p')
  if [[ $(printf '3.25\n%s\n' "$version" | sort -V | head -n 1) == 3.25 ]]; then
    t '%s, knows presets' "$version"
  else
    t '%s (presets need 3.25)' "$version"
  fi
}

build_tool_line() {
  if command -v ninja >/dev/null; then
    echo "Ninja $(ninja --version)"
  elif command -v make >/dev/null; then
    echo "make"
  else
    t 'none'
  fi
}

# Whether a package's files are here: found by CMake, installed, or unpacked.
library_here() {
  local package=$1 name=$2 folder
  folder=$(cache_entry "${name}_DIR")
  [[ -d $folder ]] || compgen -G "$build/deps/usr/*/cmake/$name*" >/dev/null ||
    compgen -G "$build/deps/usr/*/*/cmake/$name*" >/dev/null ||
    [[ $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) == *" installed" ]]
}

# Libraries of these kinds that are missing.
libraries_missing() {
  local kind package name rest
  while read -r kind package name rest; do
    [[ " $* " != *" $kind "* || $package != *-dev ]] || library_here "$package" "$name" ||
      echo "$package"
  done <"$root/cmake/packages.txt"
}

library_line() {
  local missing
  missing=$(libraries_missing library)
  if [[ -z $missing ]]; then
    echo "$(t 'all here')$([[ ! -d $build/deps ]] || t ' (unpacked in build/deps)')"
  else
    t 'missing: %s' "${missing//$'\n'/ }"
  fi
}

find_nvcc() { PATH=$PATH:/usr/local/cuda/bin:/opt/cuda/bin command -v nvcc; }

# As cmake/Cuda.cmake finds out.
has_driver() {
  local place
  for place in /proc/driver/nvidia/version /dev/nvidiactl /dev/nvhost-ctrl-gpu /dev/dxg; do
    [[ ! -e $place ]] || return 0
  done
  return 1
}

cuda_line() {
  local nvcc version
  nvcc=$(find_nvcc) || { t 'no CUDA toolkit: GPU code is left out of the build'; return; }
  version=$("$nvcc" --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')
  if [[ -z $version ]] || ((${version%%.*} < 12)); then
    t '%s is %s: 12 or newer is needed' "$nvcc" "$version"
  else
    echo "$version ($nvcc)$(has_driver ||
      t '; no NVIDIA driver: GPU code is left out of the build')"
  fi
}

# How many claims and tests need a GPU.
gpu_checks() {
  {
    grep -oh '"needs" *: *"cuda"' "$root"/demos/*/claims.json
    find "$root/common" -name '*_gpu_test.cpp'
  } 2>/dev/null | wc -l
}

gpu_line() {
  local gpus
  gpus=$(nvidia-smi --query-gpu=name,memory.total,driver_version --format=csv,noheader 2>/dev/null)
  if [[ -n $gpus ]]; then
    echo "$(t '%s driver' "${gpus%%$'\n'*}")$( (($(wc -l <<<"$gpus") < 2)) || t ', and more')"
  else
    t 'no GPU: %s checks will be Skipped' "$(gpu_checks)"
  fi
}

build_line() {
  local reason name built=""
  [[ -f $build/CMakeCache.txt ]] || { t 'nothing built yet: the first time takes a minute or two'; return; }
  reason=$(stale_because)
  [[ -z $reason ]] || { t 'will be built afresh: %s' "$reason"; return; }
  for name in $(demo_names); do [[ ! -x $build/bin/$name ]] || built+=", $name"; done
  [[ -n $built ]] || built=", $(t 'nothing')"
  t '%s, %s; built: %s' "$(cache_entry CMAKE_BUILD_TYPE)" "$(cache_entry CMAKE_GENERATOR)" "${built:2}"
}

advise() { printf '  %s%*s %s\n' "$1" $((8 - $(columns_of "$1"))) "" "$2"; }

# What is missing, most important first.
give_advice() {
  local programs libraries type
  programs=$(missing_tools | tr '\n' ' ')
  libraries=$(libraries_missing library | tr '\n' ' ')
  type=$(cache_entry CMAKE_BUILD_TYPE)
  if [[ -n $programs ]]; then
    advise "$(t 'needed:')" "$(apt_line "${programs% }")"
  fi
  [[ -z $libraries ]] ||
    advise "$(t 'needed:')" "$(t 'the missing libraries; %s gets them' './lecture run')"
  command -v ninja >/dev/null || advise "$(t 'faster:')" "$(apt_line ninja-build)"
  [[ -z $type || $type == Release ]] ||
    printf '  %s\n' "$(t 'build/ is a %s build: its timings say little. Remove build/ for a release build.' "$type")"
  ! nvidia-smi -L >/dev/null 2>&1 || find_nvcc >/dev/null ||
    advise GPU: "$(t 'install the CUDA toolkit of NVIDIA, 12 or newer, or put its nvcc on the PATH')"
}

doctor() {
  local advice
  export LC_ALL=C
  row "$(t 'system')" "$(system_line)"
  row "$(t 'processor')" "$(processor_line)"
  row "$(t 'vectors')" "$(vector_line)"
  row "$(t 'memory')" "$(memory_line)"
  row "$(t 'compiler')" "$(compiler_line)"
  row CMake "$(cmake_line)"
  row "$(t 'build program')" "$(build_tool_line)"
  row "$(t 'libraries')" "$(library_line)"
  row "CUDA toolkit" "$(cuda_line)"
  row GPU "$(gpu_line)"
  row build/ "$(build_line)"
  advice=$(give_advice)
  if [[ -n $advice ]]; then
    printf '\n%s\n%s\n' "$(t 'What would help:')" "$advice"
  else
    printf '\n%s\n' "$(t 'Nothing is missing.')"
  fi
}
