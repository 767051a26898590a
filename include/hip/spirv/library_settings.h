// SPDX-License-Identifier: MIT
// The switches of AMD's header libraries that the GPU's name would set. They select assembly for AMD's GPUs, which no
// other target takes; a program may set them itself.
#ifndef HIPLZ_SPIRV_LIBRARY_SETTINGS_H
#define HIPLZ_SPIRV_LIBRARY_SETTINGS_H

// rocPRIM and hipCUB: loads and stores with cache modifiers are assembly; without them they are plain ones.
#ifndef ROCPRIM_THREAD_LOAD_USE_CACHE_MODIFIERS
#define ROCPRIM_THREAD_LOAD_USE_CACHE_MODIFIERS 0
#endif
#ifndef ROCPRIM_THREAD_STORE_USE_CACHE_MODIFIERS
#define ROCPRIM_THREAD_STORE_USE_CACHE_MODIFIERS 0
#endif
#ifndef HIPCUB_THREAD_LOAD_USE_CACHE_MODIFIERS
#define HIPCUB_THREAD_LOAD_USE_CACHE_MODIFIERS 0
#endif
#ifndef HIPCUB_THREAD_STORE_USE_CACHE_MODIFIERS
#define HIPCUB_THREAD_STORE_USE_CACHE_MODIFIERS 0
#endif

// hipCUB: no 128-bit integers, which SPIR-V does not have.
#ifndef HIPCUB_IS_INT128_ENABLED
#define HIPCUB_IS_INT128_ENABLED 0
#endif

#endif
