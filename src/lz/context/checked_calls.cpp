// SPDX-License-Identifier: MIT
// See checked_calls.h.
#include "lz/context/checked_calls.h"
#include "base/check_report.h"
#include "base/driver_extensions.h"
#include "base/env.h"
#include "lz/core/owned_objects.h"
#include "lz/device/device.h"
#include "lz/device/driver.h"
#include "lz/memory/memory.h"

#include <algorithm>
#include <cstdio>
#include <initializer_list>
#include <string_view>
#include <unistd.h>

namespace hiplz {
namespace {

struct CheckedCalls {
  ZeCheckReport report = nullptr;
  bool calls = false, leaks = false, grids = false; // grids: cooperative launches that are too large
  pid_t process = 0;                                // a forked child does not speak for its parent
};
CheckedCalls checked;

bool isNamed(std::string_view tool) {
  const std::string names = "," + envString(EnvVar::HIPLZ_CHECK) + ",";
  return names.find("," + std::string(tool) + ",") != std::string::npos;
}

bool isOneOf(std::string_view function, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), function) != names.end();
}

// Answers to questions, and what has been reported as the fault of a kernel.
bool isExpected(std::string_view function, hipError_t error) {
  return isOneOf(function, {"hipGetLastError", "hipPeekAtLastError", "hipExtGetLastError", "hipPointerGetAttributes",
                            "hipPointerGetAttribute", "hipDrvPointerGetAttributes"}) ||
         error == hipErrorLaunchFailure || error == hipErrorIllegalAddress || error == hipErrorAssert ||
         error == hipErrorDeinitialized;
}

bool touchesMemory(std::string_view function) {
  for (const std::string_view name : {"hipFree", "hipHostFree", "hipMemcpy", "hipMemset"})
    if (function.starts_with(name))
      return true;
  return false;
}

bool destroys(std::string_view function) {
  for (const std::string_view part : {"Destroy", "Unload", "hipFreeArray", "hipFreeMipmapped"})
    if (function.find(part) != function.npos)
      return true;
  return false;
}

const char *nameOf(const std::optional<Allocation> &memory) {
  return !memory                              ? "pageable memory"
         : memory->kind == MemoryKind::device ? "device memory"
         : memory->kind == MemoryKind::host   ? "pinned memory"
                                              : "managed memory";
}

void send(const CheckReport &report, std::span<const void *const> pointers) {
  checked.report(recordOf(report).c_str(), pointers.data(), static_cast<uint32_t>(pointers.size()));
}

// The driver calls it, and this library's end if that comes first.
void reportLeaks() {
  if (!checked.leaks || checked.process != ::getpid())
    return;
  checked.leaks = false;
  for (const Allocation &left : AllocationTable::ofProcess().ofApplication()) {
    CheckReport report;
    report.tool = "memcheck";
    report.severity = "error";
    report.what = "leak of " + std::to_string(left.bytes) + " bytes";
    const void *const pointer = left.base;
    send(report, {&pointer, 1});
  }
  for (const OwnedObjects::Object &left : OwnedObjects::all()) {
    CheckReport report;
    report.tool = "memcheck";
    report.severity = "error";
    report.what = "leak of " + left.kind;
    report.allocated = describe(left.madeBy);
    send(report, {});
  }
}

[[gnu::destructor]] void reportLeaksAtLast() { reportLeaks(); }

} // namespace

void prepareCheckedCalls(std::span<LZDevice *const> devices) {
  const bool calls = isNamed("memcheck") || isNamed("all"), grids = isNamed("synccheck") || isNamed("all");
  if (!calls && !grids)
    return;
  for (const LZDevice *device : devices) {
    const LZDriver &driver = device->driver();
    auto report = reinterpret_cast<ZeCheckReport>(driver.extensionFunction(kZeCheckReport));
    auto atEnd = reinterpret_cast<ZeCheckAtEnd>(driver.extensionFunction(kZeCheckAtEnd));
    if (!report || !atEnd || checked.report)
      continue;
    checked = {report, calls, calls && isNamed("leaks"), grids, ::getpid()};
    if (checked.leaks) {
      OwnedObjects::watch();
      atEnd(reportLeaks);
    }
  }
}

bool areCallsChecked() noexcept { return checked.calls || checked.grids; }

void reportFailedCall(const std::string &call, hipError_t error, const char *name, const char *reason,
                      std::span<const void *const> pointers) {
  const std::string function = call.substr(0, call.find('('));
  // The program has freed it, too late.
  if (error == hipErrorDeinitialized && !pointers.empty()) {
    if (isOneOf(function, {"hipFree", "hipFreeAsync", "hipHostFree", "hipFreeHost"}))
      AllocationTable::ofProcess().removeIf(pointers[0], [](const Allocation &) { return true; });
    if (destroys(function))
      OwnedObjects::gone(pointers[0]);
  }
  const bool isGrid = checked.grids && error == hipErrorCooperativeLaunchTooLarge;
  if (isExpected(function, error) || !(checked.calls || isGrid))
    return;
  const bool isBadArgument = error == hipErrorInvalidValue || error == hipErrorInvalidDevicePointer ||
                             error == hipErrorInvalidPitchValue || error == hipErrorInvalidMemcpyDirection;
  CheckReport report;
  report.tool = isGrid ? "synccheck" : "memcheck";
  report.severity = isGrid || (touchesMemory(function) && isBadArgument) ? "error" : "warning";
  report.what = function + " failed: " + name + (*reason ? std::string(", ") + reason : "");
  report.item = call;
  send(report, pointers);
}

void reportDirection(hipMemcpyKind kind, const void *to, const std::optional<Allocation> &memoryOfTo, const void *from,
                     const std::optional<Allocation> &memoryOfFrom) {
  const auto contradicts = [](bool isHost, const std::optional<Allocation> &memory) {
    return isHost ? memory && memory->kind == MemoryKind::device : !memory;
  };
  const bool fromHost = kind == hipMemcpyHostToHost || kind == hipMemcpyHostToDevice;
  const bool toHost = kind == hipMemcpyHostToHost || kind == hipMemcpyDeviceToHost;
  if (!checked.calls || kind == hipMemcpyDefault ||
      !(contradicts(toHost, memoryOfTo) || contradicts(fromHost, memoryOfFrom)))
    return;
  CheckReport report;
  report.tool = "memcheck";
  report.severity = "error";
  report.what = std::string("copy in the wrong direction: from ") + nameOf(memoryOfFrom) + " to " + nameOf(memoryOfTo) +
                ", but its kind is from " + (fromHost ? "host" : "device") + " to " + (toHost ? "host" : "device");
  char call[64];
  std::snprintf(call, sizeof call, "a copy from %p to %p", from, to);
  report.item = call;
  const void *const pointers[] = {to, from};
  send(report, pointers);
}

} // namespace hiplz
