// SPDX-License-Identifier: MIT
// Occupancy: how many blocks of a kernel fit on a compute unit, and which block size fills it.
#ifndef HIPLZ_API_OCCUPANCY_H
#define HIPLZ_API_OCCUPANCY_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define hipOccupancyDefault 0x00
#define hipOccupancyDisableCachingOverride 0x01

/// Stores how many blocks of a kernel a compute unit can hold at the same time.
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, const void *f, int blockSize,
                                                        size_t dynSharedMemPerBlk);

/// Like hipOccupancyMaxActiveBlocksPerMultiprocessor.
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, const void *f, int blockSize,
                                                                 size_t dynSharedMemPerBlk,
                                                                 unsigned int flags __dparm(hipOccupancyDefault));

/// Stores the block size that keeps the most work-items resident, and the least grid that fills the
/// device with it. A limit of 0 means none.
hipError_t hipOccupancyMaxPotentialBlockSize(int *gridSize, int *blockSize, const void *f, size_t dynSharedMemPerBlk,
                                             int blockSizeLimit);

/// Stores how many blocks of a kernel of a module a compute unit can hold at the same time.
hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, hipFunction_t f, int blockSize,
                                                              size_t dynSharedMemPerBlk);

/// Like hipModuleOccupancyMaxActiveBlocksPerMultiprocessor.
hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, hipFunction_t f, int blockSize,
                                                                       size_t dynSharedMemPerBlk, unsigned int flags);

/// Like hipOccupancyMaxPotentialBlockSize, for a kernel of a module.
hipError_t hipModuleOccupancyMaxPotentialBlockSize(int *gridSize, int *blockSize, hipFunction_t f,
                                                   size_t dynSharedMemPerBlk, int blockSizeLimit);

/// Like hipModuleOccupancyMaxPotentialBlockSize.
hipError_t hipModuleOccupancyMaxPotentialBlockSizeWithFlags(int *gridSize, int *blockSize, hipFunction_t f,
                                                            size_t dynSharedMemPerBlk, int blockSizeLimit,
                                                            unsigned int flags);

#ifdef __cplusplus
}
#endif

#endif
