// SPDX-License-Identifier: MIT
// Settings of HIP's headers for a source with CUDA's names, read before them.
#ifndef HIPLZ_CUDA_SOURCE_H
#define HIPLZ_CUDA_SOURCE_H

/// Functions that CUDA does not have stay away, because programs define them: atomicMin of float, for instance. Device
/// pointers of the driver API are numbers.
#define __HIPLZ_CUDA_SOURCE__ 1

/// CUDA's warpSize and CUDA_MEMSET_NODE_PARAMS are those of HIP 6.
#ifndef HIPLZ_HIP_VERSION
#define HIPLZ_HIP_VERSION 6
#endif

#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM) && !defined(HIP_API_PER_THREAD_DEFAULT_STREAM)
#define HIP_API_PER_THREAD_DEFAULT_STREAM
#endif

#ifndef HIP_DEPRECATED // what HIP calls deprecated is current in CUDA
#define HIP_DEPRECATED(message)
#endif

#endif
