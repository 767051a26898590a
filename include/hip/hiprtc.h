// SPDX-License-Identifier: MIT
// hipRTC: compiling HIP source code at run time.
#ifndef HIPLZ_HIPRTC_H
#define HIPLZ_HIPRTC_H

#include "spirv/user_macros_off.h"

#include "hip_common.h"
#include "linker_types.h"
#include "spirv/followed_version.h"
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Status of a call.
typedef enum hiprtcResult {
  HIPRTC_SUCCESS = 0,
  HIPRTC_ERROR_OUT_OF_MEMORY,
  HIPRTC_ERROR_PROGRAM_CREATION_FAILURE,
  HIPRTC_ERROR_INVALID_INPUT,
  HIPRTC_ERROR_INVALID_PROGRAM,
  HIPRTC_ERROR_INVALID_OPTION,
  HIPRTC_ERROR_COMPILATION,
  HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE,
  HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION,
  HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION,
  HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID,
  HIPRTC_ERROR_INTERNAL_ERROR,
  HIPRTC_ERROR_LINKING = 100
} hiprtcResult;

typedef struct _hiprtcProgram *hiprtcProgram;
typedef struct ihiprtcLinkState *hiprtcLinkState;

#define hiprtcJIT_option hipJitOption
#define hiprtcJITInputType hipJitInputType
#define HIPRTC_JIT_CACHE_MODE hipJitOptionCacheMode
#define HIPRTC_JIT_ERROR_LOG_BUFFER hipJitOptionErrorLogBuffer
#define HIPRTC_JIT_ERROR_LOG_BUFFER_SIZE_BYTES hipJitOptionErrorLogBufferSizeBytes
#define HIPRTC_JIT_FALLBACK_STRATEGY hipJitOptionFallbackStrategy
#define HIPRTC_JIT_FAST_COMPILE hipJitOptionFastCompile
#define HIPRTC_JIT_FMA hipJitOptionFma
#define HIPRTC_JIT_FTZ hipJitOptionFtz
#define HIPRTC_JIT_GENERATE_DEBUG_INFO hipJitOptionGenerateDebugInfo
#define HIPRTC_JIT_GENERATE_LINE_INFO hipJitOptionGenerateLineInfo
#define HIPRTC_JIT_GLOBAL_SYMBOL_ADDRESS hipJitOptionGlobalSymbolAddresses
#define HIPRTC_JIT_GLOBAL_SYMBOL_COUNT hipJitOptionGlobalSymbolCount
#define HIPRTC_JIT_GLOBAL_SYMBOL_NAMES hipJitOptionGlobalSymbolNames
#define HIPRTC_JIT_INFO_LOG_BUFFER hipJitOptionInfoLogBuffer
#define HIPRTC_JIT_INFO_LOG_BUFFER_SIZE_BYTES hipJitOptionInfoLogBufferSizeBytes
#define HIPRTC_JIT_INPUT_CUBIN hipJitInputCubin
#define HIPRTC_JIT_INPUT_FATBINARY hipJitInputFatBinary
#define HIPRTC_JIT_INPUT_LIBRARY hipJitInputLibrary
#define HIPRTC_JIT_INPUT_LLVM_ARCHIVES_OF_BUNDLED_BITCODE hipJitInputLLVMArchivesOfBundledBitcode
#define HIPRTC_JIT_INPUT_LLVM_BITCODE hipJitInputLLVMBitcode
#define HIPRTC_JIT_INPUT_LLVM_BUNDLED_BITCODE hipJitInputLLVMBundledBitcode
#define HIPRTC_JIT_INPUT_NVVM hipJitInputNvvm
#define HIPRTC_JIT_INPUT_OBJECT hipJitInputObject
#define HIPRTC_JIT_INPUT_PTX hipJitInputPtx
#define HIPRTC_JIT_INPUT_SPIRV hipJitInputSpirv
#define HIPRTC_JIT_IR_TO_ISA_OPT_COUNT_EXT hipJitOptionIRtoISAOptCountExt
#define HIPRTC_JIT_IR_TO_ISA_OPT_EXT hipJitOptionIRtoISAOptExt
#define HIPRTC_JIT_LOG_VERBOSE hipJitOptionLogVerbose
#define HIPRTC_JIT_LTO hipJitOptionLto
#define HIPRTC_JIT_MAX_REGISTERS hipJitOptionMaxRegisters
#define HIPRTC_JIT_MAX_THREADS_PER_BLOCK hipJitOptionMaxThreadsPerBlock
#define HIPRTC_JIT_MIN_CTA_PER_SM hipJitOptionMinCTAPerSM
#define HIPRTC_JIT_NEW_SM3X_OPT hipJitOptionSm3xOpt
#define HIPRTC_JIT_NUM_INPUT_TYPES hipJitNumInputTypes
#define HIPRTC_JIT_NUM_LEGACY_INPUT_TYPES hipJitNumLegacyInputTypes
#define HIPRTC_JIT_NUM_OPTIONS hipJitOptionNumOptions
#define HIPRTC_JIT_OPTIMIZATION_LEVEL hipJitOptionOptimizationLevel
#define HIPRTC_JIT_OVERRIDE_DIRECT_VALUES hipJitOptionOverrideDirectiveValues
#define HIPRTC_JIT_POSITION_INDEPENDENT_CODE hipJitOptionPositionIndependentCode
#define HIPRTC_JIT_PREC_DIV hipJitOptionPrecDiv
#define HIPRTC_JIT_PREC_SQRT hipJitOptionPrecSqrt
#define HIPRTC_JIT_TARGET hipJitOptionTarget
#define HIPRTC_JIT_TARGET_FROM_HIPCONTEXT hipJitOptionTargetFromContext
#define HIPRTC_JIT_THREADS_PER_BLOCK hipJitOptionThreadsPerBlock
#define HIPRTC_JIT_WALL_TIME hipJitOptionWallTime

/// Stores the version of hipRTC.
hiprtcResult hiprtcVersion(int *major, int *minor);

/// Returns the name of the code as a string that lives as long as the library.
const char *hiprtcGetErrorString(hiprtcResult result);

// Compiling

/// Creates a program from a source text and the texts of headers it includes. All of them are
/// copied.
hiprtcResult hiprtcCreateProgram(hiprtcProgram *prog, const char *src, const char *name, int numHeaders,
                                 const char *HIPLZ_CONST_SINCE_7 *headers,
                                 const char *HIPLZ_CONST_SINCE_7 *includeNames);

/// Destroys a program and sets the handle to null.
hiprtcResult hiprtcDestroyProgram(hiprtcProgram *prog);

/// Asks for the mangled name of a kernel or variable, or for the instance of a template. Only
/// before compiling.
hiprtcResult hiprtcAddNameExpression(hiprtcProgram prog, const char *name_expression);

/// Compiles a program; it may be compiled again, with other options. HIPRTC_ERROR_COMPILATION if
/// the source has errors; the log says which.
hiprtcResult hiprtcCompileProgram(hiprtcProgram prog, int numOptions, const char *HIPLZ_CONST_SINCE_7 *options);

/// Stores the mangled name of an expression that was added before compiling. It lives as long as
/// the program.
hiprtcResult hiprtcGetLoweredName(hiprtcProgram prog, const char *name_expression, const char **lowered_name);

/// Stores the size of the log with its terminator.
hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram prog, size_t *logSizeRet);

/// Stores the log of the compiler.
hiprtcResult hiprtcGetProgramLog(hiprtcProgram prog, char *log);

/// Stores the size of the code.
hiprtcResult hiprtcGetCodeSize(hiprtcProgram prog, size_t *codeSizeRet);

/// Stores the code, which hipModuleLoadData takes.
hiprtcResult hiprtcGetCode(hiprtcProgram prog, char *code);

/// Stores the size of the bitcode, if the program was compiled to bitcode.
hiprtcResult hiprtcGetBitcodeSize(hiprtcProgram prog, size_t *bitcode_size);

/// Stores the bitcode, which hiprtcLinkAddData takes.
hiprtcResult hiprtcGetBitcode(hiprtcProgram prog, char *bitcode);

// Linking

/// Starts a link.
hiprtcResult hiprtcLinkCreate(unsigned int num_options, hipJitOption *option_ptr, void **option_vals_pptr,
                              hiprtcLinkState *hip_link_state_ptr);

/// Adds code from memory.
hiprtcResult hiprtcLinkAddData(hiprtcLinkState hip_link_state, hipJitInputType input_type, void *image,
                               size_t image_size, const char *name, unsigned int num_options, hipJitOption *options_ptr,
                               void **option_values);

/// Adds code from a file.
hiprtcResult hiprtcLinkAddFile(hiprtcLinkState hip_link_state, hipJitInputType input_type, const char *file_path,
                               unsigned int num_options, hipJitOption *options_ptr, void **option_values);

/// Stores the linked code, which the link owns.
hiprtcResult hiprtcLinkComplete(hiprtcLinkState hip_link_state, void **bin_out, size_t *size_out);

/// Ends a link and frees its result.
hiprtcResult hiprtcLinkDestroy(hiprtcLinkState hip_link_state);

#ifdef __cplusplus
}
#endif

#include "spirv/user_macros_on.h"
#endif
