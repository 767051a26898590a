// SPDX-License-Identifier: MIT
// What the rows of tests/device/api_errors are made of: good arguments, bad ones, and the form of a row.
#pragma once
#include "tests/device/check.h"

#include <hip/hip_ext.h>
#include <hip/hip_gl_interop.h>

#include <iterator>

/// A refused call: the function, its bad argument in words, the error, and a part of the sentence under HIPLZ_LOG=info.
struct Refused {
  const char *function, *argument;
  hipError_t error;
  const char *sentence;
  hipError_t (*call)();
};

#define REFUSED(function, argument, error, sentence, ...)                                                              \
  {#function, argument, hipError##error, sentence, [] { return static_cast<hipError_t>(function(__VA_ARGS__)); }},

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

/// Place for a result of any type, or zeros for a description of any type.
struct Place {
  template <class Type> operator Type *() const {
    static char bytes[4096];
    std::memset(bytes, 0, sizeof bytes);
    return reinterpret_cast<Type *>(bytes);
  }
};
constexpr Place place;

/// Bad arguments. No handle and no memory of HIP lies there.
struct Stray {
  template <class Type> operator Type *() const {
    static char bytes[4096];
    return reinterpret_cast<Type *>(bytes);
  }
};
constexpr Stray stray;
constexpr const void *null = nullptr;
template <class Enum> constexpr Enum noSuch = static_cast<Enum>(0x7fff);
constexpr int noDevice = 99;
constexpr unsigned noFlags = 0xffffffff;
