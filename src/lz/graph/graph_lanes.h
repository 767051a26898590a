// SPDX-License-Identifier: MIT
// Where the commands of an executable graph go. A lane executes in order; branches of a graph go into different lanes,
// which execute concurrently and wait for each other by events. Lane 0 is the stream that the graph is launched in, the
// others are command queues of the executable graph.
#pragma once
#include "lz/core/ze_extensions.h"
#include "lz/core/ze_handle.h"
#include "lz/graph/mutable_launches.h"
#include "lz/module/kernel_instance.h"
#include "lz/stream/callback.h"

#include <deque>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace hiplz {

class LZDevice;
class LZKernel;
class LZQueue;

/// The parts of a recording of an executable graph that outlive it and serve the next one. Guarded by the lock of the executable.
class LZGraphLanes {
public:
  /// Branches of one device that may execute concurrently.
  static constexpr size_t kMostOfDevice = 4;

  struct Lane {
    LZDevice *device = nullptr;
    uint32_t ordinal = 0;                        // of the engines that it executes on
    ZeCommandQueue queue;                        // lane 0: none
    std::unique_ptr<LZCallbackThread> callbacks; // made with the first host function
  };

  /// `main` is the device of most of the graph: where lane 0 is.
  explicit LZGraphLanes(LZDevice &main);
  ~LZGraphLanes();

  LZDevice &main() const { return *lanes_.front().device; }
  Lane &lane(size_t index) { return lanes_[index]; }
  /// Makes the lanes of a plan that do not exist yet: an executable graph keeps its lanes. Throws HipError.
  void provide(const std::vector<LZDevice *> &devices);
  /// Runs the host functions of a lane, one after the other.
  LZCallbackThread &callbacksOf(uint32_t lane);
  /// Waits until they have run all functions that are due.
  void finishCallbacks();

  /// Puts closed lists into an immediate list; empty if the main device's driver cannot, then lane 0 executes no lists.
  const ZeFunction<ZeAppendCommandLists> &appendLists() const { return appendLists_; }

  /// Changes launches in closed lists; empty if the driver cannot.
  const ZeMutableLists &mutableLists() const { return mutableLists_; }

  /// A launch of a graph.
  struct Launch {
    const LZKernel *kernel;
    LZDevice *device;
    const uint32_t *block; ///< three lengths
  };
  /// The executable's own handle of a kernel. Appending a launch copies what is set on it. Throws HipError.
  KernelInstance &kernel(const Launch &launch);
  /// Makes the handles of several launches. Where that means compiling, threads do it side by side. What fails is left for kernel() to
  /// report.
  void prepareKernels(std::span<const Launch> launches);
  void forgetModule(const LZModule &module);

  /// The queue in which the graph is launched on behalf of streams of other devices. Throws HipError.
  LZQueue &homeQueue();

private:
  struct Handle {
    ZeKernel ze;
    size_t sharedBytes = 0;
  };
  static Handle makeHandle(const Launch &launch);
  KernelInstance &add(const Launch &launch, Handle handle);

  std::deque<Lane> lanes_;
  ZeFunction<ZeAppendCommandLists> appendLists_;
  const ZeMutableLists mutableLists_;
  std::map<LZDevice *, KernelInstanceTable> kernels_;
  std::unique_ptr<LZQueue> home_;
};

} // namespace hiplz
