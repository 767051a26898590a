# SPDX-License-Identifier: MIT
# Everything from outside, found once. Targets: hiplz::ze_loader, and the variables LLVM_*, HIPLZ_CLANGXX, HIPLZ_LLVM_*.
find_package(Threads REQUIRED)
find_path(HIPLZ_ZE_INCLUDE level_zero/ze_api.h REQUIRED)
find_library(HIPLZ_ZE_LOADER ze_loader REQUIRED)
add_library(hiplz::ze_headers INTERFACE IMPORTED)
target_include_directories(hiplz::ze_headers SYSTEM INTERFACE ${HIPLZ_ZE_INCLUDE})
add_library(hiplz::ze_loader INTERFACE IMPORTED)
target_link_libraries(hiplz::ze_loader INTERFACE ${HIPLZ_ZE_LOADER} hiplz::ze_headers)

set(HIPLZ_LLVM_VERSION 15 CACHE STRING "major version of LLVM, clang and the SPIR-V translator")
# LLVM's version file refuses a request for a major version alone, so the version is compared here.
find_package(LLVM CONFIG REQUIRED PATHS /usr/lib/llvm-${HIPLZ_LLVM_VERSION}/lib/cmake/llvm NO_DEFAULT_PATH)
if(NOT LLVM_VERSION_MAJOR EQUAL HIPLZ_LLVM_VERSION)
  message(FATAL_ERROR "HIPLZ_LLVM_VERSION is ${HIPLZ_LLVM_VERSION}, ${LLVM_DIR} is LLVM ${LLVM_PACKAGE_VERSION}")
endif()
set(HIPLZ_LLVM_BIN ${LLVM_TOOLS_BINARY_DIR})
find_program(HIPLZ_CLANGXX NAMES clang++-${HIPLZ_LLVM_VERSION} clang++ HINTS ${HIPLZ_LLVM_BIN} REQUIRED)
find_program(HIPLZ_LLVM_SPIRV NAMES llvm-spirv-${HIPLZ_LLVM_VERSION} llvm-spirv HINTS ${HIPLZ_LLVM_BIN} REQUIRED)

# LLVM is linked as one shared library, and its headers are system headers.
add_library(hiplz::llvm INTERFACE IMPORTED)
target_include_directories(hiplz::llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
separate_arguments(HIPLZ_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_options(hiplz::llvm INTERFACE ${HIPLZ_LLVM_DEFINITIONS})
target_link_libraries(hiplz::llvm INTERFACE LLVM)
find_library(HIPLZ_LLVM_SPIRV_LIB NAMES libLLVMSPIRVLib.so.${HIPLZ_LLVM_VERSION} libLLVMSPIRVLib.so.${HIPLZ_LLVM_VERSION}.1 LLVMSPIRVLib
             HINTS ${LLVM_LIBRARY_DIRS} REQUIRED)
