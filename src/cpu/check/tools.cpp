// SPDX-License-Identifier: MIT
#include "cpu/check/tools.h"
#include "base/check_report.h"
#include "base/env.h"
#include "cpu/check/shadow.h"
#include "cpu/check/uninitialized.h"

#include <filesystem>

namespace hiplz::cpu::check {

std::string optionsFile() { return envString(EnvVar::HIPLZ_CHECK_REPORTS) + "/" + kCheckOptions; }

Tools chosenTools() {
  const std::string names = "," + envString(EnvVar::HIPLZ_CHECK) + ",";
  auto has = [&](const std::string &name) {
    return names.find("," + name + ",") != std::string::npos || names.find(",all,") != std::string::npos;
  };
  return {has("memcheck"),
          has("racecheck"),
          has("synccheck"),
          names.find(",leaks,") != std::string::npos,
          std::filesystem::exists(optionsFile() + kCheckStop),
          has("initcheck")};
}

const std::string &toolNames() {
  static const std::string names = [] {
    std::string text;
    auto add = [&](bool chosen, const char *name) {
      if (chosen)
        text += (text.empty() ? "" : ",") + std::string(name);
    };
    add(tools().memory, "memcheck");
    add(tools().races, "racecheck");
    add(tools().barriers, "synccheck");
    add(tools().initialization && hasBitShadow(), "initcheck");
    add(tools().memory && hasShadow(), "shadow");
    return text;
  }();
  return names;
}

} // namespace hiplz::cpu::check
