// SPDX-License-Identifier: MIT
// The functions of the file with the kernel that the program calls.
#pragma once

#include <cuda_runtime.h>

const int kBlock = 128;
const float kSoftening = 1e-3f;

/// Computes the forces on all bodies in a stream: `bodies` of them, a multiple of kBlock.
cudaError_t launchForces(const float4 *position, float3 *force, int bodies, cudaStream_t stream);
