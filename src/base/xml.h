// SPDX-License-Identifier: MIT
// Text for XML: pictures (SVG) and reports.
#pragma once
#include <string>

namespace hiplz {

/// Text as the content of an element or the value of an attribute in double quotes; control characters become spaces.
inline std::string xmlEscaped(const std::string &text) {
  std::string out;
  for (const char c : text)
    switch (c) {
    case '&': out += "&amp;"; break;
    case '<': out += "&lt;"; break;
    case '>': out += "&gt;"; break;
    case '"': out += "&quot;"; break;
    default: out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  return out;
}

} // namespace hiplz
