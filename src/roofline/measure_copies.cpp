// SPDX-License-Identifier: MIT
// Copies between host and device by kind of host memory, size and direction, as a program sees them: from the call to its end.
#include "roofline/session.h"

#include <chrono>
#include <cstdlib>
#include <cstring>

namespace hiplz::roofline {

namespace {

using Clock = std::chrono::steady_clock;

struct PinnedMemory {
  explicit PinnedMemory(size_t bytes) { check(hipHostMalloc(&pointer, bytes, hipHostMallocDefault), "hipHostMalloc"); }
  ~PinnedMemory() { static_cast<void>(hipHostFree(pointer)); }
  PinnedMemory(const PinnedMemory &) = delete;
  PinnedMemory &operator=(const PinnedMemory &) = delete;
  void *pointer = nullptr;
};

} // namespace

void measureCopies(Session &session) {
  std::vector<uint64_t> sizes;
  const uint64_t last = session.mode() == Mode::Full    ? 256u << 20
                        : session.mode() == Mode::Quick ? 64u << 20
                                                        : 64u << 10;
  for (uint64_t bytes = 4096; bytes <= last; bytes *= session.mode() == Mode::Full ? 2 : 4)
    sizes.push_back(bytes);
  const size_t most = sizes.back();
  DeviceMemory first(most), second(most);
  PinnedMemory pinned(most);
  std::vector<char> pageable(most, 1);
  std::memset(pinned.pointer, 1, most);
  struct Way {
    const char *direction, *host;
    void *to, *from;
    hipMemcpyKind kind;
  };
  const Way ways[] = {
      {"host to device", "pinned", first.get(), pinned.pointer, hipMemcpyHostToDevice},
      {"host to device", "pageable", first.get(), pageable.data(), hipMemcpyHostToDevice},
      {"device to host", "pinned", pinned.pointer, first.get(), hipMemcpyDeviceToHost},
      {"device to host", "pageable", pageable.data(), first.get(), hipMemcpyDeviceToHost},
      {"device to device", "", second.get(), first.get(), hipMemcpyDeviceToDevice},
  };
  session.progress().steps(static_cast<unsigned>(sizes.size() * std::size(ways)));
  for (const Way &way : ways)
    for (const uint64_t bytes : sizes) {
      session.progress().step(std::string(way.direction) + " " + way.host);
      Sample sample;
      sample.section = "copies";
      sample.kernel = way.direction;
      sample.type = way.host;
      sample.bytes = bytes;
      sample.unit = "GB/s";
      const auto run = [&](unsigned copies) {
        const Clock::time_point start = Clock::now();
        for (unsigned i = 0; i < copies; ++i)
          check(hipMemcpyAsync(way.to, way.from, bytes, way.kind, session.stream()), "hipMemcpyAsync");
        check(hipStreamSynchronize(session.stream()), "hipStreamSynchronize");
        return std::chrono::duration<double>(Clock::now() - start).count();
      };
      if (session.measure(sample, run, static_cast<double>(bytes), session.mode() == Mode::Full, 10000))
        session.result().samples.push_back(sample);
    }
}

} // namespace hiplz::roofline
