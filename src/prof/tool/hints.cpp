// SPDX-License-Identifier: MIT
// Hints drawn from the figures, in plain words. Each hint states the figure that it comes from.
#include "prof/tool/summary.h"

#include <cstdio>

namespace hiplz::prof {
namespace {

constexpr uint64_t kShortKernel = 5'000; // nanoseconds: about what a launch costs
constexpr uint64_t kManyLaunches = 1'000;
constexpr uint64_t kSmallCopy = 16 * 1024; // bytes: the call costs more than the copy

std::string share(double part, double whole) {
  char text[16];
  std::snprintf(text, sizeof text, "%.0f %%", whole > 0 ? 100 * part / whole : 0);
  return text;
}

std::string grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t at = digits.size(); at > 3; at -= 3)
    digits.insert(at - 3, ",");
  return digits;
}

const CallSummary *callNamed(const Summary &summary, std::string_view name) {
  for (const CallSummary &call : summary.calls)
    if (call.name == name)
      return &call;
  return nullptr;
}

void hintAtShortKernels(Summary &summary, double wall) {
  uint64_t launches = 0, time = 0;
  for (const KernelSummary &kernel : summary.kernels)
    if (kernel.time.average() < kShortKernel) {
      launches += kernel.time.count;
      time += kernel.time.total;
    }
  if (launches < kManyLaunches)
    return;
  const CallSummary *call = callNamed(summary, "hipLaunchKernel");
  const double spent = static_cast<double>(time + (call ? call->time.total : 0));
  if (spent > 0.2 * wall)
    summary.hints.push_back(share(spent, wall) + " of the time is spent in " + grouped(launches) +
                            " launches of kernels under 5 us: consider a graph, or fewer and larger kernels.");
}

void hintAtCopies(Summary &summary, double wall) {
  for (const CopySummary &copy : summary.copies) {
    if (copy.direction == "fill")
      continue;
    if (static_cast<double>(copy.time.total) > 0.3 * wall)
      summary.hints.push_back(share(static_cast<double>(copy.time.total), wall) + " of the time goes into copies " +
                              copy.direction +
                              ": keep data on the device, or let copies overlap with kernels in another stream.");
    if (copy.time.count >= kManyLaunches && copy.bytes / copy.time.count < kSmallCopy)
      summary.hints.push_back(grouped(copy.time.count) + " copies " + copy.direction + " move " +
                              readableBytes(static_cast<double>(copy.bytes) / static_cast<double>(copy.time.count)) +
                              " each on average: gather them into fewer.");
  }
}

void hintAtAllocations(Summary &summary, double wall) {
  for (const char *name : {"hipMalloc", "hipFree", "hipHostMalloc", "hipHostFree"})
    if (const CallSummary *call = callNamed(summary, name);
        call && call->time.count >= 100 && static_cast<double>(call->time.total) > 0.05 * wall)
      summary.hints.push_back(share(static_cast<double>(call->time.total), wall) + " of the time is spent in " +
                              grouped(call->time.count) + " calls of " + name +
                              ": allocate once, or use hipMallocAsync with a pool.");
}

void hintAtGaps(Summary &summary) {
  for (const DeviceSummary &device : summary.devices)
    if (device.span > 1'000'000 && device.busy < device.span / 2)
      summary.hints.push_back(
          "Device " + std::to_string(device.ordinal) + " (" + device.process + ") had work for " +
          share(static_cast<double>(device.busy), static_cast<double>(device.span)) +
          " of the time between its first and its last command" +
          (device.longest.empty()
               ? std::string(".")
               : "; the longest gap is " +
                     readableTime(static_cast<double>(device.longest.front().end - device.longest.front().begin)) +
                     ", with " + device.longest.front().meanwhile + "."));
}

void hintAtCompilation(Summary &summary, double wall) {
  uint64_t time = 0;
  for (const CompilationSummary &compilation : summary.compilations)
    time += compilation.time;
  if (static_cast<double>(time) > 0.2 * wall)
    summary.hints.push_back(share(static_cast<double>(time), wall) +
                            " of the time is spent in compiling kernels: a second run finds them in the cache.");
}

void hintAtFailures(Summary &summary) {
  for (const CallSummary &call : summary.calls)
    if (call.failed && call.name != "hipEventQuery" && call.name != "hipStreamQuery" &&
        call.name != "hipGetLastError" && call.name != "hipPeekAtLastError")
      summary.hints.push_back(grouped(call.failed) + " of " + grouped(call.time.count) + " calls of " + call.name +
                              " failed; HIPLZ_LOG=info says why.");
}

} // namespace

void addHints(Summary &summary) {
  const auto wall = static_cast<double>(summary.wall);
  hintAtShortKernels(summary, wall);
  hintAtCopies(summary, wall);
  hintAtAllocations(summary, wall);
  hintAtGaps(summary);
  hintAtCompilation(summary, wall);
  hintAtFailures(summary);
}

} // namespace hiplz::prof
