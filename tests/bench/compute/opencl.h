// SPDX-License-Identifier: MIT
// Runs OpenCL C kernels on another runtime for this processor, for comparison. libOpenCL is opened when there is one
// (HIPLZ_BENCH_OPENCL names another file, for example a vendor's libintelocl.so), so the benchmark builds without it.
#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace bench {

/// An argument: memory that is shared with the runtime, or the bytes of a value.
struct ClArg {
  void *memory = nullptr;
  size_t bytes = 0;
  std::vector<unsigned char> value;

  static ClArg buffer(void *memory, size_t bytes) { return {memory, bytes, {}}; }
  template <class T> static ClArg of(const T &value) {
    auto *begin = reinterpret_cast<const unsigned char *>(&value);
    return {nullptr, sizeof value, {begin, begin + sizeof value}};
  }
};

struct ClLaunch {
  const char *kernel;
  std::vector<size_t> global, local; ///< in work-items; of the same length
  std::vector<ClArg> args;
};

class OpenCl {
public:
  OpenCl();
  ~OpenCl();
  bool available() const;
  /// The device's name, or why there is none.
  std::string description() const;
  /// Builds the launches. False, with a line on stderr, if the runtime refuses one.
  bool prepare(const std::vector<ClLaunch> &launches);
  /// Executes what was prepared last, and waits.
  void run();

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace bench
