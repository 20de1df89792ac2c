# Toolchain: 64-bit ARM with Debian's cross compiler (packages gcc-aarch64-linux-gnu libc6-dev-arm64-cross); runs under
# qemu-aarch64 (package qemu-user). Static, so that no library of that machine is needed to run.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64)
