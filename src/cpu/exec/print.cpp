// SPDX-License-Identifier: MIT
// See print.h. The C library formats each scalar; vectors and the lengths of their elements are OpenCL's own.
#include "cpu/exec/print.h"
#include "cpu/abi/runtime_functions.h"

#include <bit>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace hiplz::cpu {
namespace {

/// A conversion specification: %[flags][width][.precision][vector][length]conversion.
struct Specification {
  std::string flags; ///< with width and precision, as the C library takes them
  unsigned elements = 0;
  std::string_view length;
  char conversion = 0;
};

constexpr size_t kMaxNumber = 9; // digits of a width or a precision; the text has to fit into memory

/// Reads what follows a percent sign and removes it from the format; false if it is none.
bool read(std::string_view &format, Specification &specification) {
  auto take = [&](std::string_view characters) {
    const size_t count = std::min(format.find_first_not_of(characters), format.size());
    const std::string_view taken = format.substr(0, count);
    format.remove_prefix(count);
    return taken;
  };
  constexpr std::string_view kDigits = "0123456789";
  specification.flags = take("-+ #0");
  const std::string_view width = take(kDigits);
  specification.flags += width;
  if (width.size() > kMaxNumber)
    return false;
  if (format.starts_with('.')) {
    format.remove_prefix(1);
    const std::string_view precision = take(kDigits);
    if (precision.size() > kMaxNumber)
      return false;
    specification.flags.append(".").append(precision);
  }
  if (format.starts_with('v')) {
    format.remove_prefix(1);
    const std::string_view elements = take(kDigits);
    for (const char *allowed : {"2", "3", "4", "8", "16"})
      if (elements == allowed)
        specification.elements = static_cast<unsigned>(std::stoul(allowed));
    if (specification.elements == 0)
      return false;
  }
  specification.length = take("hl");
  bool known = specification.length.empty();
  for (const char *allowed : {"hh", "h", "l", "hl"})
    known = known || specification.length == allowed;
  if (!known || format.empty() || (specification.length == "hl" && specification.elements == 0))
    return false;
  specification.conversion = format.front();
  format.remove_prefix(1);
  return true;
}

template <class... Values> void append(std::string &text, const std::string &format, Values... values) {
  const int length = std::snprintf(nullptr, 0, format.c_str(), values...);
  if (length <= 0)
    return;
  const size_t before = text.size();
  text.resize(before + static_cast<size_t>(length) + 1);
  std::snprintf(text.data() + before, static_cast<size_t>(length) + 1, format.c_str(), values...);
  text.pop_back();
}

// Of vectors "hl" are 32 bits; so are scalars without a length.
template <class Char, class Short, class Int, class Long> long long narrowed(uint64_t value, std::string_view length) {
  if (length == "hh")
    return static_cast<Char>(value);
  if (length == "h")
    return static_cast<Short>(value);
  return length == "l" ? static_cast<long long>(static_cast<Long>(value)) : static_cast<Int>(value);
}

bool appendOne(const Specification &specification, uint64_t value, std::string &text) {
  const std::string start = "%" + specification.flags;
  const std::string_view length = specification.length;
  switch (specification.conversion) {
  case 'd':
  case 'i': append(text, start + "lld", narrowed<int8_t, int16_t, int32_t, int64_t>(value, length)); return true;
  case 'o':
  case 'u':
  case 'x':
  case 'X':
    append(text, start + "ll" + specification.conversion,
           narrowed<uint8_t, uint16_t, uint32_t, uint64_t>(value, length));
    return true;
  case 'f':
  case 'F':
  case 'e':
  case 'E':
  case 'g':
  case 'G':
  case 'a':
  case 'A': append(text, start + specification.conversion, std::bit_cast<double>(value)); return true;
  case 'c': append(text, start + "c", static_cast<int>(value)); return true;
  case 'p': append(text, start + "p", reinterpret_cast<const void *>(value)); return true;
  case 's': {
    const char *string = reinterpret_cast<const char *>(value);
    (void)std::strlen(string ? string : ""); // here a bad pointer does no harm
    append(text, start + "s", string ? string : "(null)");
    return true;
  }
  default: return false;
  }
}

} // namespace

bool formatPrint(const char *pointer, std::span<const uint64_t> arguments, std::string &text) {
  std::string_view format(pointer);
  while (!format.empty()) {
    const size_t plain = std::min(format.find('%'), format.size());
    text += format.substr(0, plain);
    format.remove_prefix(plain);
    if (format.empty())
      break;
    format.remove_prefix(1);
    if (format.starts_with('%')) {
      text += '%';
      format.remove_prefix(1);
      continue;
    }
    Specification specification;
    if (!read(format, specification))
      return false;
    const unsigned count = std::max(specification.elements, 1u);
    if (arguments.size() < count)
      return false;
    for (unsigned element = 0; element < count; ++element) {
      if (element)
        text += ',';
      if (!appendOne(specification, arguments[element], text))
        return false;
    }
    arguments = arguments.subspan(count);
  }
  return true;
}

} // namespace hiplz::cpu

int32_t hiplz_cpu_print(const char *format, const uint64_t *arguments, uint32_t count) {
  std::string text;
  const bool isGood = hiplz::cpu::formatPrint(format, {arguments, count}, text);
  // One call, so that the texts of work-items do not mix.
  const bool isWritten = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  return isGood && isWritten ? 0 : -1;
}
