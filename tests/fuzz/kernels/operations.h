// SPDX-License-Identifier: MIT
// Random statements without bodies.
#pragma once
#include "expressions.h"

namespace fuzz {

class Operations : protected Expressions {
protected:
  using Statements = std::vector<Stmt>;

  explicit Operations(uint64_t seed) : Expressions(seed) {}

  void barrier(Statements &out) {
    Stmt result;
    result.kind = Kind::barrier;
    out.push_back(std::move(result));
    phase_ ^= 1;
  }

  Stmt store(ExprPtr value) {
    Stmt result;
    result.kind = Kind::store;
    result.target = below(kOutputs);
    result.exprs.push_back(convertTo(kOutputTypes[result.target], std::move(value)));
    return result;
  }

  /// Puts a value somewhere.
  Stmt assignment(ExprPtr value, const Place &place) {
    if (!place.inFunction && chance(35))
      return store(std::move(value));
    Stmt result;
    ExprPtr to = variable(oneOf(inScope_));
    if (!place.inFunction && chance(30)) {
      const unsigned member = below(kMembers), array = below(kArrays);
      if (chance(50)) {
        to = leaf(Op::member, kMemberTypes[member], member);
      } else {
        ExprPtr index;
        for (const Fact &fact : facts_)
          if (fact.kind == Fact::index && fact.bound == kArrayItems)
            index = fact.expr;
        if (!index || chance(40))
          index = chance(40) ? number(Type::u32, below(kArrayItems))
                             : masked(Type::u32, expression(Type::u32, 1), kArrayItems);
        to = indexed(Op::element, kernel_.arrays[array], array, index);
      }
    }
    result.exprs.push_back(to);
    result.exprs.push_back(convertTo(to->type, std::move(value)));
    return result;
  }

  Stmt warpOperation() {
    if (!warpOperations_.empty() && chance(55)) { // the same once more
      Stmt again = oneOf(warpOperations_);
      if (chance(40) || std::find(inScope_.begin(), inScope_.end(), again.target) == inScope_.end())
        again.target = oneOf(inScope_);
      return again;
    }
    Stmt result;
    result.target = oneOf(inScope_);
    const bool wasFixed = std::exchange(fixed_, true); // so that it can stand elsewhere, too
    const auto temporaries = std::exchange(temporaries_, {});
    const auto counters = std::exchange(counters_, {}), uniformCounters = std::exchange(uniformCounters_, {});
    const auto facts = std::exchange(facts_, {});
    fixed_ = chance(60);
    const bool repeatable = fixed_;
    if (!repeatable) {
      temporaries_ = temporaries;
      counters_ = counters;
      uniformCounters_ = uniformCounters;
      facts_ = facts;
    }
    if (chance(45)) {
      result.kind = Kind::shuffle;
      result.variant = below(kShuffles) + (chance(25) ? kShuffles * (1 + below(2)) : 0); // of 32, 8 or 16 lanes
      static constexpr Type kTypes[] = {Type::i32, Type::u32, Type::i64, Type::u64, Type::f32, Type::f64};
      result.exprs.push_back(expression(oneOf(kTypes), 2));
      result.exprs.push_back(chance(60) ? number(Type::u32, below(32))
                                        : masked(Type::u32, expression(Type::u32, 1), 32));
    } else {
      result.kind = Kind::vote;
      result.variant = below(kVotes);
      result.exprs.push_back(condition(1));
    }
    fixed_ = wasFixed;
    temporaries_ = temporaries;
    counters_ = counters;
    uniformCounters_ = uniformCounters;
    facts_ = facts;
    if (repeatable)
      warpOperations_.push_back(result);
    return result;
  }

  ExprPtr uniformCondition() { return compared(small(1, true).expr, small(1, true).expr); }

  /// The thread's own word of the array that is written in this phase.
  void setShared(Statements &out) {
    Stmt result;
    result.kind = Kind::setShared;
    result.target = phase_ ^ 1;
    result.exprs.push_back(expression(wholeWord(), 2));
    out.push_back(std::move(result));
  }

  /// Words that lanes of a warp exchange without a barrier.
  void exchange(Statements &out) {
    Stmt result;
    if (chance(70)) {
      result.kind = Kind::put;
      result.exprs.push_back(expression(wholeWord(), 2));
      out.push_back(result);
    }
    if (chance(70)) {
      result = {};
      result.kind = Kind::look;
      result.target = oneOf(inScope_);
      result.variant = below(kLooks * 31);
      result.exprs.push_back(expression(Type::u32, 1));
      out.push_back(std::move(result));
    }
  }

  /// The function that is being made calls itself.
  Stmt again() {
    Stmt result;
    result.kind = Kind::again;
    result.target = oneOf(inScope_);
    result.variant = unsigned(kernel_.functions.size());
    for (unsigned i = 0; i < 2; ++i)
      result.exprs.push_back(expression(kernel_.variables[inScope_[i]], 2));
    result.exprs.push_back(condition(1));
    return result;
  }

  /// Operations that do not depend on the order in which threads come.
  void common(Statements &out) {
    Stmt result;
    switch (below(kernel_.alone || phase_ != 0 ? 4 : 6)) {
    case 0:
    case 1:
      result.kind = Kind::atomic;
      result.target = below(kSlots / 2);
      result.variant = result.target % kAtomics; // operations of one kind on a word commute
      result.exprs.push_back(expression(Type::u32, 2));
      break;
    case 2:
      result.kind = Kind::once;
      result.target = kSlots / 2 + below(kSlots / 2);
      break;
    case 3:
      result.kind = Kind::append;
      result.target = below(kLists);
      result.variant = kernel_.alone ? 0 : below(kAppends);
      result.exprs.push_back(expression(Type::u32, 2));
      break;
    default:
      result.kind = Kind::count;
      result.exprs.push_back(masked(Type::u32, expression(Type::u32, 1), kBins));
      result.exprs.push_back(expression(Type::u32, 1));
    }
    out.push_back(std::move(result));
  }

  std::vector<Stmt> warpOperations_;
};

} // namespace fuzz
