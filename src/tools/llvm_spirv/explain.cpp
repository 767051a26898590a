// SPDX-License-Identifier: MIT
#include "explain.h"

#include <cstring>
#include <regex>
#include <sstream>

namespace hiplz::spirv {

std::string messagesWithoutTrace(const Outcome &outcome) {
  std::istringstream lines(outcome.messages);
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("PLEASE submit") || line.starts_with("Stack dump"))
      break;
    result += line + '\n';
  }
  return result;
}

std::string explain(const Outcome &outcome) {
  const std::string &text = outcome.messages;
  std::smatch match;
  if (std::regex_search(text, match, std::regex("Unexpected llvm intrinsic:\\s*(\\S+)")))
    return "the device code uses the LLVM intrinsic '" + match[1].str() + "', which has no form in SPIR-V";
  if (std::regex_search(text, match, std::regex("Can't translate llvm instruction:\\s*([^\\n]*)")))
    return "the device code contains an instruction that has no form in SPIR-V: " + match[1].str();
  if (std::regex_search(text, match, std::regex("InvalidBitWidth[^\\n]*\\n\\s*([^\\n]*)")))
    return "the device code uses an integer type of a width that SPIR-V does not have: " + match[1].str();
  if (text.find("FunctionPointers:") != std::string::npos)
    return "the device code uses a pointer to a function, which is not supported on the device";
  if (std::regex_search(text, match, std::regex("Unsupported vector type with (\\d+) elements")))
    return "the device code uses vectors of " + match[1].str() + " elements; the device has 2, 3, 4, 8 and 16";
  if (outcome.signal != 0) {
    std::string reason = std::string("the SPIR-V translator stopped on a signal (") + strsignal(outcome.signal) + ")";
    if (std::regex_search(text, match, std::regex("Assertion `([^\\n]*)' failed")))
      reason += ", assertion " + match[1].str();
    return reason + "; the device code contains something that it cannot translate";
  }
  return "the SPIR-V translator failed with status " + std::to_string(outcome.exitCode);
}

} // namespace hiplz::spirv
