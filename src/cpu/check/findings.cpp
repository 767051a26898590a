// SPDX-License-Identifier: MIT
// See findings.h.
#include "cpu/check/findings.h"
#include "base/env.h"
#include "base/host_stack.h"
#include "base/kernel_name.h"
#include "base/lockable.h"
#include "cpu/check/device_heap.h"
#include "cpu/check/group.h"
#include "cpu/check/launches.h"
#include "cpu/check/memory.h"
#include "cpu/check/site_numbers.h"
#include "cpu/check/tools.h"
#include "cpu/check/uninitialized.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <unistd.h>
#include <utility>

namespace hiplz::cpu::check {
namespace {

/// A place in a kernel and what is wrong there. The table never shrinks; entries of unloaded code are never found again.
struct Entry {
  std::atomic<const CheckSite *> site{nullptr};
  Kind kind{};
  std::atomic<uint64_t> count{0};
  std::atomic<bool> filled{false};
  bool isReported = false; // those that report
  std::string key;
  Finding finding{};
};

constexpr uintptr_t kNearNull = 65536;
constexpr size_t kEntries = 4096; // further places are not reported
std::array<Entry, kEntries> &table() {
  static auto *entries = new std::array<Entry, kEntries>; // kernels may run when the process ends
  return *entries;
}
std::atomic<uint64_t> noted{0};

struct Reports {
  std::map<std::string, CheckReport, std::less<>> all; // by what tells them apart
  uint64_t known = 0;                                  // of `noted`
};
Lockable<Reports> &reports() {
  static auto *all = new Lockable<Reports>(LockRank::cpuCheckFindings);
  return *all;
}

bool toFolder() {
  static const bool folder = !envString(EnvVar::HIPLZ_CHECK_REPORTS).empty();
  return folder;
}

void writeAll(FILE *file, const std::string &text) {
  std::fwrite(text.data(), 1, text.size(), file);
  std::fflush(file);
}

/// The file of this process, which a forked child does not share. Null: it cannot be written.
FILE *reportFile() {
  static FILE *file = nullptr;
  static pid_t owner = 0;
  if (owner != ::getpid()) {
    owner = ::getpid();
    const std::string path = envString(EnvVar::HIPLZ_CHECK_REPORTS) + "/" + std::to_string(owner) + ".findings";
    file = std::fopen(path.c_str(), "ae");
  }
  return file;
}

void publish(const CheckReport &report) {
  if (!toFolder() && report.severity == "note")
    return;
  if (!toFolder())
    writeAll(stderr, textOf(report));
  else if (FILE *file = reportFile())
    writeAll(file, recordOf(report));
}

// Tells findings apart. The two sides of a race may be found in either order.
// Of accesses that race, each pair is a finding. Where an uninitialized value comes from makes none of its own.
const CheckSite *partnerOf(const Finding &finding) {
  return finding.kind == Kind::uninitialized || finding.kind == Kind::uninitializedOutput ? nullptr : finding.other;
}

std::string keyOf(const CheckReport &report, const Finding *finding) {
  const std::string begin = report.tool + "|" + report.severity + "|" + report.kernel + "|";
  if (!finding || !partnerOf(*finding))
    return begin + report.what + "|" + report.place + "|" + (report.allocated.empty() ? "" : report.allocated.front());
  std::string first = report.place, second = finding->other->text;
  if (second < first)
    std::swap(first, second);
  return begin + first + "|" + second;
}

// Returns the key.
std::string add(Reports &reports, CheckReport report, uint64_t count, const Finding *finding) {
  std::string key = keyOf(report, finding);
  const auto [found, isNew] = reports.all.try_emplace(key, std::move(report));
  if (isNew) {
    found->second.count = 1;
    publish(found->second);
    found->second.count = 0;
  }
  found->second.count += count;
  return key;
}

std::string triple(const uint32_t ids[3]) {
  return "(" + std::to_string(ids[0]) + ", " + std::to_string(ids[1]) + ", " + std::to_string(ids[2]) + ")";
}

std::string accessName(const CheckSite &site) {
  return site.flags & checkAtomic ? "atomic operation" : site.flags & checkWrite ? "write" : "read";
}

std::string objectName(const CheckSite &site) {
  const char *name = site.text + site.objectName;
  if (!*name)
    return site.flags & checkPrivate ? "a private array" : "an object";
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name, nullptr, nullptr, &status),
                                                         &std::free);
  return status == 0 && text ? text.get() : name;
}

// ", submitted by main (app+0x12)", or nothing.
std::string submittedAt(const HostStack &stack) {
  const std::string caller = callerOf(stack);
  return caller.empty() ? "" : ", submitted by " + caller;
}

CheckReport describe(const Finding &finding) {
  const CheckSite &site = *finding.site;
  CheckReport report;
  report.tool = "memcheck";
  report.severity = "error";
  report.kernel = readableKernel(finding.kernel ? std::string(finding.kernel) : kernelOf(finding.launch));
  report.place = site.text;
  report.item = textOf(finding.place);
  report.launched = describe(hostStackOf(finding.launch));
  const std::string access = accessName(site) + " of " + std::to_string(finding.bytes) + " bytes";
  auto outsideObject = [&](const char *kind) {
    report.what = access + " outside of " + objectName(site) + (site.objectBytes ? ", " : "") + kind;
    if (site.objectBytes)
      report.what += " of " + std::to_string(site.objectBytes) + " bytes";
    report.address = "at offset " + std::to_string(finding.offset);
  };
  auto race = [&](const char *what) {
    report.tool = "racecheck";
    report.what = std::string(what) + ": " + access + " and " + accessName(*finding.other);
    report.other = std::string(finding.other->text) + " by " + textOf(finding.otherPlace);
    report.address = "at offset " + std::to_string(finding.offset);
  };
  auto nameOther = [&] {
    report.other +=
        " of " + readableKernel(kernelOf(finding.otherLaunch)) + submittedAt(hostStackOf(finding.otherLaunch));
  };
  auto sync = [&](const char *what) {
    report.tool = "synccheck";
    report.what = what;
  };
  switch (finding.kind) {
  case Kind::outside:
    describeAddress(finding.address, report);
    report.what = access + (reinterpret_cast<uintptr_t>(finding.address) < kNearNull ? " near a null pointer"
                                                                                     : " outside of every allocation");
    break;
  case Kind::otherAllocation:
    describeAddress(finding.address, report);
    report.what = access + " in another allocation than the one that parameter " + std::to_string(parameterOf(site)) +
                  " of the kernel points to";
    break;
  case Kind::freed:
    describeAddress(finding.address, report);
    report.what = access + " of freed memory";
    break;
  case Kind::hostMemory:
    describeAddress(finding.address, report);
    report.severity = "warning";
    report.what = access + " of pageable host memory, which most GPUs cannot access";
    break;
  case Kind::freedTwice:
    describeAddress(finding.address, report);
    report.what = "free of memory that has been freed already";
    break;
  case Kind::freedNothing:
    describeAddress(finding.address, report);
    report.what = "free of an address that malloc has not returned";
    break;
  case Kind::padding:
    describeAddress(finding.address, report);
    report.severity = "warning";
    report.what = access + " in the padding of a pitched row";
    break;
  case Kind::misaligned:
    describeAddress(finding.address, report);
    report.what = "misaligned " + access + ", which needs a multiple of " + std::to_string(site.align);
    break;
  case Kind::overlap:
    describeAddress(finding.address, report);
    report.what = "memcpy of " + std::to_string(finding.bytes) + " bytes whose source and destination overlap";
    break;
  case Kind::outsideShared: outsideObject(site.objectBytes ? "a __shared__ variable" : ""); break;
  case Kind::outsidePrivate: outsideObject("an array of the work-item"); break;
  case Kind::outsideVariable: outsideObject("a variable of the module"); break;
  case Kind::constantMemory:
    report.what = access + " of __constant__ memory, which kernels can only read";
    describeAddress(finding.address, report);
    break;
  case Kind::privateGone: report.what = access + " of a private variable that does not exist any more"; break;
  case Kind::privateOfOther:
    report.what = access + " of a private variable of another work-item";
    report.other = textOf(finding.otherPlace) + " has the variable";
    break;
  case Kind::race: race("race in shared memory"); break;
  case Kind::raceInWarp:
    race("race in shared memory between lanes of a warp without __syncwarp()");
    report.severity = "warning";
    break;
  case Kind::raceOfBlocks:
    race("race in global memory");
    describeAddress(finding.address, report);
    break;
  case Kind::raceOfLanes:
    race("race in global memory between lanes of a warp without __syncwarp()");
    report.severity = "warning";
    describeAddress(finding.address, report);
    break;
  case Kind::raceOfLaunches:
    race("race in global memory between kernels that have no order");
    nameOther();
    describeAddress(finding.address, report);
    break;
  case Kind::noFence:
    race("race in global memory: blocks communicate without __threadfence()");
    report.severity = "warning";
    if (finding.otherLaunch != finding.launch)
      nameOther();
    describeAddress(finding.address, report);
    break;
  case Kind::sameValue:
    race("writes of the same value");
    report.severity = "note";
    break;
  case Kind::raceWithWrite:
  case Kind::raceWithRead:
    report.tool = "racecheck";
    report.what = "race in global memory: " + access + " and a " +
                  (finding.kind == Kind::raceWithRead ? "copy that reads it" : "copy or fill that writes it");
    report.other = "the copy" + submittedAt(stackOf(finding.otherSubmission));
    describeAddress(finding.address, report);
    break;
  case Kind::raceWithStart:
  case Kind::raceWithEnd:
    report.tool = "racecheck";
    report.what = access + (finding.kind == Kind::raceWithStart
                                ? " of memory in a stream that has no order with its allocation by hipMallocAsync"
                                : " of memory that another stream frees without an order");
    report.other = std::string(finding.kind == Kind::raceWithStart ? "the allocation" : "the hipFreeAsync") +
                   submittedAt(stackOf(finding.otherSubmission));
    describeAddress(finding.address, report);
    break;
  case Kind::barriersDiffer:
    report.tool = "synccheck";
    report.what = "work-items of a block wait at different barriers";
    report.other = std::string(finding.other->text) + " by " + textOf(finding.otherPlace);
    break;
  case Kind::barrierPassed:
    sync("a barrier that work-items of the block have gone past");
    report.other = std::string(site.text + site.objectName) + " by " + textOf(finding.otherPlace);
    break;
  case Kind::barrierMissed:
    report.tool = "synccheck";
    report.severity = "warning";
    report.what = "a barrier that work-items of the block have not reached before they returned";
    report.other = textOf(finding.otherPlace) + " has not come";
    break;
  case Kind::callerNotNamed: sync("a warp function whose mask does not name the thread that calls it"); break;
  case Kind::namesNoThread:
    sync("a warp function whose mask names lanes that have no thread");
    report.severity = "warning";
    break;
  case Kind::masksDiffer:
    sync("threads that call a warp function together with different masks");
    report.other = textOf(finding.otherPlace) + " is named, but has another mask";
    break;
  case Kind::laneMissing:
    sync("a warp function that not all threads have come to that its mask names");
    report.other = std::string(finding.other->text) + " by " + textOf(finding.otherPlace) + ", which has not come";
    break;
  case Kind::memberMissing:
    sync("a function of a tile or a coalesced group that not all of its threads have come to");
    report.other = std::string(finding.other->text) + " by " + textOf(finding.otherPlace) + ", which has not come";
    break;
  case Kind::noGrid: sync("a grid barrier in a launch that is not cooperative"); break;
  case Kind::uninitialized:
  case Kind::uninitializedOutput: describeUninitialized(finding, report); break;
  }
  return report;
}

// Takes over what the table has counted since the last time.
void collect(Reports &reports) {
  for (Entry &entry : table()) {
    if (!entry.filled.load(std::memory_order_acquire))
      continue;
    const uint64_t count = entry.count.exchange(0);
    if (!count)
      continue;
    if (!entry.isReported) {
      entry.isReported = true;
      entry.key = add(reports, describe(entry.finding), count, &entry.finding);
    } else {
      reports.all.find(entry.key)->second.count += count;
    }
  }
}

std::atomic<void (*)()> lastReports{nullptr};

// Counts are known when the process ends.
[[gnu::destructor]] void summarise() {
  if (!tools().any())
    return;
  if (auto *last = lastReports.exchange(nullptr))
    last();
  const auto all = reports().lock();
  collect(*all);
  if (tools().leaks)
    forEachHeapLeak([&](CheckReport leak) { add(*all, std::move(leak), 1, nullptr); });
  uint64_t errors = 0;
  for (const auto &[key, report] : all->all)
    errors += report.isError();
  std::erase_if(all->all, [](const auto &entry) { return !toFolder() && entry.second.severity == "note"; });
  if (toFolder()) {
    for (const auto &[key, report] : all->all)
      publish(report); // once more, with the count
  } else {
    for (const auto &[key, report] : all->all)
      if (report.count > 1)
        writeAll(stderr, "========= " + report.tool + ": " + report.kernel + " at " + report.place + ": found " +
                             std::to_string(report.count) + " times\n");
    writeAll(stderr, "========= " + std::to_string(errors) + " errors, " + std::to_string(all->all.size() - errors) +
                         " warnings\n");
  }
}

} // namespace

std::string textOf(const Place &place) {
  return "work-item " + triple(place.item) + " of block " + triple(place.block);
}

void note(const LaunchState &launch, Finding finding) {
  if (!finding.launch)
    finding.launch = checkedLaunch(launch).number;
  if (!isReported(finding.launch))
    return;
  const CheckSite *const partner = partnerOf(finding);
  const auto hash = ((reinterpret_cast<uintptr_t>(finding.site) >> 3) * 31 + static_cast<uint32_t>(finding.kind)) * 31 +
                    (reinterpret_cast<uintptr_t>(partner) >> 3);
  for (size_t i = 0; i < kEntries; ++i) {
    Entry &entry = table()[(hash + i) % kEntries];
    const CheckSite *site = entry.site.load(std::memory_order_acquire);
    if (!site) {
      static auto &used = *new Lockable<size_t>(LockRank::cpuCheckTable); // how many
      const auto adding = used.lock();
      site = entry.site.load(std::memory_order_relaxed);
      if (!site) {
        entry.kind = finding.kind;
        entry.finding = finding;
        entry.count.fetch_add(1);
        entry.site.store(finding.site, std::memory_order_release);
        entry.filled.store(true, std::memory_order_release);
        noted.fetch_add(1);
        ++*adding;
        if (tools().stops)
          ::raise(SIGTRAP); // in the kernel: "up" leads to its frames
        return;
      }
    }
    if (site == finding.site && entry.kind == finding.kind && partnerOf(entry.finding) == partner) {
      entry.count.fetch_add(1, std::memory_order_relaxed);
      return;
    }
  }
}

void reportRaceOfCopy(const Finding &finding) {
  if (isReported(finding.launch))
    add(*reports().lock(), describe(finding), 1, nullptr);
}

void reportRaceOfCopies(const void *address, uint32_t submission, uint32_t other) {
  if (submission < other) // they begin in any order
    std::swap(submission, other);
  CheckReport report;
  report.tool = "racecheck";
  report.severity = "error";
  report.what = "race of copies or fills that have no order";
  report.place = callerOf(stackOf(submission));
  report.launched = describe(stackOf(submission));
  report.other = "the other one" + submittedAt(stackOf(other));
  describeAddress(address, report);
  add(*reports().lock(), std::move(report), 1, nullptr);
}

void reportNoted() {
  static std::atomic<uint64_t> seen{0}; // so that launches without findings take no lock
  const uint64_t now = noted.load(std::memory_order_acquire);
  if (seen.load(std::memory_order_relaxed) == now)
    return;
  const auto all = reports().lock();
  collect(*all);
  seen.store(now);
}

void add(CheckReport report, uint64_t count) { add(*reports().lock(), std::move(report), count, nullptr); }

void forgetSites(const void *begin, size_t bytes) {
  if (!tools().any())
    return;
  forgetSiteNumbers(begin, bytes);
  forgetStores(begin, bytes);
  const auto all = reports().lock();
  collect(*all);
  static const CheckSite none{};
  for (Entry &entry : table()) {
    const auto distance = reinterpret_cast<uintptr_t>(entry.site.load()) - reinterpret_cast<uintptr_t>(begin);
    if (entry.site.load() && distance < bytes)
      entry.site.store(&none);
  }
}

void reportCall(const char *record, const void *const *pointers, uint32_t count) {
  CheckReport report;
  std::istringstream from(record);
  if (!readRecord(from, report) || (report.tool == "memcheck" && !tools().memory))
    return;
  for (uint32_t i = 0; i < count && report.allocated.empty(); ++i)
    describeAddress(pointers[i], report);
  if (report.allocated.empty())
    report.address.clear();
  if (!report.item.empty()) // of a call, not of the process's end
    if (std::string caller = callerOf(hostStack()); !caller.empty())
      report.place = std::move(caller);
  add(*reports().lock(), std::move(report), 1, nullptr);
}

void callAtEnd(void (*last)()) { lastReports.store(last); }

} // namespace hiplz::cpu::check
