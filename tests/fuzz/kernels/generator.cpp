// SPDX-License-Identifier: MIT
// Random trees. The same operation stands in several places. What may stand where follows from the rules of the language: barriers
// only where all threads of a block that have not ended come, and one between writing a shared word and reading another's.
#include "expressions.h"

namespace fuzz {
namespace {

class Generator : Expressions {
public:
  explicit Generator(uint64_t seed) : Expressions(seed) {}

  Kernel make() {
    for (unsigned v = 0; v < kVariables; ++v)
      own_.push_back(newVariable(anyType()));
    for (Type &type : kernel_.arrays)
      type = anyType();
    kernel_.alone = chance(30);
    kernel_.restricted = chance(30);
    shape();
    const int threads = int(kernel_.threads()), total = int(kernel_.blocks()) * threads, factor = 1 + int(below(16));
    kernel_.parameters = {
        total - int(below(std::min(total, 4))),        threads,        factor,
        std::max(1, threads * factor - int(below(3))), int(below(41)), threads + int(below(unsigned(threads)))};
    for (unsigned &form : kernel_.outputForms)
      form = below(3);
    for (unsigned i = 0, count = chance(40) ? 1 + below(2) : 0; i < count; ++i)
      function();
    Place top;
    top.uniform = top.warpOps = !kernel_.alone;
    inScope_ = own_;
    kernel_.body = block(top, 4 + below(6));
    return std::move(kernel_);
  }

private:
  using Statements = std::vector<Stmt>;

  /// Statements of a scope. Where all threads of the block come, it ends in the phase in which it has begun.
  Statements block(const Place &place, unsigned count, const Fact *fact = nullptr) {
    const size_t facts = facts_.size(), temporaries = temporaries_.size();
    const unsigned phase = phase_;
    Statements result;
    if (fact) {
      facts_.push_back(*fact);
      if (chance(80))
        result.push_back(assignment(useOf(*fact, anyType(), 1), place));
    }
    for (unsigned i = 0; i < count; ++i)
      statement(place, result);
    if (phase_ != phase)
      barrier(result);
    facts_.resize(facts);
    temporaries_.resize(temporaries);
    return result;
  }

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

  void statement(const Place &place, Statements &out) {
    if (budget_ == 0) {
      out.push_back(assignment(expression(anyType(), 2), place));
      return;
    }
    --budget_;
    const bool deeper = place.depth < 3;
    Stmt result;
    const unsigned kind = below(116);
    if (kind < 10 && deeper)
      return out.push_back(branch(place));
    if (kind < 20 && deeper)
      return out.push_back(guarded(place));
    if (kind < 31 && deeper)
      return out.push_back(loop(place));
    if (kind < 36 && deeper)
      return out.push_back(choice(place));
    if (kind < 42 && jump(place, out))
      return;
    if (kind < 58 && place.uniform)
      return together(place, out);
    if (kind < 60 && !place.inFunction) {
      result.kind = Kind::stride;
      result.target = oneOf(inScope_);
      result.variant = below(64);
      result.exprs.push_back(expression(wholeWord(), 2));
      result.exprs.push_back(small(1, true).expr);
    } else if (kind < 76 && place.warpOps) {
      out.push_back(warpOperation());
      if (chance(25)) // and once more, each behind a condition
        for (int i = 0; i < 2; ++i) {
          Stmt behind;
          behind.kind = Kind::branch;
          behind.exprs.push_back(condition(1));
          behind.bodies.resize(2);
          behind.bodies[0].push_back(out.back().kind == Kind::branch ? out.back().bodies[0][0] : out.back());
          behind.bodies[0][0].target = oneOf(inScope_);
          out.push_back(std::move(behind));
        }
      return;
    } else if (kind < 84 && !place.inFunction) {
      common(out);
      return;
    } else if (kind < 89) {
      result.kind = Kind::define;
      result.target = unsigned(kernel_.temporaries.size());
      ExprPtr value;
      if (chance(60)) {
        const bool uniform = chance(60);
        const Small known = small(2, uniform);
        knownTemporaries_.push_back({result.target, known.low, known.high, uniform});
        value = known.expr;
      } else {
        value = expression(anyType(), 2);
      }
      kernel_.temporaries.push_back(value->type);
      result.exprs.push_back(std::move(value));
      temporaries_.push_back(result.target);
    } else if (kind < 94 && !kernel_.functions.empty() && !place.inFunction) {
      result.kind = Kind::call;
      result.variant = below(unsigned(kernel_.functions.size()));
      if (functionWarps_[result.variant] && !place.warpOps)
        return;
      result.target = oneOf(inScope_);
      for (unsigned i = 0; i < 2; ++i)
        result.exprs.push_back(expression(kernel_.variables[kernel_.functions[result.variant].variables[i]], 2));
    } else if (kind < 96) {
      result.kind = Kind::assignOne;
      const unsigned first = oneOf(inScope_);
      unsigned second = first;
      for (unsigned v : inScope_)
        if (v != first && kernel_.variables[v] == kernel_.variables[first])
          second = v;
      result.target = first;
      result.variant = second;
      result.exprs.push_back(condition(2));
      result.exprs.push_back(expression(kernel_.variables[first], 2));
    } else {
      result = assignment(expression(anyType(), 3), place);
    }
    out.push_back(std::move(result));
  }

  /// break, continue, return, or giving back a result; often because what follows would not be defined.
  bool jump(const Place &place, Statements &out) {
    std::vector<Kind> kinds;
    const bool sameForAll = place.uniformLoop; // then barriers may follow
    if (place.mayBreak && (!sameForAll || phase_ == place.phaseOfLoop))
      kinds.push_back(Kind::leaveLoop);
    if (place.mayContinue && (!sameForAll || phase_ == place.phaseOfLoop))
      kinds.push_back(Kind::nextRound);
    if (place.inFunction)
      kinds.insert(kinds.end(), 2, Kind::giveBack);
    else if (place.depth < 3 && leaves_ < 2)
      kinds.push_back(Kind::leave);
    if (kinds.empty())
      return false;
    Stmt result;
    result.kind = oneOf(kinds);
    leaves_ += result.kind == Kind::leave;
    if (sameForAll && result.kind != Kind::leave) {
      result.exprs.push_back(uniformCondition());
    } else if (chance(50)) {
      const Guard passed = guard();
      result.exprs.push_back(isFalse(passed.condition));
      out.push_back(std::move(result));
      if (out.back().kind == Kind::giveBack)
        out.back().exprs.push_back(expression(place.result, 1));
      facts_.push_back(passed.fact);
      out.push_back(assignment(useOf(passed.fact, anyType(), 1), place));
      return true;
    } else {
      result.exprs.push_back(condition(2));
    }
    if (result.kind == Kind::giveBack)
      result.exprs.push_back(expression(place.result, 2));
    out.push_back(std::move(result));
    return true;
  }

  /// What threads of a block do together.
  void together(const Place &place, Statements &out) {
    Stmt result;
    switch (below(8)) {
    case 0: return barrier(out);
    case 1: setShared(out); return barrier(out);
    case 2: {
      result.kind = Kind::shrink;
      result.target = oneOf(inScope_);
      result.variant = below(4 * kCompared); // how the threads that work are told
      const Small width = small(1, true);
      result.exprs.push_back(expression(wholeWord(), 2));
      result.exprs.push_back(width.low >= 0 && chance(50) ? width.expr : intNumber(int(1 + below(128))));
      out.push_back(std::move(result));
      return;
    }
    case 3:
      result.kind = Kind::blockVote;
      result.target = oneOf(inScope_);
      result.variant = below(kBlockVotes);
      result.exprs.push_back(condition(2));
      out.push_back(std::move(result));
      phase_ ^= 1;
      return;
    default: { // the same condition on both sides of a barrier, or on more
      const bool wasFixed = std::exchange(fixed_, true);
      const bool onlyMemory = chance(50); // nothing else: warps that stay out have nothing to do
      ExprPtr limit = onlyMemory   ? belowLimit(Id::x)
                      : chance(70) ? belowLimit()
                                   : node(Op::both, Type::i32, belowLimit(), ofLane());
      fixed_ = wasFixed;
      Place inside = place;
      inside.uniform = inside.uniformLoop = false;
      inside.mayBreak = inside.mayContinue = false;
      inside.depth += 2;
      const unsigned parts = 2 + below(2);
      for (unsigned i = 0; i < parts; ++i) {
        Stmt part;
        part.kind = Kind::branch;
        part.exprs.push_back(limit);
        Statements body;
        if (chance(60))
          setShared(body);
        const size_t facts = facts_.size(), temporaries = temporaries_.size();
        if (onlyMemory)
          body.push_back(store(chance(60) ? sharedWord() : expression(anyType(), 2)));
        else
          statement(inside, body);
        if (!onlyMemory && chance(60))
          body.push_back(assignment(convertTo(anyType(), sharedWord()), inside));
        facts_.resize(facts);
        temporaries_.resize(temporaries);
        part.bodies.push_back(std::move(body));
        part.bodies.emplace_back();
        out.push_back(std::move(part));
        if (i + 1 < parts || chance(60)) // behind the last one, too: then nothing else stands between two barriers
          barrier(out);
      }
    }
    }
  }

  /// The thread's own word of the array that is written in this phase.
  void setShared(Statements &out) {
    Stmt result;
    result.kind = Kind::setShared;
    result.target = phase_ ^ 1;
    result.exprs.push_back(expression(wholeWord(), 2));
    out.push_back(std::move(result));
  }

  /// What does not depend on the order in which threads come.
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

  Stmt branch(Place place) {
    Stmt result;
    result.kind = Kind::branch;
    const bool uniform = chance(20);
    result.exprs.push_back(uniform ? uniformCondition() : condition(2));
    place.uniform = place.uniform && uniform;
    if (!uniform && !place.uniform)
      place.mayBreak = place.mayBreak && !place.uniformLoop,
      place.mayContinue = place.mayContinue && !place.uniformLoop;
    ++place.depth;
    result.bodies.push_back(block(place, 1 + below(4)));
    result.bodies.push_back(chance(60) ? block(place, 1 + below(3)) : Statements{});
    if (place.warpOps && chance(40)) { // the same in both arms
      const Stmt operation = warpOperation();
      for (auto &body : result.bodies) {
        body.insert(chance(70) ? body.begin() : body.end(), operation);
      }
    }
    return result;
  }

  Stmt guarded(Place place) {
    Stmt result;
    result.kind = Kind::branch;
    const Guard passed = guard();
    const bool other = chance(25);
    result.exprs.push_back(other ? isFalse(passed.condition) : passed.condition);
    place.uniform = false;
    if (place.uniformLoop)
      place.mayBreak = place.mayContinue = false;
    ++place.depth;
    result.bodies.resize(2);
    result.bodies[other] = block(place, below(3), &passed.fact);
    if (other || chance(25))
      result.bodies[!other] = block(place, 1 + below(2));
    return result;
  }

  Stmt loop(Place place) {
    Stmt result;
    result.kind = Kind::loop;
    const bool uniform = chance(45), leaves = chance(50), continues = chance(40);
    if (uniform && chance(50)) {
      const Small limit = small(1, true);
      result.exprs.push_back(convertTo(Type::u32, limit.expr));
    } else {
      result.exprs.push_back(uniform      ? number(Type::u32, 1 + below(6))
                             : chance(40) ? id(chance(50) ? Id::lane : Id::linear)
                                          : expression(Type::u32, 2));
    }
    result.exprs[0] = node(Op::remainder, Type::u32, result.exprs[0], number(Type::u32, 3 + below(5)));
    result.variant = below(uniform ? 4 : 5);
    if (LoopForm(result.variant) == LoopForm::upWhile)
      result.exprs.push_back(condition(1));
    place.uniformLoop = place.uniform && uniform;
    place.phaseOfLoop = phase_;
    place.uniform = place.uniformLoop;
    place.mayBreak = leaves;
    place.mayContinue = continues;
    ++place.depth;
    result.target = kernel_.counters++;
    counters_.push_back(result.target);
    if (place.uniformLoop)
      uniformCounters_.push_back(result.target);
    result.bodies.push_back(block(place, 1 + below(4)));
    counters_.pop_back();
    if (place.uniformLoop)
      uniformCounters_.pop_back();
    return result;
  }

  Stmt choice(Place place) {
    Stmt result;
    result.kind = Kind::choice;
    result.exprs.push_back(chance(30) ? id(Id::lane) : expression(Type::u32, 2));
    place.uniform = false;
    if (place.uniformLoop)
      place.mayContinue = false;
    place.mayBreak = false; // it would leave the choice
    ++place.depth;
    const unsigned cases = 2 + below(3);
    result.exprs[0] = node(Op::remainder, Type::u32, result.exprs[0], number(Type::u32, cases + below(2)));
    const bool warpOps = place.warpOps;
    for (unsigned i = 0; i < cases; ++i) {
      result.bodies.push_back(block(place, 1 + below(2)));
      if (i + 1 < cases && chance(15)) { // on into the next case
        result.variant |= 1u << i;
        place.warpOps = false;
      }
    }
    if (warpOps && result.variant == 0 && chance(50)) { // the same in several cases
      const Stmt operation = warpOperation();
      for (auto &body : result.bodies)
        if (chance(70))
          body.insert(body.begin(), operation);
    }
    return result;
  }

  void function() {
    Function result;
    for (unsigned &v : result.variables)
      v = newVariable(anyType());
    result.result = anyType();
    Place place;
    place.inFunction = inFunction_ = true;
    place.depth = 1;
    place.result = result.result;
    place.warpOps = !kernel_.alone && chance(40);
    result.separate = !place.warpOps && chance(30);
    inScope_.assign(result.variables.begin(), result.variables.end());
    const auto operations = std::exchange(warpOperations_, {});
    result.body = block(place, 2 + below(4));
    Stmt last;
    last.kind = Kind::giveBack;
    last.exprs.push_back(expression(result.result, 2));
    result.body.push_back(std::move(last));
    warpOperations_ = operations;
    functionWarps_.push_back(place.warpOps);
    kernel_.functions.push_back(std::move(result));
    inFunction_ = false;
  }

  std::vector<Stmt> warpOperations_;
  std::vector<bool> functionWarps_;
  unsigned budget_ = 34; ///< of statements
  unsigned leaves_ = 0;
};

} // namespace

Kernel makeKernel(uint64_t seed) { return Generator(seed).make(); }

} // namespace fuzz
