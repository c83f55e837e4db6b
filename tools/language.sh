# Sourced by ./lecture: which language it speaks, and its sentences in Chinese.
# shellcheck shell=bash

language=en

# The language of --lang, wherever it stands, else of the locale, as the programs choose it.
choose_language() {
  local word previous="" wanted="" locale=${LC_ALL:-${LC_MESSAGES:-${LANG-}}}
  if [[ $locale =~ ^zh([^A-Za-z].*)?$ ]]; then
    [[ $locale == *.* && ! $locale =~ \.(UTF-?8|utf-?8)(@|$) ]] || language=zh
  fi
  for word; do
    [[ $previous != --lang ]] || wanted=$word
    [[ $word != --lang=* ]] || wanted=${word#*=}
    previous=$word
  done
  [[ -n $wanted || $previous == --lang ]] || return 0
  case $wanted in
    en | zh) language=$wanted ;;
    *) refuse "$(t '--lang %s: there are en and zh' "$wanted")" ;;
  esac
}

# t FORMAT WORDS...: the sentence in the chosen language, filled in as by printf. A test finds the
# sentences by the single quotes.
t() {
  local format=$1
  shift
  [[ $language != zh ]] || format=${chinese[$format]-$format}
  # shellcheck disable=SC2059 # the sentences are formats
  printf -- "$format" "$@"
}

# Columns of a text on a terminal, in the locale C: Chinese characters have three bytes, two columns.
columns_of() {
  local ascii=${1//[!$' \t'-~]/}
  echo $((${#ascii} + (${#1} - ${#ascii}) * 2 / 3))
}

help_in_chinese() {
  cat <<'END'
用法：./lecture 命令

  run                 列出各个演示
  run NN [选项]       编译并运行第 NN 个演示；选项交给演示（--help 列出它们）
  run all [选项]      依次运行所有演示
  test [选项]         编译并检查全部内容；选项交给 ctest（-R claim.01）
  grade [NAME|NN]     评判你在 my/ 里的答案；--watch：每次保存都重新评判，
                      --sanitize：检查越界的地址与算术
  hint NAME           一个提示；再问一次，提示更明白
  solution NAME       答案，在你通过之后给出（或加 --anyway）
  reset NAME          恢复成原来的题目；你写的会另存
  bench [NN] [选项]   给演示的各部分计时；bench library：张量的每种运算
  doctor              这台机器有什么，缺什么
  help                本页

写在 NN 或选项之前：
  --yes               缺什么就装什么，不再询问
  --no-install        什么都不装；只打印安装所用的命令
  --lang en|zh        语言（默认：按 LC_ALL 或 LANG）

例如：  ./lecture run 01 --section 2.3
        ./lecture run 01 stride --shape 2,3,4 --transpose 0,2
END
}

declare -A chinese=(
  # lecture
  ['--lang %s: there are en and zh']='--lang %s：只有 en 和 zh'
  ['there is no demo "%s". These are here:']='没有名为“%s”的演示。现有：'
  ['Demos, for %s:']='演示，用 %s 运行：'
  ['run %s: the number of the demo comes first, as in %s']='run %s：演示的编号写在前面，例如 %s'
  ['bench: %s has no benchmark.cpp']='bench：%s 没有 benchmark.cpp'
  ['%s takes nothing more, but got "%s".']='%s 后面不能再写别的，却写了“%s”。'
  ['"%s" is not a command. There are %s.']='没有“%s”这个命令。有：%s。'

  # tools/build.sh
  ['cannot write to %s, which belongs to %s. Copy the project to a folder of your own, or remove build/.']='无法写入 %s，它属于 %s。请把项目复制到自己的文件夹，或删除 build/。'
  ['Another %s is building here; waiting for it.']='另一个 %s 正在这里编译；等它结束。'
  ['it was made for another folder']='它是为另一个文件夹生成的'
  ['the compiler, CMake or build program it was made with is gone']='生成它所用的编译器、CMake 或构建程序已经不在了'
  ['%s is no longer version %s']='%s 已不再是版本 %s'
  ['CMake stopped. From %s:']='CMake 中止了。摘自 %s：'
  ['The build stopped. From %s:']='编译中止了。摘自 %s：'
  ['The machine ran out of memory. One file at a time needs less:']='内存不够了。一次只编译一个文件，占用会少些：'
  ['Building %s']='正在编译 %s'
  ['Building everything']='正在编译全部内容'
  [' (a minute or two the first time)']='（第一次需要一两分钟）'
  ['Built in %s s.']='编译用了 %s 秒。'
  ['Interrupted.']='已中断。'
  ['Starting build/ afresh: %s.']='build/ 从头开始：%s。'

  # tools/install.sh
  ['no C++ compiler']='不是 C++ 编译器'
  ['CXX=%s is %s; g++ 12 or clang 16, or newer, is needed.']='CXX=%s 是 %s；需要 g++ 12 或 clang 16，或更新的版本。'
  ['CMake %s is too old: 3.22 or newer is needed. "pip install --user cmake" has one.']='CMake %s 太旧：需要 3.22 或更新的版本。可用“pip install --user cmake”安装。'
  ['That failed. The last lines of %s:']='失败了。%s 的最后几行：'
  ['Installing with apt-get, about a minute:']='正在用 apt-get 安装，约一分钟：'
  ['apt-get could not install them (no network?). By hand:  %s']='apt-get 没能装上（没有网络？）。手动安装：  %s'
  ['Installed in %s s.']='安装用了 %s 秒。'
  ['Unpacking libraries into build/deps (10 MB, no root needed), about 20 s:']='正在把库解压到 build/deps（10 MB，不需要 root），约 20 秒：'
  ['the libraries could not be downloaded (no network? see build/install.log). An administrator can install them:']='库下载失败（没有网络？见 build/install.log）。管理员可以这样安装：'
  ['Unpacked in %s s.']='解压用了 %s 秒。'
  ['this machine has no apt-get to install with. Needed are: g++ 12 or clang 16, CMake 3.22, make or Ninja, and the development files of these libraries:']='这台机器没有 apt-get，无法安装。需要：g++ 12 或 clang 16、CMake 3.22、make 或 Ninja，以及下列库的开发文件：'
  ['something is missing here. This line installs it:']='这里缺少一些东西。这一行可以安装：'
  ['Install with sudo apt-get: %s?']='用 sudo apt-get 安装：%s？'
  ['missing here: %s. An administrator can install that:']='这里缺少：%s。管理员可以这样安装：'
  ['still missing after that: %s']='安装之后仍然缺少：%s'

  # tools/doctor.sh
  ['system']='系统'
  ['processor']='处理器'
  ['vectors']='向量指令'
  ['memory']='内存'
  ['compiler']='编译器'
  ['build program']='构建程序'
  ['libraries']='库'
  ['; tried on x86-64 and 64-bit Arm only']='；只在 x86-64 与 64 位 Arm 上试过'
  [' (not used)']='（不使用）'
  ['%s, %s cores to use']='%s，可用 %s 个核'
  ['%s GB, %s GB free']='%s GB，空闲 %s GB'
  ['%s is too old: g++ 12 or clang 16, or newer, is needed']='%s 太旧：需要 g++ 12 或 clang 16，或更新的版本'
  ['none']='没有'
  ['%s, knows presets']='%s，支持 preset'
  ['%s (presets need 3.25)']='%s（preset 需要 3.25）'
  ['all here']='齐全'
  [' (unpacked in build/deps)']='（解压在 build/deps）'
  ['missing: %s']='缺少：%s'
  ['no CUDA toolkit: GPU code is left out of the build']='没有 CUDA 工具包：不编译 GPU 代码'
  ['%s is %s: 12 or newer is needed']='%s 是 %s：需要 12 或更新的版本'
  ['; no NVIDIA driver: GPU code is left out of the build']='；没有 NVIDIA 驱动：不编译 GPU 代码'
  ['%s driver']='驱动 %s'
  [', and more']='，还有其他'
  ['no GPU: %s checks will be Skipped']='没有 GPU：%s 项检查会跳过（Skipped）'
  ['nothing built yet: the first time takes a minute or two']='还没有编译过：第一次需要一两分钟'
  ['will be built afresh: %s']='将从头编译：%s'
  ['%s, %s; built: %s']='%s，%s；已编译：%s'
  ['nothing']='无'
  ['needed:']='必需：'
  ['faster:']='更快：'
  ['the missing libraries; %s gets them']='缺少的库；%s 会取来'
  ['build/ is a %s build: its timings say little. Remove build/ for a release build.']='build/ 是 %s 版本：计时没有意义。删除 build/ 即可重新编译发布版本。'
  ['install the CUDA toolkit of NVIDIA, 12 or newer, or put its nvcc on the PATH']='安装 NVIDIA 的 CUDA 工具包（12 或更新），或把它的 nvcc 加进 PATH'
  ['What would help:']='建议：'
  ['Nothing is missing.']='什么都不缺。'
)
