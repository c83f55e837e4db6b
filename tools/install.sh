# Sourced by ./lecture: finds out what the build needs and gets it. The list is cmake/packages.txt.
#
# With root, apt-get installs it; with sudo too, after asking. Without, compiler and CMake must be
# there, and the libraries are unpacked into build/deps, where CMake looks first.
# shellcheck shell=bash disable=SC2154 # root, build, yes, install: from ./lecture

# Packages of some kinds, e.g. packages library extra.
packages() {
  local kinds=" $* "
  awk -v kinds="$kinds" '!/^#/ && index(kinds, " " $1 " ") {print $2}' "$root/cmake/packages.txt"
}

# "g++ 12", "clang 16", or nothing where the command is not a C++ compiler.
compiler_version() {
  local said
  # shellcheck disable=SC2086 # "ccache g++" is two words
  said=$(printf '__clang_major__ __GNUC__\n' | $1 -x c++ -E -P - 2>/dev/null | tail -n 1) || true
  case $said in
    __clang_major__\ [0-9]*) echo "g++ ${said##* }" ;;
    [0-9]*) echo "clang ${said%% *}" ;;
  esac
}

# The first compiler that is new enough: the one named in CXX, the default one, any other.
find_compiler() {
  local name version
  for name in ${CXX:+"$CXX"} c++ g++ g++-{12..16} clang++ clang++-{16..22}; do
    command -v "${name%% *}" >/dev/null || continue
    version=$(compiler_version "$name")
    case $version in
      "g++ "*) ((${version#* } < 12)) || { echo "$name"; return; } ;;
      "clang "*) ((${version#* } < 16)) || { echo "$name"; return; } ;;
    esac
    [[ $name != "${CXX-}" ]] || return 0  # asked for by name: nothing else will do
  done
}

# The package of a compiler that is new enough, as far as apt knows.
compiler_package() {
  local name candidate
  for name in g++ g++-{14..12}; do
    candidate=$(LC_ALL=C apt-cache policy "$name" 2>/dev/null |
      sed -n 's/^ *Candidate: *\([0-9]*:\)\{0,1\}\([0-9]*\).*/\2/p')
    if [[ -n $candidate ]] && ((candidate >= 12)); then
      echo "$name"
      return
    fi
  done
  echo g++
}

# Packages of the programs that are missing.
missing_tools() {
  [[ -n $(find_compiler) ]] || compiler_package
  command -v cmake >/dev/null || echo cmake
  command -v make >/dev/null || command -v ninja >/dev/null || echo make
}

# Stops where a program is too old to be helped by installing it.
check_tools() {
  local version
  if [[ -n ${CXX-} && -z $(find_compiler) ]]; then
    version=$(compiler_version "$CXX")
    give_up "$(t 'CXX=%s is %s; g++ 12 or clang 16, or newer, is needed.' "$CXX" \
      "${version:-$(t 'no C++ compiler')}")"
  fi
  command -v cmake >/dev/null || return 0
  version=$(cmake --version | sed -n '1s/[^0-9]*\([0-9]*\.[0-9]*\).*/\1/p')
  if ((${version%.*} < 3 || (${version%.*} == 3 && ${version#*.} < 22))); then
    give_up "$(t 'CMake %s is too old: 3.22 or newer is needed. "pip install --user cmake" has one.' \
      "$version")"
  fi
}

as_root() { (($(id -u) == 0)); }

# The line that installs packages.
apt_line() { echo "$(as_root || echo "sudo ")apt-get install -y --no-install-recommends $*"; }

# Those of the packages that dpkg does not have.
not_installed() {
  local package
  for package in "$@"; do
    [[ $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) == *" installed" ]] || echo "$package"
  done
}

# Whether sudo may be tried: by someone of its groups (others would be reported), who can be asked
# for a password or needs none.
may_use_sudo() {
  command -v sudo >/dev/null && id -nG | grep -qwE 'sudo|wheel|admin' || return 1
  [[ -t 0 && -t 2 ]] || sudo -n true 2>/dev/null
}

# Asks a question on the terminal; without one, and with --yes, there is nothing to ask.
agreed() {
  local answer
  [[ $yes == yes ]] && return
  [[ -t 0 && -t 2 ]] || return 1
  read -r -p "$1 [y/N] " answer
  [[ $answer == [yY]* ]]
}

# Runs a command with its output in build/install.log; on failure shows the end of it.
logged() {
  "$@" >>"$build/install.log" 2>&1 </dev/null && return
  say "$(t 'That failed. The last lines of %s:' "$build/install.log")"
  tail -n 8 "$build/install.log" | sed 's/^/  | /' >&2
  return 1
}

# apt_install "" PACKAGE... as root, apt_install sudo PACKAGE... otherwise.
apt_install() {
  local start=$SECONDS
  local -a prefix=(${1:+"$1"})
  local -a quietly=(env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=120)
  shift
  say "$(t 'Installing with apt-get, about a minute:')"
  fold -s -w 88 <<<"$*" | sed 's/^/  /' >&2
  : >"$build/install.log"
  logged "${prefix[@]}" "${quietly[@]}" -o Acquire::Retries=1 update || true
  [[ $1 != g++ ]] || set -- "$(compiler_package)" "${@:2}"  # only now apt knows its version
  logged "${prefix[@]}" "${quietly[@]}" install -y --no-install-recommends "$@" ||
    give_up "$(t 'apt-get could not install them (no network?). By hand:  %s' "$(apt_line "$@")")"
  say "$(t 'Installed in %s s.' $((SECONDS - start)))"
}

# The packages given and those of the same source package that they depend on: libfmt-dev's
# libfmt9, whatever its number is here. Everything else they need came with the compiler.
with_runtime_packages() {
  local -a depends
  mapfile -t depends < <(LC_ALL=C apt-cache "${own_state[@]}" depends --no-recommends --no-suggests \
    --no-conflicts --no-breaks --no-replaces --no-enhances "$@" 2>/dev/null |
    awk '/Depends:/ && $NF !~ /^</ {print $NF}' | sort -u)
  LC_ALL=C apt-cache "${own_state[@]}" show --no-all-versions "$@" "${depends[@]}" 2>/dev/null |
    awk -v wanted="$*" '
      BEGIN {n = split(wanted, names, " "); for (i = 1; i <= n; ++i) given[names[i]] = 1}
      /^Package: / {package = source = $2; order[++count] = package; from[package] = source}
      /^Source: / {from[package] = $2}
      END {
        for (i = 1; i <= count; ++i) if (order[i] in given) sources[from[order[i]]] = 1
        for (i = 1; i <= count; ++i) if (from[order[i]] in sources) print order[i]
      }' | sort -u
}

# Downloads into `partial` with lists of our own, so that no root is needed, and unpacks there.
own_state=()
download_and_unpack() {
  local partial=$1 deb
  local -a all
  shift
  mkdir -p "$partial"/{apt/lists/partial,apt/cache/archives/partial,debs,deps}
  : >"$partial/apt/status"
  own_state=(-q -o "Dir::State=$partial/apt" -o "Dir::State::lists=$partial/apt/lists"
    -o "Dir::State::status=$partial/apt/status" -o "Dir::Cache=$partial/apt/cache"
    -o Acquire::Retries=1 -o Acquire::http::Timeout=20)
  logged apt-get "${own_state[@]}" update || true
  mapfile -t all < <(with_runtime_packages "$@")
  ((${#all[@]} >= $#)) || return 1
  (cd "$partial/debs" && logged apt-get "${own_state[@]}" download "${all[@]}") || return 1
  [[ ! -d $build/deps ]] || cp -a "$build/deps/." "$partial/deps"
  for deb in "$partial"/debs/*.deb; do dpkg -x "$deb" "$partial/deps" || return 1; done
}

# Unpacks libraries into build/deps: all of them or, when interrupted, none.
unpack() {
  local start=$SECONDS partial=$build/deps.partial
  say "$(t 'Unpacking libraries into build/deps (10 MB, no root needed), about 20 s:')"
  fold -s -w 88 <<<"$*" | sed 's/^/  /' >&2
  : >"$build/install.log"
  rm -rf "$partial"
  trap 'rm -rf "$build/deps.partial"' EXIT
  download_and_unpack "$partial" "$@" ||
    give_up_with "$(apt_line "$@")" "$(t 'the libraries could not be downloaded (no network? see build/install.log). An administrator can install them:')"
  rm -rf "$build/deps"
  mv "$partial/deps" "$build/deps"
  rm -rf "$partial"
  trap - EXIT
  say "$(t 'Unpacked in %s s.' $((SECONDS - start)))"
}

no_apt() {
  give_up_with "$(packages library | tr '\n' ' ')" "$(t 'this machine has no apt-get to install with. Needed are: g++ 12 or clang 16, CMake 3.22, make or Ninja, and the development files of these libraries:')"
}

# get PROGRAMS LIBRARIES, each a list of packages: by the best way there is, or stops with a line
# that helps.
get() {
  local -a programs libraries all
  read -r -a programs <<<"$1"
  read -r -a libraries <<<"$2"
  command -v apt-get >/dev/null || no_apt
  mapfile -t all < <(not_installed "${programs[@]}" "${libraries[@]}")
  ((${#all[@]} > 0)) || all=("${libraries[@]}")  # installed, but CMake does not see them
  if [[ $install == no ]]; then
    give_up_with "$(apt_line "${all[@]}")" "$(t 'something is missing here. This line installs it:')"
  fi
  if as_root; then
    apt_install "" "${all[@]}"
  elif may_use_sudo && agreed "$(t 'Install with sudo apt-get: %s?' "${all[*]}")"; then
    apt_install sudo "${all[@]}"
  elif ((${#programs[@]} > 0)); then
    give_up_with "$(apt_line "${programs[@]}")" \
      "$(t 'missing here: %s. An administrator can install that:' "${programs[*]}")"
  else
    unpack "${libraries[@]}"
  fi
}

# Programs first; on a bare machine the libraries come along in the same step.
get_tools() {
  local missing
  check_tools
  missing=$(missing_tools)
  [[ -n $missing ]] || return 0
  get "${missing//$'\n'/ }" "$(packages library extra | tr '\n' ' ')"
  missing=$(missing_tools)
  [[ -z $missing ]] || give_up "$(t 'still missing after that: %s' "${missing//$'\n'/ }")"
}

# Libraries that CMake asked for (build/missing.txt).
get_libraries() { get "" "$1"; }
