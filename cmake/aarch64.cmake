# A toolchain for 64-bit Arm: Debian's cross compiler, programs run by emulation. Libraries for arm64
# are looked for below build-arm/deps, where .ci/run unpacks them, and then in the system.
#   QEMU_CPU=cortex-a72 ctest --test-dir build-arm      pretends a certain processor
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -L /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH ${CMAKE_CURRENT_LIST_DIR}/../build-arm/deps)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
