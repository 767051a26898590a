// SPDX-License-Identifier: MIT
// Random trees. The same operation stands in several places. What may stand where follows from the rules of the language: barriers
// only where all threads of a block that have not ended come, and one between writing a shared word and reading another's.
#include "operations.h"

namespace fuzz {
namespace {

class Generator : Operations {
public:
  explicit Generator(uint64_t seed) : Operations(seed) {}

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
    top.uniform = top.warpOps = top.exchanges = !kernel_.alone;
    inScope_ = own_;
    kernel_.body = block(top, 4 + below(6));
    return std::move(kernel_);
  }

private:
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
    if (kind < 60 && chance(50)) {
      result.kind = Kind::keep;
      result.target = oneOf(inScope_);
      result.variant = below(64);
      result.exprs.push_back(expression(wholeWord(), 2));
      result.exprs.push_back(chance(60) ? small(1, true).expr : expression(wholeWord(), 1));
    } else if (kind < 60 && !place.inFunction) {
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
    } else if (kind < 80 && place.exchanges && chance(60)) {
      exchanges_ = true;
      return exchange(out);
    } else if (kind < 84 && !place.inFunction) {
      common(out);
      return;
    } else if (kind < 87 && place.depthOfFunction > 0) {
      return out.push_back(again());
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
      const unsigned function = below(unsigned(kernel_.functions.size()));
      if (!mayCall(function, place))
        return;
      result = call(function);
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

  /// Statements that the threads of a block execute together.
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

  /// Words that lanes exchange need all lanes of the branch in step, and so do functions that do it.
  bool mayCall(unsigned function, const Place &place) const {
    return place.exchanges || !functionWarps_[function] || (place.warpOps && !functionExchanges_[function]);
  }

  Stmt call(unsigned function) {
    Stmt result;
    result.kind = Kind::call;
    result.variant = function;
    result.target = oneOf(inScope_);
    for (unsigned i = 0; i < 2; ++i)
      result.exprs.push_back(expression(kernel_.variables[kernel_.functions[function].variables[i]], 2));
    return result;
  }

  Stmt branch(Place place) {
    Stmt result;
    result.kind = Kind::branch;
    if (place.warpOps && chance(12)) { // nothing but the same operation in both arms
      result.exprs.push_back(condition(1));
      const unsigned function = below(unsigned(kernel_.functions.size()) + 1); // the last one is none
      const bool calls = !place.inFunction && function < kernel_.functions.size() && mayCall(function, place);
      const Stmt operation = calls ? call(function) : warpOperation();
      result.bodies = {{operation}, {operation}};
      return result;
    }
    const bool uniform = chance(20);
    result.exprs.push_back(uniform ? uniformCondition() : condition(2));
    place.uniform = place.uniform && uniform;
    if (!uniform && !place.uniform)
      place.mayBreak = place.mayBreak && !place.uniformLoop,
      place.mayContinue = place.mayContinue && !place.uniformLoop;
    ++place.depth;
    const bool other = chance(60);
    place.exchanges = place.exchanges && !other;
    result.bodies.push_back(block(place, 1 + below(4)));
    result.bodies.push_back(other ? block(place, 1 + below(3)) : Statements{});
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
    const bool both = other || chance(25);
    place.exchanges = place.exchanges && !both;
    result.bodies[other] = block(place, below(3), &passed.fact);
    if (both)
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
    place.mayBreak = place.exchanges = false; // break would leave the choice
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
    place.warpOps = place.exchanges = !kernel_.alone && chance(40);
    result.separate = chance(30);
    result.throughPointer = chance(30);
    result.depth = place.depthOfFunction = chance(40) ? 1 + below(3) : 0;
    inScope_.assign(result.variables.begin(), result.variables.end());
    const auto operations = std::exchange(warpOperations_, {});
    exchanges_ = false;
    result.body = block(place, 2 + below(4));
    if (result.depth > 0)
      result.body.push_back(again());
    if (place.warpOps && chance(60))
      result.body.push_back(warpOperation());
    Stmt last;
    last.kind = Kind::giveBack;
    last.exprs.push_back(expression(result.result, 2));
    result.body.push_back(std::move(last));
    warpOperations_ = operations;
    functionWarps_.push_back(place.warpOps);
    functionExchanges_.push_back(exchanges_);
    kernel_.functions.push_back(std::move(result));
    inFunction_ = false;
  }

  std::vector<bool> functionWarps_, functionExchanges_;
  bool exchanges_ = false; ///< of the function that is being made
  unsigned budget_ = 34;   ///< of statements
  unsigned leaves_ = 0;
};

} // namespace

Kernel makeKernel(uint64_t seed) { return Generator(seed).make(); }

} // namespace fuzz
