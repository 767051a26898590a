// SPDX-License-Identifier: MIT
// HIP's state of each thread: the current device, the last error, and launches that were configured and not yet made.
// The thread's default streams are in stream/device_queues.cpp.
#pragma once
#include <hip/hip_runtime_api.h>

#include <cstddef>

namespace hiplz {

/// The configuration that `<<<>>>` pushes before it calls the kernel's host function, which pops it.
struct CallConfiguration {
  dim3 grid, block;
  size_t sharedBytes;
  hipStream_t stream;
};

/// Why a call was refused, until the boundary of the C API has logged it.
struct Refusal {
  const char *sentence; // a literal, or null
  hipError_t error;
};

struct LostError;

/// Constant-initialised, so that reading it needs no guard.
struct ThreadState {
  hipError_t lastError;  // of the last call that failed; hipErrorNotReady does not count
  hipError_t lastResult; // of the last call
  Refusal refusal;
  int device;
  bool inHostFunction; // the thread runs a host function of a stream, which may not call HIP
  bool inLaunch;       // `<<<>>>` has fetched its configuration and is about to launch: nobody sees the launch's result
  LostError *lost;     // of api/lost_errors.h: what the thread has not been asked for, or null
  // Launches nest when an argument of a launch launches itself; nobody nests deeper than this.
  static constexpr unsigned kConfigurations = 16;
  unsigned configurationCount;
  CallConfiguration configurations[kConfigurations];
};

// Not in the static block of each thread, where a launch would find it 10 ns sooner: the library could not be opened by a program
// whose other libraries have used that block up.
extern constinit thread_local ThreadState threadState;

/// The same, for code that uses it several times: the thread's variable is found by a call, which the compiler makes once for all of them.
[[gnu::const]] ThreadState &ownThreadState() noexcept;

} // namespace hiplz
