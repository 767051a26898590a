// SPDX-License-Identifier: MIT
// Reports calls of the API to the callback of a profiler, and to the recorder of hiplz-prof. Without them it costs two loads and
// branches for each call.
#pragma once
#include "base/profiler.h"

#include <hip/amd_detail/hip_prof_str.h>
#include <hip/hip_runtime_api.h>

#include <atomic>
#include <memory>

namespace hiplz {

/// One call of a function, from its construction to its destruction.
class ApiTracer {
public:
  using Callback = int (*)(activity_domain_t, uint32_t, void *);

  /// Thread-safe. What is traced is the callback's while recording is on, which it is at first.
  static void setCallback(Callback callback) noexcept;
  static void setRecording(bool on) noexcept;

  explicit ApiTracer(const char *function) : function_(function) {
    if (const ProfilerHooks *hooks = profiler()) [[unlikely]]
      begin_ = hooks->beginCall();
    if (Callback callback = active_.load(std::memory_order_acquire)) [[unlikely]]
      enter(callback, function);
  }
  ApiTracer(const ApiTracer &) = delete;
  ApiTracer &operator=(const ApiTracer &) = delete;
  ~ApiTracer() {
    if (call_) [[unlikely]]
      exit();
    if (begin_) [[unlikely]]
      profiler()->endCall(function_, begin_, result_);
  }

  void setResult(hipError_t result) {
    result_ = result;
    if (call_) [[unlikely]]
      call_->data.result = result;
  }

private:
  struct Call {
    hip_api_id_t id;
    hip_api_trace_data_t data;
  };
  void enter(Callback callback, const char *function) noexcept;
  void exit() noexcept;

  static std::atomic<Callback> active_;
  const char *function_;
  uint64_t begin_ = 0; // of a call that is recorded
  hipError_t result_ = hipSuccess;
  std::unique_ptr<Call> call_;
};

} // namespace hiplz
