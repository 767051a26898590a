// SPDX-License-Identifier: MIT
// Each conversion specification is parsed, rebuilt with the length modifier of the type that is really passed, and given
// to snprintf: what the C library can do, device printf can do, and its output is the same.
#include "lz/module/printf_format.h"

#include <hip/spirv/printf_record.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <cwchar>
#include <optional>
#include <string_view>

namespace hiplz {
namespace {

constexpr int kMaxFieldWidth = 65536;

using __hiplz::PrintfItem;
using __hiplz::PrintfPart;
using __hiplz::PrintfRecord;

/// The format or an argument.
struct Item {
  PrintfItem::Kind kind;
  uint64_t bits = 0;       // integer, double, pointer
  std::string_view text{}; // string
};

/// The format and the arguments, one after the other.
class Items {
public:
  virtual ~Items() = default;
  /// The next item, for a conversion of this type ('*' for a width or precision); nothing at the end or where the rest is malformed.
  virtual std::optional<Item> next(char type) = 0;
};

class RecordItems final : public Items {
public:
  explicit RecordItems(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::optional<Item> next(char) override {
    PrintfItem head;
    if (bytes_.size() < sizeof head)
      return std::nullopt;
    std::memcpy(&head, bytes_.data(), sizeof head);
    bool isString = head.kind == PrintfItem::string;
    uint64_t payload = isString ? (uint64_t(head.bytes) + 7) / 8 * 8 : 8;
    if (head.kind > PrintfItem::word || payload > bytes_.size() - sizeof head) {
      bytes_ = {};
      return std::nullopt;
    }
    Item item{.kind = static_cast<PrintfItem::Kind>(head.kind)};
    const std::byte *at = bytes_.data() + sizeof head;
    if (isString)
      item.text = {reinterpret_cast<const char *>(at), head.bytes};
    else
      std::memcpy(&item.bits, at, sizeof item.bits);
    if (item.kind == PrintfItem::real && head.bytes == sizeof(float)) {
      float narrow;
      std::memcpy(&narrow, at, sizeof narrow);
      const double wide = narrow;
      std::memcpy(&item.bits, &wide, sizeof item.bits);
    }
    bytes_ = bytes_.subspan(sizeof head + payload);
    return item;
  }

private:
  std::span<const std::byte> bytes_;
};

bool isReal(char type) { return type && std::strchr("fFeEgGaA", type); }

/// Their kinds are those that the conversions ask for.
class WordItems final : public Items {
public:
  explicit WordItems(std::span<const uint64_t> words) : words_(words) {}

  std::optional<Item> next(char type) override {
    if (words_.empty())
      return std::nullopt;
    Item item{.kind = type == 's' ? PrintfItem::string : isReal(type) ? PrintfItem::real : PrintfItem::integer};
    size_t used = 1;
    if (type == 's') {
      const auto *text = reinterpret_cast<const char *>(words_.data());
      item.text = {text, ::strnlen(text, words_.size_bytes())};
      used = std::min(words_.size(), item.text.size() / sizeof(uint64_t) + 1);
    } else {
      item.bits = words_.front();
    }
    words_ = words_.subspan(used);
    return item;
  }

private:
  std::span<const uint64_t> words_;
};

/// One conversion specification, from the '%' to the conversion character.
struct Conversion {
  std::string_view whole;
  std::string flags;
  bool widthFromArgument = false, precisionFromArgument = false;
  int width = 0;      // 0: none
  int precision = -1; // -1: none
  std::string_view length;
  char type = 0; // 0: the format ends in the middle
};

Conversion parseConversion(std::string_view from) {
  Conversion conversion;
  size_t at = 1;
  auto number = [&](bool &fromArgument) {
    int value = 0;
    if (at < from.size() && from[at] == '*') {
      fromArgument = true;
      ++at;
    }
    for (; at < from.size() && from[at] >= '0' && from[at] <= '9'; ++at)
      value = std::min(value * 10 + (from[at] - '0'), kMaxFieldWidth);
    return value;
  };
  while (at < from.size() && std::strchr("-+ #0'", from[at]) && from[at])
    conversion.flags += from[at++];
  conversion.width = number(conversion.widthFromArgument);
  if (at < from.size() && from[at] == '.') {
    ++at;
    conversion.precision = number(conversion.precisionFromArgument);
  }
  size_t lengthAt = at;
  while (at < from.size() && std::strchr("hljztLq", from[at]) && from[at])
    ++at;
  conversion.length = from.substr(lengthAt, at - lengthAt);
  if (at < from.size())
    conversion.type = from[at++];
  conversion.whole = from.substr(0, at);
  return conversion;
}

/// Appends one value with the conversion's flags, width and precision, and this length modifier and type.
template <class Value> bool append(std::string &out, const Conversion &conversion, const char *length, Value value) {
  std::string spec = "%" + conversion.flags;
  if (conversion.width)
    spec += std::to_string(conversion.width);
  if (conversion.precision >= 0)
    spec += "." + std::to_string(conversion.precision);
  spec += length;
  spec += conversion.type;
  char small[128];
  int needed = std::snprintf(small, sizeof small, spec.c_str(), value);
  if (needed < 0)
    return false;
  if (static_cast<size_t>(needed) < sizeof small) {
    out.append(small, needed);
    return true;
  }
  size_t before = out.size();
  out.resize(before + needed + 1);
  std::snprintf(out.data() + before, needed + 1, spec.c_str(), value);
  out.pop_back();
  return true;
}

bool appendSigned(std::string &out, const Conversion &conversion, uint64_t bits) {
  std::string_view length = conversion.length;
  if (length == "hh")
    return append(out, conversion, "", static_cast<int>(static_cast<int8_t>(bits)));
  if (length == "h")
    return append(out, conversion, "", static_cast<int>(static_cast<int16_t>(bits)));
  if (length.empty())
    return append(out, conversion, "", static_cast<int>(bits));
  return append(out, conversion, "ll", static_cast<long long>(bits));
}

bool appendUnsigned(std::string &out, const Conversion &conversion, uint64_t bits) {
  std::string_view length = conversion.length;
  if (length == "hh")
    return append(out, conversion, "", static_cast<unsigned>(static_cast<uint8_t>(bits)));
  if (length == "h")
    return append(out, conversion, "", static_cast<unsigned>(static_cast<uint16_t>(bits)));
  if (length.empty())
    return append(out, conversion, "", static_cast<unsigned>(bits));
  return append(out, conversion, "ll", static_cast<unsigned long long>(bits));
}

/// A string's precision counts its characters; it may contain anything but is not terminated.
bool appendString(std::string &out, const Conversion &conversion, std::string_view text) {
  if (conversion.precision >= 0)
    text = text.substr(0, conversion.precision);
  size_t padding = std::max<size_t>(conversion.width, text.size()) - text.size();
  bool left = conversion.flags.find('-') != std::string::npos;
  out.append(left ? 0 : padding, ' ').append(text).append(left ? padding : 0, ' ');
  return true;
}

/// Formats one argument; false if it is not of the kind that the conversion takes.
bool appendArgument(std::string &out, const Conversion &conversion, const Item &item) {
  const bool isWord = item.kind == PrintfItem::word;
  if (isReal(conversion.type)) {
    double value;
    std::memcpy(&value, &item.bits, sizeof value);
    return (isWord || item.kind == PrintfItem::real) && append(out, conversion, "", value);
  }
  const bool isNumber = isWord || item.kind == PrintfItem::integer || item.kind == PrintfItem::pointer;
  switch (conversion.type) {
  case 'd':
  case 'i': return isNumber && appendSigned(out, conversion, item.bits);
  case 'u':
  case 'o':
  case 'x':
  case 'X': return isNumber && appendUnsigned(out, conversion, item.bits);
  case 'c':
    if (conversion.length == "l")
      return isNumber && append(out, conversion, "l", static_cast<std::wint_t>(item.bits));
    return isNumber && append(out, conversion, "", static_cast<int>(item.bits));
  case 'p': return isNumber && append(out, conversion, "", reinterpret_cast<void *>(item.bits));
  case 's':
    return item.kind == PrintfItem::string && conversion.length.empty() && appendString(out, conversion, item.text);
  case 'n': return true; // a device cannot be told how much was printed
  default: return false;
  }
}

/// Takes the width or precision of a '*' from the arguments.
bool takeStar(Items &items, int &value) {
  std::optional<Item> item = items.next('*');
  if (!item || (item->kind != PrintfItem::integer && item->kind != PrintfItem::word))
    return false;
  value = static_cast<int>(std::clamp<int64_t>(static_cast<int32_t>(item->bits), -kMaxFieldWidth, kMaxFieldWidth));
  return true;
}

bool appendConversion(std::string &out, Conversion &conversion, Items &items) {
  if (conversion.widthFromArgument) {
    if (!takeStar(items, conversion.width))
      return false;
    if (conversion.width < 0) {
      conversion.flags += '-';
      conversion.width = -conversion.width;
    }
  }
  if (conversion.precisionFromArgument) {
    if (!takeStar(items, conversion.precision))
      return false;
    conversion.precision = std::max(conversion.precision, -1);
  }
  if (conversion.type == '%') {
    out += '%';
    return true;
  }
  if (conversion.type == 0 || !std::strchr("diuoxXcpfFeEgGaAsn", conversion.type))
    return false;
  std::optional<Item> item = items.next(conversion.type);
  return item && appendArgument(out, conversion, *item);
}

void format(Items &items, std::string &out) {
  std::optional<Item> first = items.next('s');
  if (!first || first->kind != PrintfItem::string)
    return;
  std::string_view format = first->text;
  while (!format.empty()) {
    size_t percent = std::min(format.find('%'), format.size());
    out += format.substr(0, percent);
    format.remove_prefix(percent);
    if (format.empty())
      break;
    Conversion conversion = parseConversion(format);
    format.remove_prefix(conversion.whole.size());
    if (!appendConversion(out, conversion, items))
      out += conversion.whole;
  }
}

} // namespace

void formatPrintfRecord(std::span<const std::byte> body, std::string &out) {
  RecordItems items(body);
  format(items, out);
}

void formatPrintfWords(std::span<const uint64_t> words, std::string &out) {
  WordItems items(words);
  format(items, out);
}

PrintfMessages::Stream PrintfMessages::format(std::span<const std::byte> body, std::string &out) {
  RecordItems items(body);
  const std::optional<Item> first = items.next(0);
  if (!first || first->kind != PrintfItem::part) {
    formatPrintfRecord(body, out);
    return Stream::output;
  }
  const uint64_t index = first->bits & ((uint64_t{1} << PrintfPart::indexBits) - 1), number = first->bits - index;
  const std::optional<Item> last = items.next(0), count = items.next(0);
  Message &message = unfinished_[number];
  if (!last || !count || message.parts++ != index) {
    unfinished_.erase(number);
    return Stream::none;
  }
  // A string, or as many words as the count says.
  const auto append = [&](PrintfItem head, std::span<const std::byte> payload) {
    const auto bytes = std::as_bytes(std::span(&head, 1));
    message.body.insert(message.body.end(), bytes.begin(), bytes.end());
    message.body.insert(message.body.end(), payload.begin(), payload.end());
    message.body.resize((message.body.size() + 7) / 8 * 8);
  };
  std::optional<Item> item = items.next(0);
  if (item && item->kind == PrintfItem::string)
    append({PrintfItem::string, static_cast<uint32_t>(item->text.size())}, std::as_bytes(std::span(item->text)));
  else
    for (uint64_t n = 0; item && n < count->bits; ++n, item = items.next(0))
      append({PrintfItem::word, sizeof item->bits}, std::as_bytes(std::span(&item->bits, 1)));
  if (last->bits == 0)
    return Stream::none;
  formatPrintfRecord(message.body, out);
  unfinished_.erase(number);
  return number >> PrintfPart::errorBit ? Stream::error : Stream::output;
}

size_t finishedPrintfBytes(std::span<const std::byte> stream, bool &damaged) {
  size_t at = 0;
  damaged = false;
  while (at < stream.size()) {
    PrintfRecord header;
    if (stream.size() - at < sizeof header) {
      damaged = true;
      break;
    }
    std::memcpy(&header, stream.data() + at, sizeof header);
    if (header.state == PrintfRecord::writing || header.state == PrintfRecord::asking ||
        header.state == PrintfRecord::answered)
      break;
    if (header.state > PrintfRecord::answered || header.bytes < sizeof header || header.bytes % 8 != 0 ||
        header.bytes > stream.size() - at) {
      damaged = true;
      break;
    }
    at += header.bytes;
  }
  return at;
}

} // namespace hiplz
