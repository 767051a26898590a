// SPDX-License-Identifier: MIT
// Memory of devices that share none with the host: buffers with addresses (cl_ext_buffer_device_address), and plain memory of the host,
// from which copies are made. Commands take buffers while Level Zero names memory by its address, so there is a table of them.
#pragma once
#include "opencl/memory_functions.h"

namespace hiplz::opencl {

/// False in `operator bool` if the platform has an older draft of the extension, with other functions.
MemoryFunctions bufferFunctions(cl_platform_id platform);

// Like the functions of cl_intel_unified_shared_memory, for devices whose kernels do not reach the host's memory.
void *CL_API_CALL allocateHostMemory(cl_context, const cl_mem_properties_intel *, size_t size, cl_uint alignment,
                                     cl_int *code);
/// Fails always.
void *CL_API_CALL refuseSharedMemory(cl_context, cl_device_id, const cl_mem_properties_intel *, size_t, cl_uint,
                                     cl_int *code);
/// False if allocateHostMemory() has not returned it.
bool freeHostMemory(void *memory);

} // namespace hiplz::opencl
