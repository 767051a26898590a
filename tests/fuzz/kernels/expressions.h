// SPDX-License-Identifier: MIT
// Random expressions that look like programs: guards stand in place of masks, limits are computed.
#pragma once
#include "random.h"
#include "shapes.h"
#include "values.h"

#include <algorithm>
#include <utility>

namespace fuzz {

/// Makes expressions for one kernel. What is in scope is up to generator.cpp.
class Expressions : protected Random {
protected:
  explicit Expressions(uint64_t seed) : Random(seed, 0x1234567) {}

  /// The freedom that the control flow around a statement leaves.
  struct Place {
    unsigned depth = 0;
    bool uniform = false; ///< all threads of the block come here together, but for those that have ended
    bool warpOps = false;
    bool exchanges = false; ///< of lanes that go together: not in two arms, whose order is anybody's
    bool mayContinue = false;
    bool mayBreak = false;
    bool uniformLoop = false; ///< the nearest loop is left by all threads together
    unsigned phaseOfLoop = 0; ///< in which it is gone round
    bool inFunction = false;
    unsigned depthOfFunction = 0; ///< Function::depth
    Type result = Type::i32;      ///< of the function
  };

  /// An operation that is defined where a guard has been passed: `expr` is no zero (and not -1 where that could overflow), or
  /// from 0 to `bound` - 1, or a number of floating point that an int can hold.
  struct Fact {
    enum { divisor, index, floating } kind;
    ExprPtr expr;
    unsigned bound = 0;
  };
  struct Guard {
    ExprPtr condition;
    Fact fact;
  };
  /// A temporary with a known range.
  struct Known {
    unsigned number;
    int64_t low, high;
    bool uniform;
  };
  /// An int whose range is known, for arithmetic that must not overflow.
  struct Small {
    ExprPtr expr;
    int64_t low, high;
  };

  Type anyType() { return chance(35) ? Type::i32 : Type(below(10)); }
  Type integer() { return chance(40) ? Type::i32 : Type(below(8)); }
  Type wholeWord() { return chance(50) ? Type::i32 : Type::u32; }

  unsigned newVariable(Type type) {
    kernel_.variables.push_back(type);
    return unsigned(kernel_.variables.size()) - 1;
  }

  void shape() {
    const bool tiny = kernel_.alone && chance(60);
    const unsigned *shape = tiny ? oneOf(kTiny) : oneOf(kShapes);
    kernel_.block = {shape[0], shape[1], shape[2]};
    kernel_.grid = {1 + below(tiny ? 90 : 4), 1, 1};
    if (chance(25))
      kernel_.grid = {1 + below(tiny ? 20 : 2), 1 + below(3), 1 + below(2)};
    if (kernel_.threads() * kernel_.blocks() > kMostThreads)
      kernel_.grid = {1 + below(2), 1, 1};
  }

  ExprPtr leaf(Op op, Type type, uint64_t value) { return std::make_shared<Expr>(Expr{op, type, value, {}}); }
  template <class... Args> ExprPtr node(Op op, Type type, Args... args) {
    return std::make_shared<Expr>(Expr{op, type, 0, {std::move(args)...}});
  }
  ExprPtr indexed(Op op, Type type, unsigned array, ExprPtr index) {
    return std::make_shared<Expr>(Expr{op, type, array, {std::move(index)}});
  }
  ExprPtr number(Type type, uint64_t value) { return leaf(Op::constant, type, value); }
  ExprPtr intNumber(int value) { return number(Type::i32, uint64_t(int64_t(value))); }
  ExprPtr id(Id which) { return leaf(Op::id, Type::u32, uint64_t(which)); }
  ExprPtr variable(unsigned number) { return leaf(Op::variable, kernel_.variables[number], number); }
  ExprPtr isFalse(ExprPtr condition) { return node(Op::isFalse, Type::i32, std::move(condition)); }

  /// A conversion that is defined for every value.
  ExprPtr convertTo(Type type, ExprPtr value) {
    if (value->type == type)
      return value;
    if (isFloat(value->type) && !isFloat(type)) {
      ExprPtr whole = node(Op::choose, Type::i32, inRange(value), node(Op::convert, Type::i32, value), intNumber(7));
      return convertTo(type, whole);
    }
    return node(Op::convert, type, std::move(value));
  }
  /// That an int can hold a number.
  ExprPtr inRange(const ExprPtr &value) {
    const uint64_t bound = chance(50) ? 999 : 77; // printed with .25
    ExprPtr low = leaf(Op::constant, value->type, 1000 - bound), high = leaf(Op::constant, value->type, 1000 + bound);
    return node(Op::both, Type::i32, node(Op::less, Type::i32, low, value), node(Op::less, Type::i32, value, high));
  }
  ExprPtr masked(Type, ExprPtr index, unsigned items) { // items is a power of two
    index = convertTo(Type::u32, std::move(index));
    return chance(50) ? node(Op::bitAnd, Type::u32, std::move(index), number(Type::u32, items - 1))
                      : node(Op::remainder, Type::u32, std::move(index), number(Type::u32, items));
  }
  Id anyId() {
    static constexpr Id kUsual[] = {Id::x, Id::linear, Id::lane, Id::globalX, Id::global};
    return chance(70) ? oneOf(kUsual) : Id(below(unsigned(Id::count)));
  }

  ExprPtr loaded(ExprPtr index) {
    const unsigned buffer = below(kInputs);
    return indexed(Op::load, kInputTypes[buffer], buffer, std::move(index));
  }

  ExprPtr simple(Type type) {
    switch (below(10)) {
    case 0:
    case 1:
    case 2:
      if (!fixed_)
        return convertTo(type, variable(oneOf(inScope_)));
      [[fallthrough]];
    case 3: return convertTo(type, id(anyId()));
    case 4:
      if (!counters_.empty() && chance(60))
        return convertTo(type, leaf(Op::counter, Type::u32, oneOf(counters_)));
      if (!temporaries_.empty()) {
        const unsigned temporary = oneOf(temporaries_);
        return convertTo(type, leaf(Op::temporary, kernel_.temporaries[temporary], temporary));
      }
      [[fallthrough]];
    case 5:
      if (!fixed_ && !inFunction_) {
        const unsigned kind = below(4);
        if (kind == 0) {
          const unsigned member = below(kMembers);
          return convertTo(type, leaf(Op::member, kMemberTypes[member], member));
        }
        if (kind == 1 && !kernel_.alone)
          return convertTo(type, sharedWord());
        const unsigned array = below(kArrays);
        return convertTo(
            type, indexed(Op::element, kernel_.arrays[array], array,
                          chance(50) ? number(Type::u32, below(kArrayItems)) : masked(type, id(anyId()), kArrayItems)));
      }
      [[fallthrough]];
    case 6: return convertTo(type, leaf(Op::parameter, Type::i32, below(kParameters)));
    case 7: return convertTo(type, loaded(masked(type, id(anyId()), kInputItems)));
    default: return leaf(Op::constant, type, chance(70) ? below(20) : next());
    }
  }

  /// A word that may be read in this phase.
  ExprPtr sharedWord() {
    if (chance(40)) // the thread's own
      return indexed(Op::shared, Type::u32, below(kShared), id(Id::linear));
    if (phase_ == 1 && chance(25))
      return indexed(Op::bin, Type::u32, 0, masked(Type::u32, id(anyId()), kBins));
    const unsigned threads = kernel_.threads();
    ExprPtr place = node(Op::add, Type::u32, id(Id::linear), number(Type::u32, below(70)));
    if (chance(30))
      place = node(Op::subtract, Type::u32, number(Type::u32, threads - 1), id(Id::linear));
    else if (chance(20))
      place = number(Type::u32, below(threads));
    return indexed(Op::shared, Type::u32, phase_, node(Op::remainder, Type::u32, place, number(Type::u32, threads)));
  }

  /// An int with a known range; `uniform`: the same for all threads of a block.
  Small smallLeaf(bool uniform) {
    if (!temporaries_.empty() && chance(30)) {
      const unsigned temporary = oneOf(temporaries_);
      for (const auto &known : knownTemporaries_)
        if (known.number == temporary && (known.uniform || !uniform))
          return {leaf(Op::temporary, Type::i32, temporary), known.low, known.high};
    }
    const auto ofId = [&](Id which, unsigned limit) {
      return Small{node(Op::convert, Type::i32, id(which)), 0, int64_t(limit) - 1};
    };
    if (!uniform)
      switch (below(8)) {
      case 0: return ofId(Id::x, kernel_.block[0]);
      case 1: return ofId(Id::linear, kernel_.threads());
      case 2: return ofId(Id::lane, 32);
      case 3: return ofId(Id::global, kernel_.threads() * kernel_.blocks());
      case 4: return ofId(Id::globalX, kernel_.block[0] * kernel_.grid[0]);
      case 5:
        if (!counters_.empty())
          return {node(Op::convert, Type::i32, leaf(Op::counter, Type::u32, oneOf(counters_))), 0, 8};
        [[fallthrough]];
      case 6: return {node(Op::convert, Type::i32, masked(Type::i32, simple(Type::u32), 16)), 0, 15};
      default: break;
      }
    switch (below(8)) {
    case 0:
      if (!uniformCounters_.empty() && chance(60))
        return {node(Op::convert, Type::i32, leaf(Op::counter, Type::u32, oneOf(uniformCounters_))), 0, 8};
      return ofId(Id::blockX, kernel_.grid[0]);
    case 4: { // from memory
      const unsigned index = below(kInputItems);
      const auto value = int64_t(inputAt(0, index));
      return {node(Op::convert, Type::i32, indexed(Op::load, kInputTypes[0], 0, number(Type::u32, index))), value,
              value};
    }
    case 1: return {node(Op::convert, Type::i32, id(Id::sizeX)), kernel_.block[0], kernel_.block[0]};
    case 2: return {node(Op::convert, Type::i32, id(Id::gridX)), kernel_.grid[0], kernel_.grid[0]};
    case 3: {
      static constexpr int kUsual[] = {1, 2, 3, 4, 7, 8, 16, 31, 32, 64, 100, 256};
      const int value = oneOf(kUsual);
      return {intNumber(value), value, value};
    }
    default: {
      const unsigned which = below(kParameters);
      return {leaf(Op::parameter, Type::i32, which), kernel_.parameters[which], kernel_.parameters[which]};
    }
    }
  }

  Small small(unsigned depth, bool uniform) {
    if (depth == 0)
      return smallLeaf(uniform);
    const Small a = small(depth - 1, uniform), b = smallLeaf(uniform);
    const auto made = [&](Op op, int64_t low, int64_t high) {
      return low < -(1 << 28) || high > 1 << 28 ? a : Small{node(op, Type::i32, a.expr, b.expr), low, high};
    };
    switch (below(10)) {
    case 0: return made(Op::plainAdd, a.low + b.low, a.high + b.high);
    case 1:
    case 2: return made(Op::plainSubtract, a.low - b.high, a.high - b.low);
    case 3: {
      const auto [low, high] = std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
      return made(Op::plainMultiply, low, high);
    }
    case 4:
    case 5:
      if (b.low > 0)
        return made(Op::divide, std::min<int64_t>(a.low, 0), std::max<int64_t>(a.high, 0));
      return a;
    case 6:
      if (b.low > 0)
        return made(Op::remainder, a.low < 0 ? 1 - b.high : 0, a.high > 0 ? b.high - 1 : 0);
      return a;
    case 7: return made(Op::minimum, std::min(a.low, b.low), std::min(a.high, b.high));
    case 8: {
      const int shift = int(below(5));
      return {node(Op::shiftRight, Type::i32, a.expr, intNumber(shift)), a.low >> shift, a.high >> shift};
    }
    default:
      if (a.low >= 0)
        return {node(Op::squareRoot, Type::i32, a.expr), 0, a.high};
      return made(Op::maximum, std::max(a.low, b.low), std::max(a.high, b.high));
    }
  }

  ExprPtr compared(ExprPtr low, ExprPtr high) { // low < high
    switch (below(4)) {
    case 0: return isFalse(node(Op::lessEqual, Type::i32, std::move(high), std::move(low)));
    case 1:
      if (!isFloat(low->type))
        return isFalse(node(Op::lessEqual, Type::i32, std::move(high), std::move(low)));
      [[fallthrough]];
    default: return node(Op::less, Type::i32, std::move(low), std::move(high));
    }
  }

  /// A limit as programs compute it, about as large as a block.
  Small sizeLimit() {
    const auto parameter = [&](unsigned which) { return leaf(Op::parameter, Type::i32, which); };
    const auto number = [&](Id which) { return node(Op::convert, Type::i32, id(which)); };
    const auto of = [&](Op op, ExprPtr a, ExprPtr b) { return node(op, Type::i32, std::move(a), std::move(b)); };
    switch (below(6)) {
    case 0: return {of(Op::divide, parameter(3), parameter(2)), 0, 9999};
    case 1:
      return {of(Op::plainSubtract, parameter(0), of(Op::plainMultiply, number(Id::blockX), number(Id::sizeX))), -9999,
              9999};
    case 2: return {of(Op::divide, parameter(0), number(Id::gridX)), 0, 9999};
    case 3: return {of(Op::minimum, parameter(5), number(Id::sizeX)), 0, 9999};
    case 4: return {node(Op::squareRoot, Type::i32, of(Op::plainMultiply, parameter(1), parameter(1))), 0, 9999};
    default: return {of(Op::plainSubtract, parameter(5), parameter(4)), -9999, 9999};
    }
  }

  /// Some number of the thread is below one that is computed.
  ExprPtr belowLimit() {
    static constexpr Id kUsual[] = {Id::x, Id::x, Id::linear, Id::globalX, Id::global, Id::lane};
    return belowLimit(oneOf(kUsual));
  }
  ExprPtr belowLimit(Id number) {
    const Small limit = chance(50) ? sizeLimit() : small(chance(75) ? 1 + below(2) : 0, true);
    ExprPtr which = id(number);
    if (limit.low >= 0 && chance(40))
      return compared(which, node(Op::convert, Type::u32, limit.expr));
    return compared(node(Op::convert, Type::i32, which), limit.expr);
  }

  /// A function of the lane that is known when the kernel is compiled.
  ExprPtr ofLane() {
    ExprPtr lane = id(chance(60) ? Id::lane : Id::x);
    switch (below(5)) {
    case 0: return node(Op::less, Type::i32, lane, number(Type::u32, 1 + below(31)));
    case 1: return node(Op::bitAnd, Type::u32, lane, number(Type::u32, 1 + below(31)));
    case 2: return node(Op::equal, Type::i32, lane, number(Type::u32, below(32)));
    case 3:
      return node(Op::bitAnd, Type::u32,
                  node(Op::shiftRight, Type::u32, number(Type::u32, next()), masked(Type::u32, lane, 32)),
                  number(Type::u32, 1));
    default:
      return node(Op::equal, Type::i32, node(Op::remainder, Type::u32, lane, number(Type::u32, 2 + below(6))),
                  number(Type::u32, below(2)));
    }
  }

  ExprPtr condition(unsigned depth) {
    const unsigned kind = below(100);
    if (kind < 22)
      return ofLane();
    if (kind < 40)
      return belowLimit();
    if (kind < 52 && depth > 0)
      return node(chance(60) ? Op::both : Op::either, Type::i32, condition(depth - 1), condition(depth - 1));
    if (kind < 60 && depth > 0) { // d && n / d > 3, !d || n / d > 3
      const Guard passed = guard();
      const size_t facts = facts_.size();
      facts_.push_back(passed.fact);
      ExprPtr used = useOf(passed.fact, Type::i32, depth - 1);
      ExprPtr test = node(Op::less, Type::i32, used, simple(Type::i32));
      facts_.resize(facts);
      return chance(50) ? node(Op::both, Type::i32, passed.condition, test)
                        : node(Op::either, Type::i32, isFalse(passed.condition), test);
    }
    const Type type = anyType();
    static constexpr Op kCompare[] = {Op::less, Op::less, Op::lessEqual, Op::equal, Op::notEqual};
    return node(oneOf(kCompare), Type::i32, expression(type, depth), expression(type, depth));
  }

  /// A condition, and what it shows; nothing in either changes while the names in it are in scope.
  Guard guard() {
    const bool wasFixed = std::exchange(fixed_, true);
    Guard result;
    switch (below(6)) {
    case 0:
    case 1:
    case 2: {
      const Type type = integer();
      ExprPtr divisor;
      bool notNegative = false;
      switch (below(5)) {
      case 0: {
        const Small value = small(1, false);
        notNegative = value.low >= 0 && bitsOf(type) > 16; // a narrower type could make it negative
        divisor = convertTo(type, value.expr);
        break;
      }
      case 1:
      case 2: {
        static constexpr unsigned kMasks[] = {1, 3, 7, 7, 15, 31, 6};
        divisor = convertTo(type, node(Op::bitAnd, Type::u32, id(anyId()), number(Type::u32, oneOf(kMasks))));
        notNegative = true;
        break;
      }
      case 3:
        divisor = convertTo(type, node(Op::remainder, Type::u32, id(anyId()), number(Type::u32, 2 + below(9))));
        notNegative = true;
        break;
      default: divisor = expression(type, 1);
      }
      const bool mayOverflow = isSigned(type) && bitsOf(type) >= 32 && !notNegative;
      ExprPtr zero = number(type, 0);
      if (mayOverflow || (isSigned(type) && chance(30)))
        result.condition = node(Op::less, Type::i32, zero, divisor);
      else
        result.condition = chance(50) ? divisor : node(Op::notEqual, Type::i32, divisor, zero);
      result.fact = {Fact::divisor, divisor};
      break;
    }
    case 3:
    case 4: {
      static constexpr unsigned kBounds[] = {kArrayItems, kArrayItems, 16, 32, 64, kInputItems};
      const unsigned bound = oneOf(kBounds);
      const Small value = small(1 + below(2), false);
      ExprPtr high = node(Op::less, Type::i32, value.expr, intNumber(int(bound)));
      if (value.low < 0 && chance(50))
        result.condition =
            node(Op::less, Type::i32, node(Op::convert, Type::u32, value.expr), number(Type::u32, bound));
      else if (value.low < 0)
        result.condition =
            node(Op::both, Type::i32, node(Op::lessEqual, Type::i32, intNumber(0), value.expr), std::move(high));
      else
        result.condition = std::move(high);
      result.fact = {Fact::index, value.expr, bound};
      break;
    }
    default: {
      const Type type = chance(50) ? Type::f32 : Type::f64;
      ExprPtr value = expression(type, 1);
      result.condition = inRange(value);
      result.fact = {Fact::floating, value};
    }
    }
    if (chance(35))
      result.condition = chance(50) ? node(Op::both, Type::i32, belowLimit(), result.condition)
                                    : node(Op::both, Type::i32, result.condition, ofLane());
    fixed_ = wasFixed;
    return result;
  }

  // A copy: making the use may add facts, which moves the others.
  ExprPtr useOf(Fact fact, Type type, unsigned depth) {
    switch (fact.kind) {
    case Fact::divisor: {
      const Type own = fact.expr->type;
      const Op op = chance(60) ? Op::divide : Op::remainder;
      ExprPtr dividend =
          chance(30) ? convertTo(own, leaf(Op::parameter, Type::i32, below(kParameters))) : expression(own, depth);
      return convertTo(type, node(op, own, std::move(dividend), fact.expr));
    }
    case Fact::index: {
      if (fact.bound <= kArrayItems && !fixed_ && !inFunction_ && chance(60)) {
        const unsigned array = below(kArrays);
        return convertTo(type, indexed(Op::element, kernel_.arrays[array], array, fact.expr));
      }
      static constexpr Type kWide[] = {Type::u64, Type::i64, Type::u32, Type::i32, Type::u8};
      const Type shifted = oneOf(kWide);
      if (bitsOf(shifted) >= fact.bound && chance(60))
        return convertTo(type, node(chance(50) ? Op::shiftLeft : Op::shiftRight, shifted, expression(shifted, depth),
                                    convertTo(shifted, fact.expr)));
      return convertTo(type, loaded(fact.expr));
    }
    default: return convertTo(type, node(Op::convert, Type::i32, fact.expr));
    }
  }

  ExprPtr expression(Type type, unsigned depth) {
    if (depth == 0 || chance(20))
      return simple(type);
    const unsigned kind = below(100);
    if (!facts_.empty() && kind < 25)
      return useOf(oneOf(facts_), type, depth - 1);
    if (kind < 33) { // d ? n / d : 0
      const Guard passed = guard();
      ExprPtr used = useOf(passed.fact, type, depth - 1), other = simple(type);
      return chance(75) ? node(Op::choose, type, passed.condition, used, other)
                        : node(Op::choose, type, isFalse(passed.condition), other, used);
    }
    if (kind < 40)
      return node(Op::choose, type, condition(depth - 1), expression(type, depth - 1), expression(type, depth - 1));
    if (kind < 46)
      return convertTo(type, expression(anyType(), depth - 1));
    if (kind < 52)
      return convertTo(type, loaded(masked(type, expression(Type::u32, depth - 1), kInputItems)));
    if (kind < 54)
      return convertTo(type,
                       node(Op::recurse, Type::u32,
                            node(Op::remainder, Type::u32, expression(Type::u32, depth - 1), number(Type::u32, 9)),
                            expression(Type::u32, depth - 1)));
    if (kind < 56)
      return convertTo(
          type, node(Op::callPointer, Type::u32,
                     node(Op::remainder, Type::u32, expression(Type::u32, depth - 1), number(Type::u32, kPointers)),
                     expression(Type::u32, depth - 1)));
    if (kind < 59)
      return convertTo(type, node(Op::countBits, Type::u32, expression(Type::u32, depth - 1)));
    if (kind < 64 && !isFloat(type))
      return convertTo(type, condition(depth - 1));
    if (kind < 72)
      return convertTo(type, small(depth, chance(30)).expr);
    static constexpr Op kFloat[] = {Op::add, Op::subtract, Op::multiply, Op::divide, Op::minimum};
    static constexpr Op kInteger[] = {Op::add,    Op::subtract,  Op::multiply,   Op::bitAnd,  Op::bitOr,
                                      Op::bitXor, Op::shiftLeft, Op::shiftRight, Op::minimum, Op::maximum};
    const Op op = isFloat(type) ? oneOf(kFloat) : oneOf(kInteger);
    ExprPtr left = expression(type, depth - 1), right = expression(type, depth - 1);
    if (op == Op::shiftLeft || op == Op::shiftRight)
      right = node(Op::bitAnd, type, std::move(right), number(type, bitsOf(type) - 1));
    return node(op, type, std::move(left), std::move(right));
  }

  Kernel kernel_;
  std::vector<unsigned> own_, inScope_, counters_, uniformCounters_, temporaries_;
  std::vector<Fact> facts_;
  std::vector<Known> knownTemporaries_;
  unsigned phase_ = 0; ///< in phase p, array p is read and the other one written; barriers change it
  bool fixed_ = false; ///< nothing that can change
  bool inFunction_ = false;
};

} // namespace fuzz
