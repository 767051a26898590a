// SPDX-License-Identifier: MIT
// The host's side of device printf against snprintf, and against records and formats that make no sense.
#include "lz/module/printf_format.h"

#include <bit>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <type_traits>
#include <vector>

namespace hiplz {
namespace {

/// Packs a call of printf the way that the device does.
class Packer {
public:
  explicit Packer(std::string_view format) { string(format); }
  void add(const char *text) { string(text ? text : ""); }
  void add(double value) { item(1, 8, &value, 8); }
  void add(float value) { item(1, 4, &value, 4); }
  void add(void *value) { item(2, 8, &value, 8); }
  template <class Integer>
    requires std::is_integral_v<Integer>
  void add(Integer value) {
    auto promoted = +value;
    int64_t extended = static_cast<int64_t>(static_cast<std::make_signed_t<decltype(promoted)>>(promoted));
    item(0, sizeof promoted, &extended, 8);
  }
  std::vector<std::byte> bytes;

private:
  void string(std::string_view text) { item(3, text.size(), text.data(), text.size()); }
  void item(uint32_t kind, uint32_t size, const void *payload, size_t payloadBytes) {
    size_t at = bytes.size();
    bytes.resize(at + 8 + (payloadBytes + 7) / 8 * 8);
    std::memcpy(bytes.data() + at, &kind, 4);
    std::memcpy(bytes.data() + at + 4, &size, 4);
    std::memcpy(bytes.data() + at + 8, payload, payloadBytes);
  }
};

std::string format(std::span<const std::byte> bytes) {
  std::unique_ptr<std::byte[]> copy(new std::byte[bytes.size()]); // exact size, for the address sanitizer
  std::copy(bytes.begin(), bytes.end(), copy.get());
  std::string out;
  formatPrintfRecord({copy.get(), bytes.size()}, out);
  return out;
}
template <class... Args> std::string device(const char *text, Args... args) {
  Packer packer(text);
  (packer.add(args), ...);
  return format(packer.bytes);
}
template <class... Args> std::string host(const char *text, Args... args) {
  char buffer[70000];
  std::snprintf(buffer, sizeof buffer, text, args...);
  return buffer;
}
#define SAME(...) EXPECT_EQ(device(__VA_ARGS__), host(__VA_ARGS__))

TEST(PrintfFormat, plainText) {
  EXPECT_EQ(device(""), "");
  EXPECT_EQ(device("hello\n"), "hello\n");
  EXPECT_EQ(device("100%%\n"), "100%\n");
}

TEST(PrintfFormat, integersWithEveryFlagWidthAndLength) {
  const char *flags[] = {"", "-", "+", " ", "#", "0", "-+", "#0", "+0", "- #"};
  const char *fields[] = {"", "1", "12", ".0", ".5", "10.4", "."};
  for (const char *flag : flags)
    for (const char *field : fields)
      for (char type : {'d', 'i', 'u', 'o', 'x', 'X'}) {
        std::string head = std::string("<%") + flag + field;
        for (int value : {0, 1, -1, 255, -32769, INT_MAX, INT_MIN}) {
          SAME((head + type + ">").c_str(), value);
          SAME((head + "h" + type + ">").c_str(), value);
          SAME((head + "hh" + type + ">").c_str(), value);
        }
        for (long long value : {0ll, -1ll, LLONG_MAX, LLONG_MIN, 1234567890123ll})
          for (const char *length : {"l", "ll", "j", "z", "t", "q"})
            SAME((head + length + type + ">").c_str(), value);
      }
}

TEST(PrintfFormat, unsignedAndNarrowArguments) {
  SAME("%u %lu %llx", 4000000000u, 18446744073709551615ul, 0xfedcba9876543210ull);
  SAME("%hhu %hu %d", static_cast<unsigned char>(200), static_cast<unsigned short>(60000), true);
  SAME("%hhd %hd", static_cast<signed char>(-100), static_cast<short>(-30000));
  SAME("%zu %td %jd", sizeof(int), static_cast<ptrdiff_t>(-5), static_cast<intmax_t>(-6));
}

TEST(PrintfFormat, floatingPoint) {
  for (const char *flag : {"", "-", "+", " ", "#", "0", "-+", "+0"})
    for (const char *field : {"", "1", "15", ".0", ".3", "20.10", ".17"})
      for (char type : {'f', 'F', 'e', 'E', 'g', 'G', 'a', 'A'})
        for (double value : {0.0, -0.0, 1.0, -1.5, 3.14159265358979, 1e300, -1e-300, DBL_MIN / 2, DBL_MAX, HUGE_VAL,
                             -HUGE_VAL, double(NAN), 1e15, 0.1})
          SAME((std::string("<%") + flag + field + type + ">").c_str(), value);
  EXPECT_EQ(device("%Lf %lf", 1.5, 2.5), "1.500000 2.500000");
}

TEST(PrintfFormat, floatsThatTheDeviceDoesNotPromote) {
  for (const float value : {0.0f, -1.5f, 0.1f, FLT_MAX, FLT_TRUE_MIN, INFINITY, -NAN})
    EXPECT_EQ(device("%d %.9g %a|", 1, value, value), host("%d %.9g %a|", 1, value, value));
}

TEST(PrintfFormat, charactersStringsPointers) {
  SAME("<%c%5c%-5c>", 'a', 'b', 'c');
  EXPECT_EQ(device("%c", 0), std::string(1, '\0'));
  SAME("<%s><%10s><%-10s><%.2s><%10.3s><%.0s>", "one", "two", "three", "four", "five", "six");
  SAME("%s", "");
  EXPECT_EQ(device("%s|%5.2s", static_cast<const char *>(nullptr), "xyz"), "|   xy");
  SAME("%p %p %20p", reinterpret_cast<void *>(0x1234abcd), static_cast<void *>(nullptr), reinterpret_cast<void *>(8));
}

TEST(PrintfFormat, stars) {
  SAME("<%*d>", 8, 42);
  SAME("<%-*d>", 8, 42);
  SAME("<%*d>", -8, 42);
  SAME("<%.*f>", 2, 3.14159);
  SAME("<%*.*f>", 12, 4, 3.14159);
  SAME("<%.*f>", -3, 3.14159);
  SAME("<%*.*s>", 6, 2, "abcdef");
  SAME("<%.*d>", 0, 0);
}

TEST(PrintfFormat, longOutput) {
  std::string text(20000, 'x');
  SAME("%s|%d\n", text.c_str(), 7);
  SAME("%500d", 1);
  SAME("%.300f", 1.0 / 3);
  SAME("%60000d", 1);
}

TEST(PrintfFormat, conversionsThatAreNoneStayAsTheyStand) {
  EXPECT_EQ(device("%"), "%");
  EXPECT_EQ(device("50%"), "50%");
  EXPECT_EQ(device("%5"), "%5");
  EXPECT_EQ(device("%-08.3l"), "%-08.3l");
  EXPECT_EQ(device("%y %d", 3), "%y 3");
  EXPECT_EQ(device("%1$d", 3), "%1$d");
  EXPECT_EQ(device("%d"), "%d");
  EXPECT_EQ(device("%d %d", 1), "1 %d");
  EXPECT_EQ(device("%*d"), "%*d");
  EXPECT_EQ(device("%*d", 5), "%*d");
  EXPECT_EQ(device("%f", 1), "%f");
  EXPECT_EQ(device("%d %d", 1.5, 2), "%d 2");
  EXPECT_EQ(device("%s %d", 5, 6), "%s 6");
  EXPECT_EQ(device("%d", "text"), "%d");
  EXPECT_EQ(device("%*d", 1.0, 2), "%*d");
  EXPECT_EQ(device("%ls", "wide"), "%ls");
  EXPECT_EQ(device("a%nb%d", static_cast<void *>(nullptr), 4), "ab4");
  EXPECT_EQ(device("a", 1, 2, 3), "a");
}

TEST(PrintfFormat, absurdWidthsAreLimited) {
  EXPECT_EQ(device("%999999999d", 1).size(), 65536u);
  EXPECT_EQ(device("%99999999999999999999d", 1).size(), 65536u);
  EXPECT_EQ(device("%*d", INT_MAX, 1).size(), 65536u);
  EXPECT_EQ(device("%*d", INT_MIN, 1).size(), 65536u);
  EXPECT_EQ(device("%.*d", INT_MAX, 1).size(), 65536u);
  EXPECT_EQ(device("%*s", INT_MAX, "x").size(), 65536u);
}

TEST(PrintfFormat, formatsMayContainZero) {
  EXPECT_EQ(format(Packer(std::string_view("a\0b%\0", 5)).bytes), std::string("a\0b%\0", 5));
}

TEST(PrintfFormat, everyTruncationIsText) {
  Packer packer("%d %s %f %p end");
  packer.add(1);
  packer.add("two");
  packer.add(3.0);
  packer.add(static_cast<void *>(nullptr));
  for (size_t size = 0; size < packer.bytes.size(); ++size)
    format(std::span(packer.bytes).first(size));
  EXPECT_EQ(format(std::span(packer.bytes).first(32)), "%d %s %f %p end");
}

TEST(PrintfFormat, randomRecordsNeverCrash) {
  std::mt19937 random(11);
  const std::string letters = "%%%%-+ #0'123.*hlLzjtqdiuoxXcspfFeEgGaAn$";
  for (int round = 0; round < 20000; ++round) {
    std::string text(random() % 30, ' ');
    for (char &c : text)
      c = letters[random() % letters.size()];
    Packer packer(text);
    for (unsigned count = random() % 5; count; --count)
      switch (random() % 4) {
      case 0: packer.add(static_cast<int>(random() % 100)); break;
      case 1: packer.add(static_cast<double>(random())); break;
      case 2: packer.add("str"); break;
      default: packer.add(reinterpret_cast<void *>(uintptr_t(random()))); break;
      }
    format(packer.bytes);
    for (unsigned changes = random() % 4; changes; --changes)
      packer.bytes[random() % packer.bytes.size()] = static_cast<std::byte>(random());
    format(packer.bytes);
  }
}

std::vector<std::byte> records(const std::vector<std::pair<uint32_t, uint32_t>> &headers) {
  std::vector<std::byte> bytes;
  for (auto [size, state] : headers) {
    size_t at = bytes.size();
    bytes.resize(at + std::max(size, 8u));
    std::memcpy(bytes.data() + at, &size, 4);
    std::memcpy(bytes.data() + at + 4, &state, 4);
  }
  return bytes;
}

TEST(PrintfRing, finishedRecordsAreCounted) {
  bool damaged;
  EXPECT_EQ(finishedPrintfBytes({}, damaged), 0u);
  EXPECT_FALSE(damaged);
  EXPECT_EQ(finishedPrintfBytes(records({{24, 1}, {16, 2}, {32, 1}}), damaged), 72u);
  EXPECT_FALSE(damaged);
  EXPECT_EQ(finishedPrintfBytes(records({{24, 1}, {16, 0}, {32, 1}}), damaged), 24u);
  EXPECT_FALSE(damaged);
  EXPECT_EQ(finishedPrintfBytes(records({{0, 0}}), damaged), 0u);
  EXPECT_FALSE(damaged);
  for (uint32_t waiting : {4, 5}) { // a kernel waits for the result, or has not read it
    EXPECT_EQ(finishedPrintfBytes(records({{24, 1}, {16, waiting}, {32, 1}}), damaged), 24u);
    EXPECT_FALSE(damaged);
  }
}

TEST(PrintfRing, damageIsNoticed) {
  for (auto header :
       {std::pair<uint32_t, uint32_t>{0, 1}, {4, 1}, {12, 1}, {16, 3}, {8, 6}, {UINT32_MAX - 7, 1}, {64, 2}}) {
    std::vector<std::byte> bytes = records({{24, 1}});
    auto bad = records({{8, 0}});
    std::memcpy(bad.data(), &header.first, 4);
    std::memcpy(bad.data() + 4, &header.second, 4);
    bytes.insert(bytes.end(), bad.begin(), bad.end());
    bool damaged = false;
    EXPECT_EQ(finishedPrintfBytes(bytes, damaged), 24u);
    EXPECT_TRUE(damaged) << header.first << " " << header.second;
  }
}

/// Parts of messages as __ockl_printf_append_* of lib-device/amd writes them.
class Part {
public:
  Part(uint64_t message, uint64_t index, bool last, uint64_t count) {
    item(4, message << 16 | index);
    item(0, last);
    item(0, count);
  }
  Part &words(std::initializer_list<uint64_t> values) {
    for (uint64_t value : values)
      item(0, value);
    return *this;
  }
  Part &text(std::string_view characters) {
    head(3, static_cast<uint32_t>(characters.size()));
    const auto bytes = std::as_bytes(std::span(characters));
    body_.insert(body_.end(), bytes.begin(), bytes.end());
    body_.resize((body_.size() + 7) / 8 * 8);
    return *this;
  }
  std::span<const std::byte> body() const { return body_; }

private:
  void head(uint32_t kind, uint32_t bytes) {
    const uint32_t words[] = {kind, bytes};
    const auto raw = std::as_bytes(std::span(words));
    body_.insert(body_.end(), raw.begin(), raw.end());
  }
  void item(uint32_t kind, uint64_t value) {
    head(kind, 8);
    const auto raw = std::as_bytes(std::span(&value, 1));
    body_.insert(body_.end(), raw.begin(), raw.end());
  }
  std::vector<std::byte> body_;
};

constexpr auto kNone = PrintfMessages::Stream::none, kOutput = PrintfMessages::Stream::output,
               kError = PrintfMessages::Stream::error;
constexpr uint64_t kToError = uint64_t{1} << 47; // above the 16 bits of the index

TEST(PrintfMessages, PartsOfSeveralMessagesMeetInAnyOrder) {
  PrintfMessages messages;
  std::string out;
  const uint64_t half = std::bit_cast<uint64_t>(0.5);
  EXPECT_EQ(messages.format(Part(1, 0, false, 0).text("%s %d %.1f %*d\n").body(), out), kNone);
  EXPECT_EQ(messages.format(Part(kToError | 2, 0, false, 0).text("error %d\n").body(), out), kNone);
  EXPECT_EQ(messages.format(Part(1, 1, false, 0).text("text").body(), out), kNone);
  EXPECT_EQ(messages.format(Part(kToError | 2, 1, true, 1).words({7, 8, 9, 10, 11, 12, 13}).body(), out), kError);
  EXPECT_EQ(out, "error 7\n");
  out.clear();
  EXPECT_EQ(messages.format(Packer("whole\n").bytes, out), kOutput);
  EXPECT_EQ(out, "whole\n");
  out.clear();
  EXPECT_EQ(messages.format(Part(1, 2, true, 4).words({uint64_t(-3), half, 4, 5, 0, 0, 0}).body(), out), kOutput);
  EXPECT_EQ(out, "text -3 0.5    5\n");
}

TEST(PrintfMessages, MessagesThatLostAPartAreDropped) {
  PrintfMessages messages;
  std::string out;
  EXPECT_EQ(messages.format(Part(1, 0, false, 0).text("%d %d\n").body(), out), kNone);
  EXPECT_EQ(messages.format(Part(1, 2, true, 1).words({1, 0, 0, 0, 0, 0, 0}).body(), out), kNone); // 1 is missing
  EXPECT_EQ(messages.format(Part(2, 1, true, 1).words({1, 0, 0, 0, 0, 0, 0}).body(), out), kNone); // 0 is missing
  EXPECT_EQ(out, "");
  EXPECT_EQ(messages.format(Part(2, 0, true, 0).text("next\n").body(), out), kOutput);
  EXPECT_EQ(out, "next\n");
}

TEST(PrintfMessages, DamagedPartsNeverCrash) {
  PrintfMessages messages;
  std::string out;
  const Part part = Part(3, 0, true, 7).words({1, 2, 3});
  EXPECT_EQ(messages.format(part.body(), out), kOutput); // fewer words than it says
  for (size_t bytes = 0; bytes < part.body().size(); ++bytes)
    messages.format(part.body().first(bytes), out);
}

/// A message as AMD's compiler sends it: strings where a %s takes them, else a word for each argument.
class Message {
public:
  explicit Message(std::string_view format) { add(format); }
  Message &add(std::string_view text) {
    const size_t at = words.size();
    words.resize(at + text.size() / 8 + 1);
    std::memcpy(words.data() + at, text.data(), text.size());
    return *this;
  }
  Message &add(double value) {
    words.emplace_back();
    std::memcpy(&words.back(), &value, sizeof value);
    return *this;
  }
  Message &add(int64_t value) {
    words.push_back(static_cast<uint64_t>(value));
    return *this;
  }
  std::string print() const {
    std::string out;
    formatPrintfWords(words, out);
    return out;
  }
  std::vector<uint64_t> words;
};

TEST(PrintfFormat, messagesOfAmdsCompiler) {
  EXPECT_EQ(Message("plain 100%%\n").print(), "plain 100%\n");
  EXPECT_EQ(Message("12345678").print(), "12345678"); // the terminator has a word of its own
  EXPECT_EQ(Message("<%s|%-9s|%s|%.2s>").add("").add("12345678").add("nine char").add("cut").print(),
            "<|12345678 |nine char|cu>");
  EXPECT_EQ(Message("%d %5.2f %*d %lld %hhd %c")
                .add(int64_t{-7})
                .add(2.5)
                .add(int64_t{4})
                .add(int64_t{9})
                .add(INT64_MIN)
                .add(int64_t{300})
                .add(int64_t{'x'})
                .print(),
            host("%d %5.2f %*d %lld %hhd %c", -7, 2.5, 4, 9, static_cast<long long>(INT64_MIN),
                 static_cast<signed char>(44), 'x'));
  EXPECT_EQ(Message("%d and %s").add(int64_t{1}).print(), "1 and %s"); // cut off
  std::string out;
  formatPrintfWords({}, out);
  EXPECT_EQ(out, "");
  const uint64_t unterminated = 0x4141414141414141;
  formatPrintfWords({&unterminated, 1}, out);
  EXPECT_EQ(out, "AAAAAAAA");
}

} // namespace
} // namespace hiplz
