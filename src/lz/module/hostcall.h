// SPDX-License-Identifier: MIT
// The host's side of calls that kernels of AMD's compilers make: printf, assert, device memory, functions of the host
// (docs/design/kernel-services.md). Layouts are in hip/spirv/hostcall_layout.h.
#pragma once
#include "base/lockable.h"
#include "fatbin/reflection.h"
#include "lz/core/ze_memory.h"
#include "lz/device/device.h"
#include "lz/module/serving_thread.h"

#include <hip/spirv/hostcall_layout.h>

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace hiplz {

/// The buffer of one device, whose kernels may use memory of the host while they run. A thread answers. Thread-safe.
class LZHostcall {
public:
  /// The one of the device, made at the first call and never destroyed, like the device. Lock-free.
  static LZHostcall &of(LZDevice &device);
  /// The same if it has been made, else null.
  static LZHostcall *existing(const LZDevice &device);

  LZHostcall(const LZHostcall &) = delete;
  LZHostcall &operator=(const LZHostcall &) = delete;

  /// The address of the HostcallBuffer; the first call makes it. Throws HipError: hipErrorNotSupported on devices that do not
  /// share atomic operations with the host.
  void *address();

  /// The address of the state of the allocator in AMD's device library (hidden_heap_v1). Throws HipError.
  void *heapAddress();

  /// The address of the buffer that code compiled with -mprintf-kind=buffered prints into. Throws HipError like address().
  void *printfAddress();
  /// Formats that such code names by numbers.
  static void learnFormats(std::span<const spirv::PrintfFormat> formats);
  /// True if there is a buffer to print into on any device.
  static bool anyPrintfBuffer();

  /// Held while something that prints into the buffer is submitted and waited for, as AMD's runtime does it. The last one that ends prints:
  /// no record is half written then.
  class Printing {
  public:
    explicit Printing(LZHostcall &hostcall);
    ~Printing();
    Printing(const Printing &) = delete;
    Printing &operator=(const Printing &) = delete;

  private:
    LZHostcall &hostcall_;
  };

  /// Call before a kernel that may call the host is submitted. Throws HipError if nobody could answer it.
  void expect();

  /// Frees all that kernels have allocated. No kernel may be running. Throws HipError.
  void clear();

  /// Ends the threads, at the end of the process.
  static void stopAll(std::span<LZDevice *const> devices) noexcept;

private:
  explicit LZHostcall(LZDevice &device)
      : device_(device), thread_(device, LockRank::hostcallThread, [this] { return serve(); }) {}
  struct Memory {
    ZeMemory buffer, heap, printf;
    unsigned printing = 0; // objects of Printing
  };
  using Words = std::vector<uint64_t>;

  bool serve() noexcept;
  void answer(__hiplz::HostcallHeader &header, __hiplz::HostcallPayload &payload);
  void addToMessage(uint64_t (&slots)[8]);
  uint64_t print(const Words &message);
  void requireSharedAtomics() const;
  std::vector<std::byte> takePrinted();
  void printAll(std::span<const std::byte> records);
  void allocateOrFree(uint64_t (&slots)[8]);

  LZDevice &device_;
  Lockable<Memory> memory_{LockRank::hostcall};
  std::atomic<__hiplz::HostcallBuffer *> buffer_{nullptr};
  struct Allocation {
    ZeMemory memory;
    uint64_t bytes;
  };
  // Of the thread; and of clear(), when no kernel runs.
  std::map<uint64_t, Words> messages_; // by number
  uint64_t nextMessage_ = 1;
  std::map<uint64_t, Allocation> allocations_; // by address
  bool unknownReported_ = false;
  LZServingThread thread_;
};

} // namespace hiplz
