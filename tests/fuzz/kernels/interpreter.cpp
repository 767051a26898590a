// SPDX-License-Identifier: MIT
// Executes a tree: each statement for all threads of the block that are there, one statement after the other. Values are kept as
// 64 bits: integers extended as their type says, floating point in the low bits.
#include "program.h"

#include <bit>
#include <functional>

namespace fuzz {
namespace {

template <class T> uint64_t pack(T value) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<uint32_t>(value);
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<uint64_t>(value);
  else
    return uint64_t(int64_t(value));
}
template <class T> T unpack(uint64_t bits) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<float>(uint32_t(bits));
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<double>(bits);
  else
    return T(bits);
}

/// Calls `function` with a value of the C++ type that `type` stands for.
template <class Function> uint64_t withType(Type type, Function function) {
  switch (type) {
  case Type::i8: return function((signed char)0);
  case Type::u16: return function((unsigned short)0);
  case Type::i32: return function(0);
  case Type::u32: return function(0u);
  case Type::i64: return function(0ll);
  case Type::u64: return function(0ull);
  case Type::f32: return function(0.0f);
  case Type::f64: return function(0.0);
  }
  return 0;
}

int toInt(double x) { return x > -1000000.0 && x < 1000000.0 ? int(x) : 7; }

template <class To, class From> To convert(From value) {
  if constexpr (std::is_floating_point_v<From> && !std::is_floating_point_v<To>)
    return To(toInt(double(value)));
  else
    return To(value);
}
uint64_t convertBits(uint64_t bits, Type from, Type to) {
  return withType(from, [&](auto source) {
    const auto value = unpack<decltype(source)>(bits);
    return withType(to, [&](auto target) { return pack(convert<decltype(target)>(value)); });
  });
}

uint32_t recurse(uint32_t n, uint32_t x) { return n == 0 ? x : recurse(n - 1, x * 3 + n) ^ (x >> 5); }
uint32_t callPointer(uint32_t which, uint32_t x) {
  if (which == 0)
    return x * 5 + 1;
  if (which == 1)
    return x ^ 0x55aa;
  uint32_t y = 0;
  for (uint32_t i = 0; i < x % 5; ++i)
    y += x >> i;
  return y;
}

class Block {
public:
  using Mask = std::vector<char>;

  Block(const Kernel &kernel, const std::array<uint32_t, kInputs> &inputs, unsigned index,
        std::array<uint32_t, kSlots> &slots)
      : kernel_(kernel), inputs_(inputs), group_{index % kernel.grid[0], index / kernel.grid[0] % kernel.grid[1],
                                                 index / kernel.grid[0] / kernel.grid[1]},
        count_(kernel.threads()), slots_(slots), threads_(count_), shared_(count_) {
    for (unsigned t = 0; t < count_; ++t) {
      Thread &thread = threads_[t];
      thread.id = {t % kernel.block[0], t / kernel.block[0] % kernel.block[1], t / kernel.block[0] / kernel.block[1],
                   t};
      for (unsigned v = 0; v < kVariables; ++v)
        thread.variables[v] = convertBits(pack(t + v), Type::u32, kernel.variables[v]);
      for (unsigned a = 0; a < kArrays; ++a)
        for (unsigned i = 0; i < kArrayItems; ++i)
          thread.arrays[a][i] = convertBits(pack(t * 3 + i), Type::u32, kernel.arrays[a]);
    }
  }

  void run() {
    Mask mask(count_, 1);
    execute(kernel_.body, mask);
  }

  void appendResults(std::vector<uint64_t> &out) const {
    for (const Thread &thread : threads_)
      for (unsigned v = 0; v < kVariables; ++v)
        out.push_back(resultOf(thread.variables[v], kernel_.variables[v]));
  }

private:
  struct Thread {
    std::array<uint32_t, 4> id;
    std::array<uint64_t, kVariables> variables;
    std::array<std::array<uint64_t, kArrayItems>, kArrays> arrays;
    std::array<uint32_t, kCounters> counters{};
  };

  static uint64_t resultOf(uint64_t bits, Type type) {
    if (type == Type::f32 && unpack<float>(bits) != unpack<float>(bits))
      return 0x7fc00000u;
    if (type == Type::f64 && unpack<double>(bits) != unpack<double>(bits))
      return 0x7ff8000000000000ull;
    return bits;
  }

  uint32_t globalOf(const Thread &thread) const { return group_[0] * kernel_.block[0] + thread.id[0]; }

  uint64_t evaluate(const Expr &e, const Thread &thread) const {
    auto arg = [&](unsigned i) { return evaluate(*e.args[i], thread); };
    switch (e.op) {
    case Op::constant:
      return withType(e.type, [&](auto t) {
        using T = decltype(t);
        if constexpr (std::is_floating_point_v<T>) {
          const int whole = int(e.value % 2001) - 1000; // printed as "<whole>.25"
          return pack(T(whole < 0 ? whole - 0.25 : whole + 0.25));
        } else {
          return pack(T(e.value));
        }
      });
    case Op::variable: return thread.variables[e.value];
    case Op::counter: return pack(thread.counters[e.value]);
    case Op::thread: return pack(thread.id[e.value]);
    case Op::lane: return pack(thread.id[3] % 32);
    case Op::block: return pack(e.value < 3 ? group_[e.value] : globalOf(thread));
    case Op::along: return pack(alongAt(e.value == 0 ? globalOf(thread) : thread.id[1] * 20 + thread.id[0]));
    case Op::input: return pack(inputs_[uint32_t(arg(0)) % kInputs]);
    case Op::element: return thread.arrays[e.value][uint32_t(arg(0)) % kArrayItems];
    case Op::choose: return arg(0) ? arg(1) : arg(2);
    case Op::convert: return convertBits(arg(0), e.args[0]->type, e.type);
    case Op::recurse: return pack(recurse(uint32_t(arg(0)) % 9, uint32_t(arg(1))));
    case Op::callPointer: return pack(callPointer(uint32_t(arg(0)) % kPointers, uint32_t(arg(1))));
    case Op::less:
    case Op::equal:
      return withType(e.args[0]->type, [&](auto t) {
        using T = decltype(t);
        const T a = unpack<T>(arg(0)), b = unpack<T>(arg(1));
        return pack(int(e.op == Op::less ? a < b : a == b));
      });
    default:
      return withType(e.type, [&](auto t) {
        using T = decltype(t);
        return pack(binary(e.op, unpack<T>(arg(0)), unpack<T>(arg(1))));
      });
    }
  }

  template <class T> static T binary(Op op, T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      return op == Op::add ? a + b : op == Op::subtract ? a - b : a * b;
    } else {
      using U = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
      const unsigned shift = unsigned(b) & (sizeof(T) * 8 - 1);
      switch (op) {
      case Op::add: return T(U(a) + U(b));
      case Op::subtract: return T(U(a) - U(b));
      case Op::multiply: return T(U(a) * U(b));
      case Op::divide: return T(a / T((b & 7) + 1));
      case Op::remainder: return T(a % T((b & 7) + 1));
      case Op::bitAnd: return T(U(a) & U(b));
      case Op::bitOr: return T(U(a) | U(b));
      case Op::bitXor: return T(U(a) ^ U(b));
      case Op::shiftLeft: return T(U(a) << shift);
      case Op::shiftRight: return T(a >> shift);
      case Op::minimum: return b < a ? b : a;
      default: return a < b ? b : a;
      }
    }
  }

  void each(const Mask &mask, const std::function<void(unsigned)> &action) {
    for (unsigned t = 0; t < count_; ++t)
      if (mask[t])
        action(t);
  }
  static bool any(const Mask &mask) {
    for (char one : mask)
      if (one)
        return true;
    return false;
  }
  Mask where(const Mask &mask, const Expr &condition, bool wanted = true) {
    Mask result = mask;
    each(mask, [&](unsigned t) { result[t] = (evaluate(condition, threads_[t]) != 0) == wanted; });
    return result;
  }
  void remove(Mask &mask, const Mask &gone) {
    for (unsigned t = 0; t < count_; ++t)
      mask[t] = mask[t] && !gone[t];
  }

  /// Threads leave `mask` when they end, leave the loop (into *left) or go to its next round (into *continued).
  void execute(const std::vector<Stmt> &statements, Mask &mask, Mask *left = nullptr, Mask *continued = nullptr) {
    for (const Stmt &stmt : statements) {
      if (!any(mask))
        return;
      execute(stmt, mask, left, continued);
    }
  }

  void execute(const Stmt &stmt, Mask &mask, Mask *left, Mask *continued) {
    switch (stmt.kind) {
    case Kind::assign:
      each(mask, [&](unsigned t) { threads_[t].variables[stmt.target] = evaluate(*stmt.exprs[0], threads_[t]); });
      break;
    case Kind::storeElement:
      each(mask, [&](unsigned t) {
        threads_[t].arrays[stmt.target][uint32_t(evaluate(*stmt.exprs[0], threads_[t])) % kArrayItems] =
            evaluate(*stmt.exprs[1], threads_[t]);
      });
      break;
    case Kind::branch: {
      Mask taken = where(mask, *stmt.exprs[0]), other = where(mask, *stmt.exprs[0], false);
      execute(stmt.bodies[0], taken, left, continued);
      execute(stmt.bodies[1], other, left, continued);
      for (unsigned t = 0; t < count_; ++t)
        mask[t] = taken[t] || other[t];
      break;
    }
    case Kind::choice: {
      const size_t cases = stmt.bodies.size();
      std::vector<Mask> taken(cases, Mask(count_));
      each(mask, [&](unsigned t) {
        const uint32_t selector = uint32_t(evaluate(*stmt.exprs[0], threads_[t])) % uint32_t(cases + 1);
        taken[selector < cases - 1 ? selector : cases - 1][t] = 1;
      });
      mask.assign(count_, 0);
      for (size_t i = 0; i < cases; ++i) {
        execute(stmt.bodies[i], taken[i], left, continued);
        for (unsigned t = 0; t < count_; ++t)
          mask[t] = mask[t] || taken[i][t];
      }
      break;
    }
    case Kind::loop: loop(stmt, mask); break;
    case Kind::leaveLoop:
    case Kind::nextRound: {
      const Mask gone = where(mask, *stmt.exprs[0]);
      Mask &to = stmt.kind == Kind::leaveLoop ? *left : *continued;
      for (unsigned t = 0; t < count_; ++t)
        to[t] = to[t] || gone[t];
      remove(mask, gone);
      break;
    }
    case Kind::leave: remove(mask, where(mask, *stmt.exprs[0])); break;
    case Kind::exchange:
      each(mask, [&](unsigned t) { shared_[t] = wordOf(stmt, t); });
      each(mask, [&](unsigned t) { set(t, stmt.target, pack(shared_[(t + stmt.variant) % count_]), Type::u32); });
      break;
    case Kind::shrink:
      each(mask, [&](unsigned t) { shared_[t] = wordOf(stmt, t); });
      for (unsigned width = stmt.variant; width > 0; width /= 2)
        each(mask, [&](unsigned t) {
          if (threads_[t].id[0] < width && threads_[t].id[0] + width < kernel_.block[0])
            shared_[t] = shared_[t] * 3 + shared_[t + width];
        });
      each(mask, [&](unsigned t) { set(t, stmt.target, pack(shared_[t]), Type::u32); });
      break;
    case Kind::stride:
      each(mask, [&](unsigned t) {
        const unsigned kinds[] = {kStrides[0], kStrides[1],      kStrides[2],      kStrides[3],
                                  kStrides[4], kernel_.block[0], kernel_.block[0], kernel_.block[0] * kernel_.grid[0]};
        uint32_t sum = wordOf(stmt, t);
        const unsigned base = stmt.variant & 8 ? group_[0] * kernel_.block[0] : stmt.variant & 16 ? 5 : 0;
        for (unsigned i = base + threads_[t].id[0]; i < (stmt.variant & 32 ? kInputs : kInputs - 5);
             i += kinds[stmt.variant % 8])
          sum = sum * 5 + inputs_[i];
        set(t, stmt.target, pack(sum), Type::u32);
      });
      break;
    case Kind::shuffle: shuffle(stmt, mask); break;
    case Kind::vote: vote(stmt, mask); break;
    case Kind::atomic:
      each(mask, [&](unsigned t) {
        const uint32_t value = uint32_t(evaluate(*stmt.exprs[0], threads_[t]));
        uint32_t &slot = slots_[stmt.target];
        switch (stmt.variant) {
        case 0: slot += value; break;
        case 1: slot = slot < value ? value : slot; break;
        case 2: slot ^= value; break;
        case 3: slot |= value; break;
        default: slot = slot > value ? value : slot; break;
        }
      });
      break;
    }
  }

  uint32_t wordOf(const Stmt &stmt, unsigned t) {
    return uint32_t(convertBits(evaluate(*stmt.exprs[0], threads_[t]), stmt.exprs[0]->type, Type::u32));
  }

  void set(unsigned t, unsigned variable, uint64_t bits, Type type) {
    threads_[t].variables[variable] = convertBits(bits, type, kernel_.variables[variable]);
  }

  void loop(const Stmt &stmt, Mask &mask) {
    std::vector<uint32_t> end(count_);
    each(mask, [&](unsigned t) {
      end[t] = uint32_t(evaluate(*stmt.exprs[0], threads_[t])) % 7;
      threads_[t].counters[stmt.target] = 0;
    });
    Mask inside = mask, over(count_), begun = mask;
    for (;;) {
      each(inside, [&](unsigned t) {
        if (threads_[t].counters[stmt.target] >= end[t]) {
          inside[t] = 0;
          over[t] = 1;
        }
      });
      if (!any(inside))
        break;
      Mask left(count_), continued(count_);
      execute(stmt.bodies[0], inside, &left, &continued);
      for (unsigned t = 0; t < count_; ++t) {
        over[t] = over[t] || left[t];
        inside[t] = inside[t] || continued[t];
      }
      each(inside, [&](unsigned t) { ++threads_[t].counters[stmt.target]; });
    }
    mask = over;
  }

  void shuffle(const Stmt &stmt, const Mask &mask) {
    std::vector<uint64_t> values(count_), found(count_);
    each(mask, [&](unsigned t) { values[t] = evaluate(*stmt.exprs[0], threads_[t]); });
    each(mask, [&](unsigned t) {
      const unsigned lane = t % 32, argument = uint32_t(evaluate(*stmt.exprs[1], threads_[t])) % 32;
      unsigned from = lane;
      switch (stmt.variant) {
      case 0: from = lane ^ argument; break;
      case 1: from = lane >= argument ? lane - argument : lane; break;
      case 2: from = lane + argument < 32 ? lane + argument : lane; break;
      case 3: from = argument; break;
      default:
        from = (lane + argument) % 32;
        break; // the sum is taken before the remainder there; both are modulo 2^32
      }
      const unsigned source = t - lane + from;
      found[t] = source < count_ && mask[source] ? values[source] : values[t];
    });
    each(mask, [&](unsigned t) { set(t, stmt.target, found[t], stmt.exprs[0]->type); });
  }

  void vote(const Stmt &stmt, const Mask &mask) {
    std::vector<uint32_t> present(count_ / 32 + 1), set_(count_ / 32 + 1);
    each(mask, [&](unsigned t) {
      present[t / 32] |= 1u << (t % 32);
      set_[t / 32] |= uint32_t(evaluate(*stmt.exprs[0], threads_[t]) != 0) << (t % 32);
    });
    each(mask, [&](unsigned t) {
      const uint32_t bits = set_[t / 32];
      if (stmt.variant < 2)
        set(t, stmt.target, pack(int(stmt.variant == 0 ? bits != 0 : bits == present[t / 32])), Type::i32);
      else
        set(t, stmt.target, pack(stmt.variant == 2 ? bits : uint32_t(std::popcount(bits))), Type::u32);
    });
  }

  const Kernel &kernel_;
  const std::array<uint32_t, kInputs> &inputs_;
  std::array<uint32_t, 3> group_;
  unsigned count_;
  std::array<uint32_t, kSlots> &slots_;
  std::vector<Thread> threads_;
  std::vector<uint32_t> shared_;
};

} // namespace

std::vector<uint64_t> interpret(const Kernel &kernel, const std::array<uint32_t, kInputs> &inputs) {
  std::vector<uint64_t> result;
  std::array<uint32_t, kSlots> slots{};
  for (unsigned index = 0; index < kernel.blocks(); ++index) {
    Block block(kernel, inputs, index, slots);
    block.run();
    block.appendResults(result);
  }
  result.insert(result.end(), slots.begin(), slots.end());
  return result;
}

} // namespace fuzz
