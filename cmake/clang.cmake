# A toolchain that takes the newest clang from 16 on, under whatever name it is installed.
find_program(NAPKIN_CLANG NO_CACHE NAMES
  clang++-22 clang++-21 clang++-20 clang++-19 clang++-18 clang++-17 clang++-16 clang++)
if(NAPKIN_CLANG)
  set(CMAKE_CXX_COMPILER ${NAPKIN_CLANG})
else()
  message(FATAL_ERROR "No clang++ found. On Debian 12:  sudo apt-get install -y clang-16\n")
endif()
