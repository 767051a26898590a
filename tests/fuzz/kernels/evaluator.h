// SPDX-License-Identifier: MIT
// The variables of a block's threads, and the values of expressions for one of them. A race in shared memory is an exception.
#pragma once
#include "values.h"

#include <algorithm>
#include <cmath>

namespace fuzz {

class Evaluator {
protected:
  using Mask = std::vector<char>;

  explicit Evaluator(const Kernel &kernel) : kernel_(kernel), count_(kernel.threads()) {}

  struct Thread {
    std::array<uint32_t, size_t(Id::count)> ids;
    std::vector<uint64_t> variables, temporaries;
    std::array<std::array<uint64_t, kArrayItems>, kArrays> arrays;
    std::array<uint64_t, kMembers> members;
    std::vector<uint32_t> counters;
  };
  /// A word of shared memory, and who has used it since which barrier.
  struct Word {
    uint32_t value = 0;
    unsigned writer = 0, reader = 0, written = 0, read = 0; ///< threads, and times: 0 is never
    bool severalReaders = false;
  };
  static uint64_t resultOf(uint64_t bits, Type type) {
    if (type == Type::f32 && unpack<float>(bits) != unpack<float>(bits))
      return 0x7fc00000u;
    if (type == Type::f64 && unpack<double>(bits) != unpack<double>(bits))
      return 0x7ff8000000000000ull;
    return bits;
  }

  uint64_t indexOf(const Expr &e, unsigned t, uint64_t bound) {
    const uint64_t index = evaluate(e, t);
    if (index >= bound)
      throw Undefined("an index out of bounds");
    return index;
  }

  uint64_t evaluate(const Expr &e, unsigned t) {
    if (++steps_ > 60'000'000)
      throw Undefined("it takes too long");
    Thread &thread = threads_[t];
    const auto arg = [&](unsigned i) { return evaluate(*e.args[i], t); };
    switch (e.op) {
    case Op::constant:
      return withType(e.type, [&](auto type) {
        using T = decltype(type);
        if constexpr (std::is_floating_point_v<T>) {
          const int whole = int(e.value % 2001) - 1000; // printed as "<whole>.25"
          return pack(T(whole < 0 ? whole - 0.25 : whole + 0.25));
        } else {
          return pack(T(e.value));
        }
      });
    case Op::variable: return thread.variables[e.value];
    case Op::temporary: return thread.temporaries[e.value];
    case Op::counter: return pack(thread.counters[e.value]);
    case Op::id: return pack(thread.ids[e.value]);
    case Op::parameter: return pack(kernel_.parameters[e.value]);
    case Op::load: return inputAt(unsigned(e.value), unsigned(indexOf(*e.args[0], t, kInputItems)));
    case Op::element: return thread.arrays[e.value][indexOf(*e.args[0], t, kArrayItems)];
    case Op::member: return thread.members[e.value];
    case Op::shared: {
      Word &word = shared_[e.value][indexOf(*e.args[0], t, count_)];
      if (word.written == time_ && word.writer != t)
        throw Undefined("a race");
      word.severalReaders = word.read == time_ && (word.severalReaders || word.reader != t);
      word.read = time_;
      word.reader = t;
      return pack(word.value);
    }
    case Op::bin: {
      Word &word = bins_[indexOf(*e.args[0], t, kBins)];
      if (word.written == time_)
        throw Undefined("a race");
      word.read = time_;
      return pack(word.value);
    }
    case Op::choose: return arg(0) ? arg(1) : arg(2);
    case Op::both: return pack(int(arg(0) && arg(1)));
    case Op::either: return pack(int(arg(0) || arg(1)));
    case Op::isFalse: return pack(int(!arg(0)));
    case Op::convert: return convertBits(arg(0), e.args[0]->type, e.type);
    case Op::squareRoot: return pack(int(std::sqrt(float(int(arg(0))))));
    case Op::countBits: return pack(std::popcount(uint32_t(arg(0))));
    case Op::recurse: return pack(recurse(uint32_t(arg(0)), uint32_t(arg(1))));
    case Op::callPointer: return pack(callPointer(uint32_t(arg(0)), uint32_t(arg(1))));
    case Op::less:
    case Op::lessEqual:
    case Op::equal:
    case Op::notEqual:
      return withType(e.args[0]->type, [&](auto type) {
        using T = decltype(type);
        const T a = unpack<T>(arg(0)), b = unpack<T>(arg(1));
        return pack(int(e.op == Op::less        ? a < b
                        : e.op == Op::lessEqual ? a <= b
                        : e.op == Op::equal     ? a == b
                                                : a != b));
      });
    default:
      return withType(e.type, [&](auto type) {
        using T = decltype(type);
        const T a = unpack<T>(arg(0)), b = unpack<T>(arg(1));
        return pack(binary(e.op, a, b));
      });
    }
  }

  const Kernel &kernel_;
  const unsigned count_;
  std::array<uint32_t, 3> group_{};
  Results results_;
  std::vector<Thread> threads_;
  std::array<std::vector<Word>, kShared> shared_;
  std::vector<uint32_t> tree_, exchanged_;
  std::vector<unsigned> depths_; ///< how often the function that a thread is in may call itself
  std::vector<Word> bins_;
  Mask ended_;
  unsigned time_ = 1; ///< goes on at each barrier
  uint64_t steps_ = 0;
};

} // namespace fuzz
