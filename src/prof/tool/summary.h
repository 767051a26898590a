// SPDX-License-Identifier: MIT
// The sums of a run: what the terminal, the CSV files and the JSON file show.
#pragma once
#include "prof/tool/profile.h"
#include "prof/tool/table.h"

#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <vector>

namespace hiplz::prof {

/// Of durations in nanoseconds.
struct Statistics {
  uint64_t count = 0, total = 0, least = UINT64_MAX, most = 0;
  double squares = 0;
  void add(uint64_t duration);
  double average() const { return count ? static_cast<double>(total) / static_cast<double>(count) : 0; }
  double deviation() const;
};

struct KernelSummary {
  std::string name, mangled;
  Statistics time;
  uint32_t grid[3], block[3]; ///< of the shape that was launched most often
  size_t shapes = 0;          ///< how many there were
  double occupancy = -1;      ///< share of the threads that a multiprocessor can hold; below 0: unknown
};

struct CallSummary {
  std::string name;
  Statistics time;
  uint64_t failed = 0;
};

struct CopySummary {
  std::string direction; ///< or "fill"
  Statistics time;
  uint64_t bytes = 0;
  double gigabytesPerSecond() const {
    return time.total ? static_cast<double>(bytes) / static_cast<double>(time.total) : 0;
  }
};

/// A time in which a device had nothing to do, between two commands of a process.
struct Gap {
  uint64_t begin, end;
  std::string meanwhile; ///< the API call that took most of it, or "no HIP call"
};

struct DeviceSummary {
  std::string process, name;
  uint32_t ordinal;
  uint64_t span = 0, busy = 0; ///< from the first command to the last, and how much of it commands ran
  size_t gapCount = 0;         ///< longer than kGap
  std::vector<Gap> longest;    ///< at most kShownGaps
  int64_t mostMemory = 0;      ///< device and managed memory
  static constexpr uint64_t kGap = 10'000;
  static constexpr size_t kShownGaps = 5;
};

struct CompilationSummary {
  std::string name;
  uint64_t time, count, bytes;
};

struct Summary {
  std::vector<std::string> processes;
  uint64_t wall = 0;                    ///< from the first moment to the last, nanoseconds
  std::vector<KernelSummary> kernels;   ///< by time; those of one name together
  std::vector<KernelSummary> functions; ///< the same kernels, each by itself
  std::vector<CallSummary> calls;
  std::vector<CopySummary> copies;
  std::vector<DeviceSummary> devices;
  std::vector<CompilationSummary> compilations;
  Statistics graphs, hostFunctions, waits;
  std::vector<std::string> hints;    ///< whole sentences
  std::vector<std::string> warnings; ///< of the trace itself
};

Summary summarise(std::span<const Process> processes);

/// Fills `hints` from the rest.
void addHints(Summary &summary);

/// For people.
void printSummary(std::ostream &out, const Summary &summary, const TableStyle &style);
void writeSummaryJson(std::ostream &out, const Summary &summary);

/// "1.234 ms".
std::string readableTime(double nanoseconds);
std::string readableBytes(double bytes);

} // namespace hiplz::prof
