// SPDX-License-Identifier: MIT
// Options and input kinds of the run-time linker and of module loading.
#ifndef HIPLZ_LINKER_TYPES_H
#define HIPLZ_LINKER_TYPES_H

#include "hip_version.h"
#include "spirv/user_macros_off.h"

/// Options of hipModuleLoadDataEx and of the linker. Each takes a value in the parallel array of
/// option values.
typedef enum hipJitOption {
  hipJitOptionMaxRegisters = 0,
  hipJitOptionThreadsPerBlock,
  hipJitOptionWallTime,
  hipJitOptionInfoLogBuffer,
  hipJitOptionInfoLogBufferSizeBytes,
  hipJitOptionErrorLogBuffer,
  hipJitOptionErrorLogBufferSizeBytes,
  hipJitOptionOptimizationLevel,
  hipJitOptionTargetFromContext,
  hipJitOptionTarget,
  hipJitOptionFallbackStrategy,
  hipJitOptionGenerateDebugInfo,
  hipJitOptionLogVerbose,
  hipJitOptionGenerateLineInfo,
  hipJitOptionCacheMode,
  hipJitOptionSm3xOpt,
  hipJitOptionFastCompile,
  hipJitOptionGlobalSymbolNames,
  hipJitOptionGlobalSymbolAddresses,
  hipJitOptionGlobalSymbolCount,
  hipJitOptionLto,
  hipJitOptionFtz,
  hipJitOptionPrecDiv,
  hipJitOptionPrecSqrt,
  hipJitOptionFma,
  hipJitOptionPositionIndependentCode,
  hipJitOptionMinCTAPerSM,
  hipJitOptionMaxThreadsPerBlock,
  hipJitOptionOverrideDirectiveValues,
  hipJitOptionNumOptions,
  hipJitOptionIRtoISAOptExt = 10000,
  hipJitOptionIRtoISAOptCountExt
} hipJitOption;

/// Kinds of code that the linker takes.
typedef enum hipJitInputType {
  hipJitInputCubin = 0,
  hipJitInputPtx,
  hipJitInputFatBinary,
  hipJitInputObject,
  hipJitInputLibrary,
  hipJitInputNvvm,
  hipJitNumLegacyInputTypes,
  hipJitNumInputTypes = 10,
  hipJitInputLLVMBitcode = 100,
  hipJitInputLLVMBundledBitcode,
  hipJitInputLLVMArchivesOfBundledBitcode,
  hipJitInputSpirv
} hipJitInputType;

/// Values of hipJitOptionCacheMode.
typedef enum hipJitCacheMode { hipJitCacheOptionNone = 0, hipJitCacheOptionCG, hipJitCacheOptionCA } hipJitCacheMode;

/// Values of hipJitOptionFallbackStrategy.
typedef enum hipJitFallback { hipJitPreferPTX = 0, hipJitPreferBinary } hipJitFallback;

#if HIPLZ_HIP_VERSION >= 7
/// Options of hipLibraryLoadData. Both are hints here.
typedef enum hipLibraryOption_e {
  hipLibraryHostUniversalFunctionAndDataTable = 0,
  hipLibraryBinaryIsPreserved ///< the image stays where it is until the library is unloaded
} hipLibraryOption;
#endif

#include "spirv/user_macros_on.h"
#endif
