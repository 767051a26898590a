// SPDX-License-Identifier: MIT
// libroctx64: markers of the application go to the recorder, if there is one. Independent of the runtime, so that libraries
// which use it alone need nothing else.
#include "base/profiler.h"
#include "prof/given_name.h"

#include <atomic>
#include <cstring>
#include <roctracer/roctx.h>
#include <unistd.h>

using namespace hiplz;

namespace {

const bool opened = [] {
  openProfiler();
  return true;
}();

constinit thread_local int depth = 0;
constinit std::atomic<roctx_range_id_t> lastRange{0};

void note(trace::Marker::Type type, uint64_t id, const char *message) {
  const ProfilerHooks *hooks = profilerOf(trace::kMarkers);
  if (!hooks) [[likely]]
    return;
  trace::Marker marker{};
  marker.type = type;
  marker.id = id;
  marker.time = hooks->now();
  record(*hooks, marker, message ? std::string_view(message) : std::string_view());
}

int setRecording(roctx_thread_id_t thread, bool on) {
  const ProfilerHooks *hooks = profiler();
  if (!hooks || thread != 0)
    return 1;
  hooks->setRecording(on);
  return 0;
}

/// Records an entry whose text is a name that the application gives.
template <class Record> int giveName(Record entry, const char *name) {
  if (const ProfilerHooks *hooks = profiler(); hooks && name) {
    entry.name = prof::kGivenName;
    record(*hooks, entry, name);
  }
  return 0;
}

} // namespace

extern "C" {

uint32_t roctx_version_major() { return ROCTX_VERSION_MAJOR; }
uint32_t roctx_version_minor() { return ROCTX_VERSION_MINOR; }

void roctxMarkA(const char *message) { note(trace::Marker::Type::mark, 0, message); }

int roctxRangePushA(const char *message) {
  note(trace::Marker::Type::push, 0, message);
  return depth++;
}

int roctxRangePop() {
  if (depth == 0)
    return -1;
  note(trace::Marker::Type::pop, 0, nullptr);
  return --depth;
}

roctx_range_id_t roctxRangeStartA(const char *message) {
  const roctx_range_id_t id = lastRange.fetch_add(1, std::memory_order_relaxed) + 1;
  note(trace::Marker::Type::start, id, message);
  return id;
}

void roctxRangeStop(roctx_range_id_t id) { note(trace::Marker::Type::stop, id, nullptr); }

int roctxProfilerPause(roctx_thread_id_t thread) { return setRecording(thread, false); }
int roctxProfilerResume(roctx_thread_id_t thread) { return setRecording(thread, true); }

int roctxNameOsThread(const char *name) { return giveName(trace::Thread{}, name); }

int roctxNameHipDevice(const char *name, int device) {
  trace::Device entry{};
  entry.ordinal = static_cast<uint32_t>(device);
  return giveName(entry, name);
}

int roctxNameHipStream(const char *name, const ihipStream_t *stream) {
  trace::Stream entry{};
  entry.handle = reinterpret_cast<uintptr_t>(stream);
  return giveName(entry, name);
}

int roctxNameHsaAgent(const char *, const hsa_agent_s *) { return 1; }

int roctxGetThreadId(roctx_thread_id_t *thread) {
  *thread = static_cast<roctx_thread_id_t>(::gettid());
  return 0;
}

} // extern "C"
