// The one function that the compiler library exports, and its C types.
#pragma once
#include <cstddef>

extern "C" {

struct HiplzCpuCompileRequest {
  const void *spirv;
  size_t spirvBytes;
  const char *buildFlags; ///< never null
  const char *hostKey;    ///< recorded in the binary
};

/// Receives the results; the callbacks copy what they are given.
struct HiplzCpuCompileSink {
  void *user;
  void (*binary)(void *user, const void *data, size_t bytes);
  void (*log)(void *user, const char *text, size_t bytes);
};

/// Compiles. Returns 1 after one call of sink->binary, or 0 after a sentence to sink->log. Warnings go to sink->log too.
/// Thread-safe. Lets no exception out.
int hiplzCpuCompile(const HiplzCpuCompileRequest *request, const HiplzCpuCompileSink *sink);
}
