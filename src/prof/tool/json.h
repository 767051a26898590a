// SPDX-License-Identifier: MIT
// JSON as it is written: commas and quotes by themselves, everything else by the caller.
#pragma once
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstdio>
#include <ostream>
#include <string_view>

namespace hiplz::prof {

class JsonWriter {
public:
  explicit JsonWriter(std::ostream &out) : out_(out) {}

  JsonWriter &beginObject() { return begin('{'); }
  JsonWriter &endObject() { return end('}'); }
  JsonWriter &beginArray() { return begin('['); }
  JsonWriter &endArray() { return end(']'); }
  JsonWriter &line() {
    newLine_ = true;
    return *this;
  }

  JsonWriter &key(std::string_view name) {
    value(name);
    out_ << ':';
    first_ = true;
    return *this;
  }

  JsonWriter &value(std::string_view text) {
    separate();
    out_ << '"';
    for (const char letter : text)
      if (letter == '"' || letter == '\\')
        out_ << '\\' << letter;
      else if (static_cast<unsigned char>(letter) < 0x20) {
        char code[8];
        std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(letter));
        out_ << code;
      } else
        out_ << letter;
    out_ << '"';
    return *this;
  }
  JsonWriter &value(const char *text) { return value(std::string_view(text)); }
  JsonWriter &value(const std::string &text) { return value(std::string_view(text)); }
  JsonWriter &value(bool truth) {
    separate();
    out_ << (truth ? "true" : "false");
    return *this;
  }
  template <std::integral Number> JsonWriter &value(Number number) {
    separate();
    out_ << +number;
    return *this;
  }
  JsonWriter &value(double number) {
    separate();
    char text[32];
    std::snprintf(text, sizeof text, "%.12g", std::isfinite(number) ? number : 0.0);
    out_ << text;
    return *this;
  }
  /// Nanoseconds as microseconds, with all digits.
  JsonWriter &microseconds(uint64_t nanoseconds) {
    separate();
    char text[32];
    std::snprintf(text, sizeof text, "%llu.%03u", static_cast<unsigned long long>(nanoseconds / 1000),
                  static_cast<unsigned>(nanoseconds % 1000));
    out_ << text;
    return *this;
  }
  template <class Value> JsonWriter &pair(std::string_view name, const Value &content) {
    return key(name).value(content);
  }

private:
  JsonWriter &begin(char bracket) {
    separate();
    out_ << bracket;
    first_ = true;
    return *this;
  }
  JsonWriter &end(char bracket) {
    out_ << bracket;
    first_ = false;
    return *this;
  }
  void separate() {
    if (!first_)
      out_ << ',';
    if (newLine_)
      out_ << '\n';
    first_ = newLine_ = false;
  }

  std::ostream &out_;
  bool first_ = true, newLine_ = false;
};

} // namespace hiplz::prof
