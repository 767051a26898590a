// SPDX-License-Identifier: MIT
// Launches in steps: a configuration, the arguments one by one, the kernel. Older compilers emitted these three calls;
// what `<<<>>>` compiles to now uses the same stack of configurations.
#include "api/api_scope.h"
#include "api/launch_checks.h"

#include <cstring>
#include <utility>
#include <vector>

using namespace hiplz;

namespace {

hipError_t push(const CallConfiguration &configuration) {
  ThreadState &state = threadState;
  if (state.configurationCount == ThreadState::kConfigurations)
    return refuse(hipErrorInvalidConfiguration, "too many launches were configured and never made");
  state.configurations[state.configurationCount++] = configuration;
  return hipSuccess;
}

/// The arguments that have been set for each configuration of the thread's stack.
struct Arguments {
  std::vector<std::byte> of[ThreadState::kConfigurations];
};

// A plain pointer: destructors that run after the guard's below may still launch.
constinit thread_local Arguments *arguments = nullptr;

struct ThreadEnd {
  ~ThreadEnd() { delete std::exchange(arguments, nullptr); }
};

/// Those of the configuration on top, which exists.
std::vector<std::byte> &topArguments() {
  if (!arguments) {
    arguments = new Arguments;
    thread_local ThreadEnd end;
  }
  return arguments->of[threadState.configurationCount - 1];
}

} // namespace

extern "C" {

hipError_t __hipPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem, hipStream_t stream) {
  const hipError_t error = push({gridDim, blockDim, sharedMem, stream});
  if (error != hipSuccess)
    threadState.lastError = error;
  return error;
}

hipError_t __hipPopCallConfiguration(dim3 *gridDim, dim3 *blockDim, size_t *sharedMem, hipStream_t *stream) {
  ThreadState &state = threadState;
  if (state.configurationCount == 0) {
    HIPLZ_LOG_INFO("__hipPopCallConfiguration = hipErrorMissingConfiguration: no launch has been configured");
    return state.lastError = hipErrorMissingConfiguration;
  }
  const CallConfiguration &top = state.configurations[--state.configurationCount];
  state.inLaunch = true;
  *gridDim = top.grid;
  *blockDim = top.block;
  *sharedMem = top.sharedBytes;
  *stream = top.stream;
  return hipSuccess;
}

hipError_t hipConfigureCall(dim3 gridDim, dim3 blockDim, size_t sharedMem, hipStream_t stream) {
  return HIPLZ_API(hipConfigureCall, gridDim, blockDim, sharedMem, stream)([&] {
    if (hipError_t error = push({gridDim, blockDim, sharedMem, stream}))
      return error;
    topArguments().clear();
    return hipSuccess;
  });
}

hipError_t hipSetupArgument(const void *arg, size_t size, size_t offset) {
  return HIPLZ_API(hipSetupArgument, arg, size, offset)([&] {
    constexpr size_t kMaxBytes = 64 << 10; // far above what any device takes
    HIPLZ_NOT_NULL(arg);
    if (size > kMaxBytes || offset > kMaxBytes)
      return refuse(hipErrorInvalidValue, "size or offset is larger than any kernel's arguments");
    if (threadState.configurationCount == 0)
      return refuse(hipErrorMissingConfiguration, "no launch has been configured");
    std::vector<std::byte> &buffer = topArguments();
    if (buffer.size() < offset + size)
      buffer.resize(offset + size);
    std::memcpy(buffer.data() + offset, arg, size);
    return hipSuccess;
  });
}

hipError_t hipLaunchByPtr(const void *func) {
  return HIPLZ_API(hipLaunchByPtr, func)([&] {
    ThreadState &state = threadState;
    if (state.configurationCount == 0)
      return refuse(hipErrorMissingConfiguration, "no launch has been configured");
    const std::vector<std::byte> packed = std::exchange(topArguments(), {});
    const CallConfiguration call = state.configurations[--state.configurationCount];
    // A kernel without parameters has an empty buffer, which is a buffer.
    static constexpr std::byte kNone{};
    return launchFunction(func, shapeOf(call.grid, call.block, call.sharedBytes),
                          {nullptr, packed.empty() ? &kNone : packed.data(), packed.size()},
                          launchQueueFrom(call.stream));
  });
}

} // extern "C"
