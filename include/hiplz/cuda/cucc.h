// SPDX-License-Identifier: MIT
// The header that cucc includes first: as with CUDA's compiler, a CUDA source knows the runtime without including anything. It
// is read in front of every source of a command, and is empty for those that are not CUDA.
#ifdef __HIP__

#include "cuda_source.h"

// rocThrust finds its back end by the compiler, and would take __CUDACC__ and __CUDA_ARCH__ for NVIDIA's.
#if __has_include(<thrust/system/hip/config.h>)
#include <thrust/detail/config/compiler.h>

#include <thrust/detail/config/cpp_compatibility.h>
#endif

#include "cuda_runtime.h"

#define __CUDACC__ 1
/// Clang's name for the same, which tells its CUDA from that of NVIDIA's compiler.
#define __CUDA__ 1
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0

#endif
