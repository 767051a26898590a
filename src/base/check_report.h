// SPDX-License-Identifier: MIT
// One finding of the checks (docs/checking.md) as the CPU driver and the runtime make it and as hiplz-check reads it. Written to a file it
// is lines of "key<tab>value" with an empty line behind them, so that what a process has found before it crashed can be read.
#pragma once
#include <cstdint>
#include <istream>
#include <string>
#include <vector>

namespace hiplz {

struct CheckReport {
  std::string tool;     ///< memcheck, racecheck or synccheck
  std::string severity; ///< error, warning or note
  std::string what;     ///< "write of 4 bytes behind the end of an allocation"
  std::string kernel;   ///< readable name; empty: not in a kernel
  std::string place;    ///< "file.hip:12, inlined at file.hip:30", or the number of the access in the kernel
  std::string item;     ///< "work-item (1, 0, 0) of block (3, 0, 0)"
  std::string address;  ///< "0x2000, 4 bytes behind ..."
  std::string other;    ///< the other side of a race or of a barrier
  std::vector<std::string> allocated, freed, launched; ///< frames of the host, the innermost first
  uint64_t count = 1;                                  ///< how often it was found

  bool isError() const { return severity == "error"; }
};

/// Calls f(name, field) for each field that is one text. `Report` may be const.
template <class Report, class F> void forEachField(Report &report, F f) {
  f("tool", report.tool);
  f("severity", report.severity);
  f("what", report.what);
  f("kernel", report.kernel);
  f("place", report.place);
  f("workItem", report.item);
  f("address", report.address);
  f("other", report.other);
}

/// The same for the call stacks.
template <class Report, class F> void forEachStack(Report &report, F f) {
  f("allocated", report.allocated);
  f("freed", report.freed);
  f("launched", report.launched);
}

/// The report as people read it, lines with a mark in front.
std::string textOf(const CheckReport &report, const std::string &mark = "=========");

/// The report as a file has it.
std::string recordOf(const CheckReport &report);

/// Names of files in the folder of the reports: which launches are reported, as "SKIP COUNT" and in the next line an expression for the names
/// of their kernels; and with this behind it, a file that makes processes raise SIGTRAP at each finding.
inline constexpr char kCheckOptions[] = "launches", kCheckStop[] = ".stop";

/// The next report of a file; false at its end.
bool readRecord(std::istream &from, CheckReport &report);

} // namespace hiplz
