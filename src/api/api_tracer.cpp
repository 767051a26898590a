// SPDX-License-Identifier: MIT
// The cold half of tracing.
#include "api/api_tracer.h"
#include "api/api_names.h"
#include "base/lockable.h"

#include <new>
#include <string_view>

namespace hiplz {
namespace {

struct Settings {
  ApiTracer::Callback registered = nullptr;
  bool recording = true;
  ApiTracer::Callback active() const { return recording ? registered : nullptr; }
};
Lockable<Settings> settings{LockRank::apiTracer};

std::atomic<uint64_t> lastCorrelation{0};

} // namespace

std::atomic<ApiTracer::Callback> ApiTracer::active_{nullptr};

void ApiTracer::setCallback(Callback callback) noexcept {
  const auto current = settings.lock();
  current->registered = callback;
  active_.store(current->active(), std::memory_order_release);
}

void ApiTracer::setRecording(bool on) noexcept {
  const auto current = settings.lock();
  current->recording = on;
  active_.store(current->active(), std::memory_order_release);
}

void ApiTracer::enter(Callback callback, const char *function) noexcept {
  std::unique_ptr<Call> call(new (std::nothrow) Call{});
  if (!call)
    return;
  // The functions for per-thread default streams have the numbers of the others.
  std::string_view name(function);
  if (name.ends_with("_spt"))
    name.remove_suffix(4);
  call->id = apiId(name);
  call->data.correlation_id = ++lastCorrelation;
  if (callback(ACTIVITY_DOMAIN_HIP_API, call->id, &call->data) != 0)
    return;
  if (call->data.phase_enter)
    call->data.phase_enter(call->id, &call->data);
  call_ = std::move(call);
}

void ApiTracer::exit() noexcept {
  call_->data.phase = 1;
  if (call_->data.phase_exit)
    call_->data.phase_exit(call_->id, &call_->data);
}

} // namespace hiplz
