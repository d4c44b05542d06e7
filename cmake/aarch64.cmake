# Tool chain: clang for AArch64 with Debian's libraries, unpacked where MANIPLE_SYSROOT says
# (scripts/check-aarch64.sh).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES MANIPLE_SYSROOT MANIPLE_LLVM)
set(CMAKE_SYSROOT ${MANIPLE_SYSROOT})
foreach(language C CXX ASM)
  set(CMAKE_${language}_COMPILER_TARGET aarch64-linux-gnu)
endforeach()
set(CMAKE_C_COMPILER clang-${MANIPLE_LLVM})
set(CMAKE_CXX_COMPILER clang++-${MANIPLE_LLVM})
set(CMAKE_ASM_COMPILER clang-${MANIPLE_LLVM})
foreach(kind EXE SHARED MODULE)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT -fuse-ld=lld)
endforeach()
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE BOTH)
# QEMU before 8 takes a gigabyte for each 100 that a program reserves: the limit has the checking engine do without.
set(CMAKE_CROSSCOMPILING_EMULATOR prlimit --as=34359738368 qemu-aarch64-static -L ${MANIPLE_SYSROOT}
    CACHE STRING "runs programs for AArch64")
