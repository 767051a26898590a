// SPDX-License-Identifier: MIT
// See foreign_options.h.
#include "check/foreign_options.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <vector>

namespace hiplz::checking {
namespace {

/// Values that may be given; none: any.
using Values = std::vector<std::string>;

const std::map<std::string, Values> &withValues() {
  static const std::map<std::string, Values> options{
      {"--coredump-behavior", {}},
      {"--coredump-name", {}},
      {"--demangle", {"full", "simple", "no"}},
      {"--destroy-on-device-error", {"context", "kernel"}},
      {"--force-synchronization-limit", {}},
      {"--initcheck-address-space", {"global", "shared", "all"}},
      {"--language", {"c", "fortran"}},
      {"--launch-timeout", {}},
      {"--max-connections", {}},
      {"--mode", {"launch-and-attach"}},
      {"--num-callers-device", {}},
      {"--num-cuda-barriers", {}},
      {"--padding", {}},
      {"--port", {}},
      {"--racecheck-num-workers", {}},
      {"--racecheck-report", {"hazard", "analysis", "all"}},
      {"--track-stream-ordered-races", {"all", "use-before-alloc", "use-after-free", "no"}},
      {"--unused-memory-threshold", {}},
  };
  return options;
}

/// Switches that may be followed by yes or no.
const std::map<std::string, Values> &switches() {
  static const Values kAny{"yes", "no"}, kYes{"yes"}, kNo{"no"};
  static const std::map<std::string, Values> options{
      {"--binary-patching", kYes},
      {"--check-api-memory-access", kYes},
      {"--check-bulk-copy", kAny},
      {"--check-cache-control", kAny},
      {"--check-device-heap", kYes},
      {"--check-optix", kAny},
      {"--check-optix-leaks", kAny},
      {"--check-warpgroup-mma", kAny},
      {"--generate-coredump", kNo},
      {"--kill", kAny},
      {"--missing-barrier-init-is-fatal", kAny},
      {"--nvtx", kAny},
      {"--print-session-details", kAny},
      {"--racecheck-indirect-barriers", kAny},
      {"--racecheck-memcpy-async", kAny},
      {"--report-device-side-allocation-failure", kNo},
      {"--require-cuda-init", kAny},
      {"--save-session-details", kAny},
      {"--strip-paths", kYes},
      {"--track-unused-memory", kNo},
  };
  return options;
}

} // namespace

Foreign foreignOption(const std::string &name) {
  return withValues().contains(name) ? Foreign::takesValue
         : switches().contains(name) ? Foreign::takesYesOrNo
                                     : Foreign::unknown;
}

void checkForeignValue(const std::string &name, const std::string &value) {
  const auto found = withValues().find(name);
  const Values &values = found != withValues().end() ? found->second : switches().at(name);
  if (values.empty() || std::find(values.begin(), values.end(), value) != values.end())
    return;
  std::string list;
  for (const std::string &each : values)
    list += (list.empty() ? "" : " or ") + each;
  throw std::runtime_error(name + " can only be " + list + " (docs/checking.md says why)");
}

} // namespace hiplz::checking
