// SPDX-License-Identifier: MIT
// See fault_report.h.
#include "cpu/exec/fault_report.h"
#include "base/driver_extensions.h"
#include "base/format.h"
#include "base/kernel_name.h"
#include "base/log.h"
#include "cpu/exec/kernel_memory.h"
#include "cpu/exec/memory_operand.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstring>

namespace hiplz::cpu {
namespace {

std::atomic<AddressDescription> memoryDescription{nullptr}, codeDescription{nullptr};

std::string describe(const std::atomic<AddressDescription> &by, const void *address) {
  const AddressDescription function = by.load(std::memory_order_acquire);
  return function ? function(address) : std::string();
}

// The error code of a page fault, in words.
constexpr uint64_t kWrote = 2, kFetched = 16;
// Distances that tell what an address belongs to.
constexpr uint64_t kNearNull = 64 << 10, kBelowStack = 256 << 10, kAboveStack = 64 << 10, kNearLocal = 64 << 10;

bool isCanonical(uint64_t address) {
  const int64_t upper = static_cast<int64_t>(address) >> 47;
  return upper == 0 || upper == -1;
}

/// The bytes of the instruction, as far as its page has them.
std::span<const uint8_t> codeAt(uint64_t pc) {
  constexpr size_t kLongest = 15;
  return {reinterpret_cast<const uint8_t *>(pc), std::min<size_t>(kLongest, pageSize() - pc % pageSize())};
}

// The processor refused the access without looking at page tables.
std::string refusedAccess(const FaultInfo &info) {
  const auto address = memoryOperand(codeAt(info.pc), info.registers, info.pc);
  if (!address)
    return "an invalid memory access: the address is misaligned for a vector or cannot exist";
  if (isCanonical(*address))
    return format("a misaligned vector access at address %#llx", static_cast<unsigned long long>(*address)) +
           " (a pointer was cast to a vector type that needs a larger alignment?)";
  return format("an invalid memory access at address %#llx, which cannot exist",
                static_cast<unsigned long long>(*address)) +
         " (a pointer that was never set, or overwritten?)";
}

bool callsNoCode(const FaultInfo &info) { return info.pageError & kFetched; }
bool waitsForGrid(const FaultInfo &info) {
  return reinterpret_cast<uint64_t>(info.address) - kNoGridAddress < pageSize();
}
bool overflowsStack(const FaultInfo &info) {
  const auto address = reinterpret_cast<uint64_t>(info.address), stack = info.registers[4];
  return address + kBelowStack > stack && address < stack + 128;
}

// A fault of the page tables.
std::string invalidAccess(const FaultInfo &info, const WorkerState &faulted) {
  const auto address = reinterpret_cast<uint64_t>(info.address), stack = info.registers[4];
  const bool wrote = info.pageError & kWrote;
  if (callsNoCode(info))
    return format("a call of %p, where no code is (a function pointer of the host, or none?)", info.address);
  if (waitsForGrid(info))
    return "grid.sync() in a launch that is not cooperative (use hipLaunchCooperativeKernel)";
  if (overflowsStack(info))
    return format(
        "a stack overflow at address %p: functions call each other too deeply, or private arrays are too large",
        info.address);
  std::string result = format("an invalid memory access at address %p (%s)", info.address, wrote ? "write" : "read");
  const auto local = reinterpret_cast<uint64_t>(faulted.local);
  if (address < kNearNull)
    return result + ", near a null pointer";
  if (address + kNearLocal >= local && address < local + kMaxLocalBytes + kNearLocal)
    return result + ", outside of __shared__ memory";
  if (address >= stack && address < stack + kAboveStack)
    return result + ", beyond the kernel's stack (an index outside of a private array?)";
  const std::string nearest = describe(memoryDescription, info.address);
  return nearest.empty() ? result : result + ", " + nearest;
}

std::string kindOf(const FaultInfo &info, const WorkerState &faulted) {
  const char *kind = nullptr;
  switch (info.signal) {
  case SIGFPE: kind = info.code == FPE_INTDIV ? "an integer division by zero" : "an arithmetic exception"; break;
  case SIGILL: kind = "an illegal instruction or trap"; break;
  case SIGBUS: kind = "a bus error"; break;
  default: return info.code == SI_KERNEL ? refusedAccess(info) : invalidAccess(info, faulted);
  }
  return format("%s at address %p", kind, info.address);
}

ZeFault classify(const FaultInfo &info) {
  const bool isAccess =
      info.signal == SIGBUS ||
      (info.signal == SIGSEGV &&
       (info.code == SI_KERNEL || !(callsNoCode(info) || waitsForGrid(info) || overflowsStack(info))));
  return isAccess ? ZeFault::address : ZeFault::other;
}

std::string placeOf(const WorkerState &faulted) {
  std::string place =
      format(", in work-group (%u, %u, %u)", faulted.groupId[0], faulted.groupId[1], faulted.groupId[2]);
  if (faulted.groupSpan > 1 && faulted.itemCount != 1)
    place += format(", or one of the %u behind it in x", faulted.groupSpan - 1);
  const uint32_t *local = faulted.localId;
  if (faulted.itemCount == 1)
    place += format(", work-item (%u, %u, %u)", local[0], local[1], local[2]);
  else if (faulted.itemCount > 1)
    place += format(", one of the %u work-items from (%u, %u, %u) on (HIPLZ_CPU_VECTORIZE=0 tells which)",
                    faulted.itemCount, local[0], local[1], local[2]);
  return place;
}

} // namespace

void describeMemoryBy(AddressDescription function) { memoryDescription.store(function, std::memory_order_release); }
void describeCodeBy(AddressDescription function) { codeDescription.store(function, std::memory_order_release); }

ZeFault reportFault(const FaultInfo &info, const WorkerState &faulted) {
  const std::string kind = kindOf(info, faulted);
  if (!faulted.kernelName) {
    logLine(
        "a command that is not a kernel (copy, fill, timestamp, memory wait, indirect count): %s; the device is lost",
        kind.c_str());
    return classify(info);
  }
  const std::string line = describe(codeDescription, reinterpret_cast<const void *>(info.linePc));
  logLine("kernel %s%s%s: %s%s; the device is lost", readableKernel(faulted.kernelName).c_str(),
          line.empty() ? "" : " at ", line.c_str(), kind.c_str(), placeOf(faulted).c_str());
  return classify(info);
}

} // namespace hiplz::cpu
