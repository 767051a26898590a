// SPDX-License-Identifier: MIT
// Random trees. What may stand where follows from the rules of the language: barriers only where all threads of a block that
// have not ended come, operations of a warp not in a loop whose rounds differ between lanes except at its own level.
#include "program.h"

namespace fuzz {
namespace {

class Generator {
public:
  explicit Generator(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ull + 0x1234567) {}

  Kernel make() {
    for (Type &type : kernel_.variables)
      type = anyType();
    for (Type &type : kernel_.arrays)
      type = anyType();
    kernel_.alone = chance(35);
    static constexpr unsigned kShapes[][3] = {
        {1, 1, 1},   {7, 1, 1},   {31, 1, 1}, {32, 1, 1}, {33, 1, 1}, {64, 1, 1}, {96, 1, 1},  {100, 1, 1},
        {128, 1, 1}, {16, 16, 1}, {8, 8, 2},  {5, 7, 1},  {32, 4, 1}, {64, 2, 1}, {3, 5, 4},   {16, 2, 1},
        {48, 1, 1},  {256, 1, 1}, {8, 8, 1},  {8, 3, 1},  {4, 4, 4},  {16, 5, 1}, {20, 20, 1}, {24, 2, 1},
        {48, 2, 1},  {8, 1, 1},   {16, 1, 1}, {40, 1, 1}, {1, 64, 1}, {4, 9, 1},  {2, 32, 1},  {9, 1, 1}};
    static constexpr unsigned kTiny[][3] = {{1, 1, 1}, {1, 1, 1}, {2, 1, 1}, {3, 1, 1}, {4, 1, 1}, {5, 1, 1}, {7, 1, 1},
                                            {2, 2, 1}, {1, 3, 1}, {2, 2, 2}, {1, 1, 5}, {4, 2, 1}, {3, 2, 1}};
    const bool tiny = kernel_.alone && chance(60);
    const unsigned *shape =
        tiny ? kTiny[below(sizeof kTiny / sizeof *kTiny)] : kShapes[below(sizeof kShapes / sizeof *kShapes)];
    kernel_.block = {shape[0], shape[1], shape[2]};
    kernel_.grid = {1 + below(tiny ? 90 : 3), 1, 1};
    if (chance(25))
      kernel_.grid = {1 + below(tiny ? 20 : 2), 1 + below(2), 1 + below(2)};
    Place top;
    top.uniform = top.warpOps = !kernel_.alone;
    kernel_.body = block(top, 4 + below(5));
    return std::move(kernel_);
  }

private:
  /// What the control flow around a statement allows.
  struct Place {
    unsigned depth = 0;
    bool uniform = false; ///< all threads of the block come here together, but for those that have ended
    bool warpOps = false;
    bool inLoop = false;
    bool mayContinue = false;
    bool mayBreak = false;
  };

  uint64_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_ * 0x2545f4914f6cdd1dull >> 16;
  }
  unsigned below(unsigned limit) { return unsigned(next() % limit); }
  bool chance(unsigned percent) { return below(100) < percent; }
  Type anyType() { return Type(below(8)); }
  Type integer() { return Type(below(6)); }
  Type wholeWord() { return chance(50) ? Type::i32 : Type::u32; }

  ExprPtr leaf(Op op, Type type, uint64_t value) {
    auto result = std::make_unique<Expr>();
    result->op = op;
    result->type = type;
    result->value = value;
    return result;
  }
  template <class... Args> ExprPtr node(Op op, Type type, Args... args) {
    ExprPtr result = leaf(op, type, 0);
    (result->args.push_back(std::move(args)), ...);
    return result;
  }
  ExprPtr convertTo(Type type, ExprPtr value) {
    return value->type == type ? std::move(value) : node(Op::convert, type, std::move(value));
  }

  ExprPtr simple(Type type) {
    switch (below(9)) {
    case 0:
    case 1: {
      const unsigned variable = below(kVariables);
      return convertTo(type, leaf(Op::variable, kernel_.variables[variable], variable));
    }
    case 2: return convertTo(type, leaf(Op::thread, Type::u32, below(4)));
    case 3:
      if (chance(25))
        return convertTo(type, leaf(Op::along, Type::u32, below(2)));
      return convertTo(type, chance(60) ? leaf(Op::lane, Type::u32, 0)
                                        : leaf(Op::block, Type::u32, chance(60) ? 3 : below(3)));
    case 4:
      if (counters_ > 0)
        return convertTo(type, leaf(Op::counter, Type::u32, below(counters_)));
      [[fallthrough]];
    case 5: {
      const unsigned array = below(kArrays);
      ExprPtr element = leaf(Op::element, kernel_.arrays[array], array);
      element->args.push_back(chance(50) ? leaf(Op::constant, Type::u32, below(kArrayItems))
                                         : leaf(Op::thread, Type::u32, 3));
      return convertTo(type, std::move(element));
    }
    default: return leaf(Op::constant, type, chance(70) ? below(20) : next());
    }
  }

  ExprPtr condition(unsigned depth) {
    const Type type = anyType();
    return node(chance(75) ? Op::less : Op::equal, Type::i32, expression(type, depth), expression(type, depth));
  }

  ExprPtr expression(Type type, unsigned depth) {
    if (depth == 0 || chance(20))
      return simple(type);
    const unsigned kind = below(100);
    if (kind < 12)
      return node(Op::choose, type, condition(depth - 1), expression(type, depth - 1), expression(type, depth - 1));
    if (kind < 22)
      return convertTo(type, expression(anyType(), depth - 1));
    if (kind < 30)
      return convertTo(type, node(Op::input, Type::u32, expression(Type::u32, depth - 1)));
    if (kind < 34)
      return convertTo(
          type, node(Op::recurse, Type::u32, expression(Type::u32, depth - 1), expression(Type::u32, depth - 1)));
    if (kind < 38)
      return convertTo(
          type, node(Op::callPointer, Type::u32, expression(Type::u32, depth - 1), expression(Type::u32, depth - 1)));
    if (kind < 44 && !isFloat(type))
      return convertTo(type, condition(depth - 1));
    static constexpr Op kFloat[] = {Op::add, Op::subtract, Op::multiply};
    static constexpr Op kInteger[] = {Op::add,       Op::subtract,   Op::multiply, Op::divide,
                                      Op::remainder, Op::bitAnd,     Op::bitOr,    Op::bitXor,
                                      Op::shiftLeft, Op::shiftRight, Op::minimum,  Op::maximum};
    const Op op = isFloat(type) ? kFloat[below(3)] : kInteger[below(12)];
    return node(op, type, expression(type, depth - 1), expression(type, depth - 1));
  }

  std::vector<Stmt> block(const Place &place, unsigned count) {
    std::vector<Stmt> result;
    for (unsigned i = 0; i < count; ++i)
      result.push_back(statement(place));
    return result;
  }

  Stmt statement(const Place &place) {
    Stmt result;
    const unsigned kind = below(100);
    if (kind < 14 && place.depth < 3)
      return branch(place);
    if (kind < 28 && place.depth < 3 && counters_ < kCounters)
      return loop(place);
    if (kind < 33 && place.depth < 3)
      return choice(place);
    if (kind < 38 && (place.mayBreak || place.mayContinue)) {
      result.kind = place.mayBreak && (chance(60) || !place.mayContinue) ? Kind::leaveLoop : Kind::nextRound;
      result.exprs.push_back(condition(2));
    } else if (kind < 40 && place.depth < 3) {
      result.kind = Kind::leave;
      result.exprs.push_back(condition(2));
    } else if (kind < 52 && place.uniform) {
      result.kind = Kind::exchange;
      result.target = below(kVariables);
      result.variant = below(70);
      result.exprs.push_back(expression(wholeWord(), 2));
      if (chance(30))
        result.kind = Kind::shrink;
    } else if (kind < 55) {
      result.kind = Kind::stride;
      result.target = below(kVariables);
      result.variant = below(64);
      result.exprs.push_back(expression(wholeWord(), 2));
    } else if (kind < 66 && place.warpOps) {
      result.kind = chance(70) ? Kind::shuffle : Kind::vote;
      result.target = below(kVariables);
      result.variant = below(result.kind == Kind::shuffle ? kShuffles : kVotes);
      result.exprs.push_back(result.kind == Kind::vote ? condition(2) : expression(shuffled(), 2));
      result.exprs.push_back(chance(60) ? leaf(Op::constant, Type::u32, below(32)) : expression(Type::u32, 1));
    } else if (kind < 72) {
      result.kind = Kind::atomic;
      result.target = below(kSlots);
      result.variant = result.target % kAtomics; // operations of one kind on a word commute
      result.exprs.push_back(expression(Type::u32, 2));
    } else if (kind < 78) {
      result.kind = Kind::storeElement;
      result.target = below(kArrays);
      result.exprs.push_back(expression(Type::u32, 2));
      result.exprs.push_back(expression(kernel_.arrays[result.target], 2));
    } else {
      result.target = below(kVariables);
      result.exprs.push_back(expression(kernel_.variables[result.target], 3));
    }
    return result;
  }
  Type shuffled() {
    static constexpr Type kTypes[] = {Type::i32, Type::u32, Type::i64, Type::u64, Type::f32, Type::f64};
    return kTypes[below(6)];
  }

  Stmt branch(Place place) {
    Stmt result;
    result.kind = Kind::branch;
    const bool uniform = chance(20);
    result.exprs.push_back(uniform ? node(Op::less, Type::i32, leaf(Op::block, Type::u32, below(3)),
                                          leaf(Op::constant, Type::u32, below(3)))
                                   : condition(2));
    place.uniform = place.uniform && uniform;
    place.warpOps = place.warpOps && (uniform || !place.inLoop);
    ++place.depth;
    result.bodies.push_back(block(place, 1 + below(4)));
    result.bodies.push_back(chance(60) ? block(place, 1 + below(3)) : std::vector<Stmt>{});
    return result;
  }

  Stmt loop(Place place) {
    Stmt result;
    result.kind = Kind::loop;
    const bool uniform = chance(40), leaves = chance(50), continues = chance(30);
    result.exprs.push_back(uniform ? leaf(Op::constant, Type::u32, 1 + below(6)) : expression(Type::u32, 2));
    place.uniform = place.uniform && uniform && !leaves && !continues;
    place.warpOps = place.warpOps && !continues && !place.inLoop;
    place.inLoop = true;
    place.mayBreak = leaves;
    place.mayContinue = continues;
    ++place.depth;
    result.target = counters_++;
    result.bodies.push_back(block(place, 1 + below(4)));
    --counters_;
    return result;
  }

  Stmt choice(Place place) {
    Stmt result;
    result.kind = Kind::choice;
    result.exprs.push_back(expression(Type::u32, 2));
    place.uniform = false;
    place.warpOps = place.warpOps && !place.inLoop;
    place.mayBreak = false; // it would leave the choice
    ++place.depth;
    for (unsigned i = 0, cases = 2 + below(3); i < cases; ++i)
      result.bodies.push_back(block(place, 1 + below(2)));
    return result;
  }

  uint64_t state_;
  Kernel kernel_;
  unsigned counters_ = 0;
};

} // namespace

Kernel makeKernel(uint64_t seed) { return Generator(seed).make(); }

} // namespace fuzz
