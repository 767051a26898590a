// SPDX-License-Identifier: MIT
// Reports calls of the API to the callback of a profiler. Without one it costs a load and a branch for each call.
#pragma once
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

  explicit ApiTracer(const char *function) {
    if (Callback callback = active_.load(std::memory_order_acquire)) [[unlikely]]
      enter(callback, function);
  }
  ApiTracer(const ApiTracer &) = delete;
  ApiTracer &operator=(const ApiTracer &) = delete;
  ~ApiTracer() {
    if (call_) [[unlikely]]
      exit();
  }

  void setResult(hipError_t result) {
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
  std::unique_ptr<Call> call_;
};

} // namespace hiplz
