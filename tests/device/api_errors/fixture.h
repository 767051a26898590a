// SPDX-License-Identifier: MIT
// The parts of the rows in tests/device/api_errors: good arguments, bad ones, and the form of a row.
#pragma once
#include "tests/device/api_errors/source.h"
#include "tests/device/check.h"

#include <hip/hip_ext.h>
#include <hip/hip_gl_interop.h>

#include <iterator>

/// A refused call: the function, its bad argument in words, the error, and a part of the sentence under HIPLZ_LOG=info.
struct Refused {
  Source source;
  const char *function, *argument;
  hipError_t error;
  const char *sentence;
  hipError_t (*call)();
};

#define REFUSED(source, function, argument, error, sentence, ...)                                                      \
  {Source::source,  #function, argument,                                                                               \
   hipError##error, sentence,  [] { return static_cast<hipError_t>(function(__VA_ARGS__)); }},

/// Good arguments; main makes them.
inline hipStream_t stream;
inline hipEvent_t event;
inline hipGraph_t graph;
inline hipGraphNode_t node; // an empty one of the graph
inline hipGraphExec_t exec; // of the graph
inline hipArray_t array;    // 16 x 16 ints
inline hipMipmappedArray_t mipmap;
inline hipMemPool_t pool;
inline hipCtx_t context;
inline hipModule_t module;
inline hipFunction_t function;
inline const void *kernel, *symbol; // of this program
inline textureReference *texref;
inline void *memory, *managed; // 4096 bytes
inline char host[4096];
inline hipChannelFormatDesc ints;
inline hipUserObject_t userObject;
inline hipLinkState_t linkState;
inline void *reserved; // addresses, 2 MiB
inline hipMemAllocationProp memoryProp;
inline hipMemGenericAllocationHandle_t physical;

/// A graph with a node of each kind, and what the nodes were made of.
inline hipGraph_t fullGraph;
inline hipGraphExec_t fullExec;
inline hipGraphNode_t kernelNode, hostNode, memsetNode, copyNode, fromNode, toNode, recordNode, waitNode, childNode,
    batchNode, allocNode, freeNode;
inline hipKernelNodeParams kernelParams;
inline hipHostNodeParams hostParams;
inline hipMemsetParams memsetParams;
inline HIP_MEMSET_NODE_PARAMS drvMemsetParams;
inline hipMemcpy3DParms copyParams;
inline HIP_MEMCPY3D drvCopyParams;
inline hipStreamBatchMemOpParams operation;
inline hipBatchMemOpNodeParams batchParams;
inline hipMemAllocNodeParams allocParams;
alignas(hipGraphNodeParams) inline char nodeParamsBytes[sizeof(hipGraphNodeParams)];
inline hipGraphNodeParams &nodeParams = reinterpret_cast<hipGraphNodeParams &>(nodeParamsBytes);

/// Place for a result of any type, or zeros for a description of any type.
struct Place {
  template <class Type> operator Type *() const {
    static char bytes[4096];
    std::memset(bytes, 0, sizeof bytes);
    return reinterpret_cast<Type *>(bytes);
  }
};
constexpr Place place;

/// One attribute of a range of memory.
inline char attributeBytes[8];
inline void *places[] = {attributeBytes};
inline size_t sizes[] = {4};
inline hipMemRangeAttribute attributes[] = {hipMemRangeAttributeReadMostly};

/// Bad arguments. No handle and no memory of HIP lies there.
struct Stray {
  template <class Type> operator Type *() const {
    static char bytes[4096];
    return reinterpret_cast<Type *>(bytes);
  }
};
constexpr Stray stray;
inline hipGraphNode_t strayNode = stray;
inline hipStreamCaptureMode noMode = static_cast<hipStreamCaptureMode>(0x7fff);
constexpr const void *null = nullptr;
template <class Enum> constexpr Enum noSuch = static_cast<Enum>(0x7fff);
/// Enumerations without negative values are compared as `int` all the same.
template <class Enum> const Enum negative = static_cast<Enum>(-1);
constexpr int noDevice = 99;
constexpr unsigned noFlags = 0xffffffff;
