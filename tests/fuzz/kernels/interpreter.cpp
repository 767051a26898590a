// SPDX-License-Identifier: MIT
// Executes a tree: each statement for all threads of the block that are there, one statement after the other. Whatever the
// language leaves undefined, races in shared memory among it, is an exception.
#include "evaluator.h"

namespace fuzz {
namespace {

class Interpreter : Evaluator {
public:
  explicit Interpreter(const Kernel &kernel) : Evaluator(kernel) {
    for (auto &output : results_.outputs)
      output.resize(size_t(kernel.blocks()) * count_ * kOutputSpread);
  }

  Results run() {
    for (unsigned block = 0; block < kernel_.blocks(); ++block)
      runBlock(block);
    for (auto &list : results_.lists)
      std::sort(list.begin(), list.end());
    return std::move(results_);
  }

private:
  /// Where threads go that leave a statement otherwise than by its end.
  struct Exits {
    Mask *left = nullptr, *continued = nullptr;
    std::vector<uint64_t> *given = nullptr;
  };

  void runBlock(unsigned block) {
    group_ = {block % kernel_.grid[0], block / kernel_.grid[0] % kernel_.grid[1],
              block / kernel_.grid[0] / kernel_.grid[1]};
    threads_.assign(count_, Thread());
    for (auto &words : shared_)
      words.assign(count_, Word());
    tree_.assign(count_, 0);
    bins_.assign(kBins, Word());
    exchanged_.assign((count_ + 31) / 32 * 32, 0);
    depths_.assign(count_, 0);
    time_ = 1;
    ended_.assign(count_, 0);
    for (unsigned t = 0; t < count_; ++t) {
      Thread &thread = threads_[t];
      const unsigned x = t % kernel_.block[0];
      thread.ids = {x,
                    t / kernel_.block[0] % kernel_.block[1],
                    t / kernel_.block[0] / kernel_.block[1],
                    t,
                    t % 32,
                    group_[0] * kernel_.block[0] + x,
                    block * count_ + t,
                    t / 32,
                    group_[0],
                    group_[1],
                    group_[2],
                    kernel_.block[0],
                    kernel_.block[1],
                    kernel_.grid[0],
                    kernel_.grid[1]};
      thread.variables.resize(kernel_.variables.size());
      thread.temporaries.resize(kernel_.temporaries.size());
      thread.counters.resize(kernel_.counters);
      for (unsigned v = 0; v < kVariables; ++v)
        thread.variables[v] = convertBits(pack(t + v), Type::u32, kernel_.variables[v]);
      for (unsigned a = 0; a < kArrays; ++a)
        for (unsigned i = 0; i < kArrayItems; ++i)
          thread.arrays[a][i] = convertBits(pack(t * 3 + i), Type::u32, kernel_.arrays[a]);
      for (unsigned m = 0; m < kMembers; ++m)
        thread.members[m] = convertBits(pack(t + m), Type::u32, kMemberTypes[m]);
    }
    Mask mask(count_, 1);
    execute(kernel_.body, mask, {});
    for (const Thread &thread : threads_) {
      for (unsigned v = 0; v < kVariables; ++v)
        results_.words.push_back(resultOf(thread.variables[v], kernel_.variables[v]));
      uint64_t hash = 0;
      for (unsigned m = 0; m < kMembers; ++m)
        hash = hash * 31 + resultOf(thread.members[m], kMemberTypes[m]);
      for (unsigned a = 0; a < kArrays; ++a)
        for (uint64_t item : thread.arrays[a])
          hash = hash * 31 + resultOf(item, kernel_.arrays[a]);
      results_.words.push_back(hash);
    }
  }

  template <class Action> void each(const Mask &mask, Action action) {
    for (unsigned t = 0; t < count_; ++t)
      if (mask[t])
        action(t);
  }
  static bool any(const Mask &mask) { return std::find(mask.begin(), mask.end(), 1) != mask.end(); }
  Mask where(const Mask &mask, const Expr &condition, bool wanted = true) {
    Mask result = mask;
    each(mask, [&](unsigned t) { result[t] = truth(condition, t) == wanted; });
    return result;
  }
  bool truth(const Expr &e, unsigned t) { return evaluate(e, t) != 0; }
  void add(Mask &to, const Mask &more) {
    for (unsigned t = 0; t < count_; ++t)
      to[t] = to[t] || more[t];
  }
  void remove(Mask &mask, const Mask &gone) {
    for (unsigned t = 0; t < count_; ++t)
      mask[t] = mask[t] && !gone[t];
  }

  void meet(const Mask &mask) {
    for (unsigned t = 0; t < count_; ++t)
      if (!mask[t] && !ended_[t])
        throw Undefined("a barrier to which not all threads come");
    ++time_;
  }

  /// Threads that go elsewhere leave `mask`.
  void execute(const std::vector<Stmt> &statements, Mask &mask, const Exits &exits) {
    for (const Stmt &stmt : statements) {
      if (!any(mask))
        return;
      execute(stmt, mask, exits);
    }
  }

  void execute(const Stmt &stmt, Mask &mask, const Exits &exits) {
    switch (stmt.kind) {
    case Kind::assign:
      each(mask, [&](unsigned t) {
        const Expr &to = *stmt.exprs[0];
        const uint64_t value = evaluate(*stmt.exprs[1], t);
        Thread &thread = threads_[t];
        if (to.op == Op::variable)
          thread.variables[to.value] = value;
        else if (to.op == Op::member)
          thread.members[to.value] = value;
        else
          thread.arrays[to.value][indexOf(*to.args[0], t, kArrayItems)] = value;
      });
      break;
    case Kind::assignOne:
      each(mask, [&](unsigned t) {
        const uint64_t value = evaluate(*stmt.exprs[1], t);
        threads_[t].variables[truth(*stmt.exprs[0], t) ? stmt.target : stmt.variant] = value;
      });
      break;
    case Kind::define:
      each(mask, [&](unsigned t) { threads_[t].temporaries[stmt.target] = evaluate(*stmt.exprs[0], t); });
      break;
    case Kind::branch: {
      Mask taken = where(mask, *stmt.exprs[0]), other = mask;
      remove(other, taken);
      execute(stmt.bodies[0], taken, exits);
      execute(stmt.bodies[1], other, exits);
      mask = taken;
      add(mask, other);
      break;
    }
    case Kind::choice: {
      const size_t last = stmt.bodies.size() - 1;
      std::vector<Mask> taken(last + 1, Mask(count_));
      each(mask, [&](unsigned t) { taken[std::min<uint64_t>(evaluate(*stmt.exprs[0], t), last)][t] = 1; });
      mask.assign(count_, 0);
      for (size_t i = 0; i <= last; ++i) {
        execute(stmt.bodies[i], taken[i], exits);
        add(stmt.variant >> i & 1 ? taken[i + 1] : mask, taken[i]);
      }
      break;
    }
    case Kind::loop: loop(stmt, mask, exits); break;
    case Kind::leaveLoop:
    case Kind::nextRound:
    case Kind::leave:
    case Kind::giveBack: {
      const Mask gone = stmt.kind == Kind::giveBack && stmt.exprs.size() == 1 ? mask : where(mask, *stmt.exprs[0]);
      if (stmt.kind == Kind::giveBack)
        each(gone, [&](unsigned t) { (*exits.given)[t] = evaluate(*stmt.exprs.back(), t); });
      if (stmt.kind == Kind::leave)
        add(ended_, gone);
      if (stmt.kind == Kind::leaveLoop)
        add(*exits.left, gone);
      if (stmt.kind == Kind::nextRound)
        add(*exits.continued, gone);
      remove(mask, gone);
      break;
    }
    case Kind::call: {
      const Function &function = kernel_.functions[stmt.variant];
      each(mask, [&](unsigned t) {
        uint64_t first = evaluate(*stmt.exprs[0], t), second = evaluate(*stmt.exprs[1], t);
        threads_[t].variables[function.variables[0]] = first;
        threads_[t].variables[function.variables[1]] = second;
        threads_[t].variables[function.variables[2]] = 0;
      });
      each(mask, [&](unsigned t) { depths_[t] = function.depth; });
      const std::vector<uint64_t> given = resultsOf(function, mask);
      each(mask, [&](unsigned t) { set(t, stmt.target, given[t], function.result); });
      break;
    }
    case Kind::again: {
      const Function &function = kernel_.functions[stmt.variant];
      Mask deeper = mask;
      each(mask, [&](unsigned t) { deeper[t] = depths_[t] > 0 && truth(*stmt.exprs[2], t); });
      const std::vector<Thread> outer = threads_;
      each(deeper, [&](unsigned t) {
        const uint64_t first = evaluate(*stmt.exprs[0], t), second = evaluate(*stmt.exprs[1], t);
        Thread &thread = threads_[t];
        thread.variables[function.variables[0]] = first;
        thread.variables[function.variables[1]] = second;
        thread.variables[function.variables[2]] = 0;
        --depths_[t];
      });
      const std::vector<uint64_t> given = resultsOf(function, deeper);
      each(deeper, [&](unsigned t) {
        threads_[t] = outer[t];
        ++depths_[t];
        set(t, stmt.target, given[t], function.result);
      });
      break;
    }
    case Kind::put: each(mask, [&](unsigned t) { exchanged_[t] = wordOf(*stmt.exprs[0], t); }); break;
    case Kind::look: {
      const unsigned by = 1 + stmt.variant / kLooks % 31;
      each(mask, [&](unsigned t) {
        const unsigned lane = stmt.variant % kLooks == 0   ? t % 32 ^ by
                              : stmt.variant % kLooks == 1 ? (t + by) % 32
                                                           : uint32_t(evaluate(*stmt.exprs[0], t)) % 32;
        set(t, stmt.target, pack(exchanged_[t / 32 * 32 + lane]), Type::u32);
      });
      break;
    }
    case Kind::barrier: meet(mask); break;
    case Kind::setShared:
      each(mask, [&](unsigned t) {
        const uint32_t value = wordOf(*stmt.exprs[0], t);
        Word &word = shared_[stmt.target][t];
        if (word.read == time_ && (word.severalReaders || word.reader != t))
          throw Undefined("a race");
        word.value = value;
        word.written = time_;
        word.writer = t;
      });
      break;
    case Kind::shrink: {
      each(mask, [&](unsigned t) { tree_[t] = wordOf(*stmt.exprs[0], t); });
      meet(mask);
      unsigned first = count_;
      each(mask, [&](unsigned t) { first = std::min(first, t); });
      for (int width = std::min(int(evaluate(*stmt.exprs[1], first)), 256); width > 0; width /= 2) {
        each(mask, [&](unsigned t) {
          if (int(threads_[t].ids[0]) < width && threads_[t].ids[0] + unsigned(width) < kernel_.block[0])
            tree_[t] = tree_[t] * 3 + tree_[t + unsigned(width)];
        });
      }
      each(mask, [&](unsigned t) { set(t, stmt.target, pack(tree_[t]), Type::u32); });
      break;
    }
    case Kind::stride:
      each(mask, [&](unsigned t) {
        const unsigned kinds[] = {kStrides[0], kStrides[1],      kStrides[2],      kStrides[3],
                                  kStrides[4], kernel_.block[0], kernel_.block[0], kernel_.block[0] * kernel_.grid[0]};
        uint32_t sum = wordOf(*stmt.exprs[0], t);
        const unsigned base = stmt.variant & 8 ? group_[0] * kernel_.block[0] : stmt.variant & 16 ? 5 : 0;
        const int limit = stmt.variant & 32 ? std::min(int(evaluate(*stmt.exprs[1], t)), 64) : 59;
        for (int i = int(base + threads_[t].ids[0]); i < limit; i += int(kinds[stmt.variant % 8]))
          sum = sum * 5 + uint32_t(inputAt(2, unsigned(i)));
        set(t, stmt.target, pack(sum), Type::u32);
      });
      break;
    case Kind::keep:
      each(mask, [&](unsigned t) {
        uint32_t own = stmt.variant % 4 == 0   ? threads_[t].ids[unsigned(Id::linear)]
                       : stmt.variant % 4 == 1 ? threads_[t].ids[0] * 3
                                               : wordOf(*stmt.exprs[0], t);
        const uint32_t among = wordOf(*stmt.exprs[1], t);
        uint32_t kept = own;
        for (unsigned i = 0; i < roundsOfKeep(unsigned(kernel_.parameters[stmt.target % kParameters]));
             ++i, own += kStepsOfKeep[stmt.variant / 8 % 4])
          kept = (i & among) == 0 ? own : kept;
        set(t, stmt.target, pack(kept), Type::u32);
      });
      break;
    case Kind::shuffle: shuffle(stmt, mask); break;
    case Kind::vote: vote(stmt, mask); break;
    case Kind::blockVote: {
      unsigned set_ = 0, present = 0;
      each(mask, [&](unsigned t) {
        ++present;
        set_ += truth(*stmt.exprs[0], t);
      });
      meet(mask);
      const int result = stmt.variant == 0 ? int(set_) : stmt.variant == 1 ? set_ != 0 : set_ == present;
      each(mask, [&](unsigned t) { set(t, stmt.target, pack(result), Type::i32); });
      break;
    }
    case Kind::atomic:
      each(mask, [&](unsigned t) {
        const uint32_t value = uint32_t(evaluate(*stmt.exprs[0], t));
        uint32_t &slot = results_.slots[stmt.target];
        switch (stmt.variant) {
        case 0: slot += value; break;
        case 1: slot = slot < value ? value : slot; break;
        case 2: slot ^= value; break;
        case 3: slot |= value; break;
        default: slot = slot > value ? value : slot; break;
        }
      });
      break;
    case Kind::once: results_.slots[stmt.target] = 1; break;
    case Kind::append:
      each(mask, [&](unsigned t) {
        if (results_.lists[stmt.target].size() + 1 == kListItems)
          throw Undefined("a list that is too long");
        results_.lists[stmt.target].push_back(uint32_t(evaluate(*stmt.exprs[0], t)));
      });
      break;
    case Kind::count:
      each(mask, [&](unsigned t) {
        Word &word = bins_[indexOf(*stmt.exprs[0], t, kBins)];
        if (word.read == time_)
          throw Undefined("a race");
        word.value += uint32_t(evaluate(*stmt.exprs[1], t));
        word.written = time_;
      });
      break;
    case Kind::store:
      each(mask, [&](unsigned t) {
        const unsigned at =
            outputAt(kernel_.outputForms[stmt.target], threads_[t].ids[size_t(Id::global)], count_ * kernel_.blocks());
        results_.outputs[stmt.target][at] = resultOf(evaluate(*stmt.exprs[0], t), kOutputTypes[stmt.target]);
      });
      break;
    }
  }

  std::vector<uint64_t> resultsOf(const Function &function, const Mask &mask) {
    std::vector<uint64_t> given(count_);
    Mask inside = mask;
    Exits own;
    own.given = &given;
    execute(function.body, inside, own);
    return given;
  }

  uint32_t wordOf(const Expr &e, unsigned t) { return uint32_t(convertBits(evaluate(e, t), e.type, Type::u32)); }

  void set(unsigned t, unsigned variable, uint64_t bits, Type type) {
    const Type to = kernel_.variables[variable];
    if (isFloat(type) && !isFloat(to)) { // as the source's toInt
      const double value = unpack<double>(convertBits(bits, type, Type::f64));
      bits = pack(value > -1000000.0 && value < 1000000.0 ? int(value) : 7);
      type = Type::i32;
    }
    threads_[t].variables[variable] = convertBits(bits, type, to);
  }

  void loop(const Stmt &stmt, Mask &mask, const Exits &exits) {
    const LoopForm form = LoopForm(stmt.variant);
    const auto counter = [&](unsigned t) -> uint32_t & { return threads_[t].counters[stmt.target]; };
    std::vector<uint32_t> end(count_);
    each(mask, [&](unsigned t) {
      end[t] = uint32_t(evaluate(*stmt.exprs[0], t));
      counter(t) = form == LoopForm::down ? end[t] : 0;
    });
    Mask inside = mask, over(count_);
    for (bool first = true;; first = false) {
      if (!first || form != LoopForm::doLoop)
        each(inside, [&](unsigned t) {
          const bool on = form == LoopForm::down ? counter(t) > 0 : counter(t) < end[t];
          if (!on || (form == LoopForm::upWhile && !truth(*stmt.exprs[1], t))) {
            inside[t] = 0;
            over[t] = 1;
          }
        });
      if (!any(inside))
        break;
      if (form == LoopForm::whileLoop)
        each(inside, [&](unsigned t) { ++counter(t); });
      Mask left(count_), continued(count_);
      Exits own = exits;
      own.left = &left;
      own.continued = &continued;
      execute(stmt.bodies[0], inside, own);
      add(over, left);
      add(inside, continued);
      if (form != LoopForm::whileLoop)
        each(inside, [&](unsigned t) { counter(t) += form == LoopForm::down ? -1u : 1u; });
    }
    mask = over;
  }

  void shuffle(const Stmt &stmt, const Mask &mask) {
    static constexpr unsigned kWidths[] = {32, 8, 16};
    const unsigned width = kWidths[stmt.variant / kShuffles];
    std::vector<uint64_t> values(count_), found(count_);
    each(mask, [&](unsigned t) { values[t] = evaluate(*stmt.exprs[0], t); });
    each(mask, [&](unsigned t) {
      const unsigned lane = t % 32, inside = lane % width, begin = lane - inside;
      const unsigned argument = uint32_t(evaluate(*stmt.exprs[1], t));
      unsigned from = inside;
      switch (stmt.variant % kShuffles) {
      case 0: from = begin + width > (lane ^ argument) ? (lane ^ argument) - begin : inside; break;
      case 1: from = inside >= argument ? inside - argument : inside; break;
      case 2: from = inside + argument < width ? inside + argument : inside; break;
      case 3: from = argument % width; break;
      default: from = (lane + argument) % width; break;
      }
      const unsigned source = t - inside + from; // of an earlier part by ^, where it wraps
      found[t] = source < count_ && mask[source] ? values[source] : 0;
    });
    each(mask, [&](unsigned t) { set(t, stmt.target, found[t], stmt.exprs[0]->type); });
  }

  void vote(const Stmt &stmt, const Mask &mask) {
    std::vector<uint32_t> present(count_ / 32 + 1), set_(count_ / 32 + 1);
    each(mask, [&](unsigned t) {
      present[t / 32] |= 1u << (t % 32);
      set_[t / 32] |= uint32_t(stmt.variant >= 4 && stmt.variant <= 5 ? true : truth(*stmt.exprs[0], t)) << (t % 32);
    });
    each(mask, [&](unsigned t) {
      const uint32_t bits = set_[t / 32];
      switch (stmt.variant) {
      case 0: return set(t, stmt.target, pack(int(bits != 0)), Type::i32);
      case 1: return set(t, stmt.target, pack(int(bits == present[t / 32])), Type::i32);
      case 2:
      case 4: return set(t, stmt.target, pack(bits), Type::u32);
      case 3:
      case 5: return set(t, stmt.target, pack(std::popcount(bits)), Type::i32);
      case 6: return set(t, stmt.target, pack(bits == 0 ? 0 : std::countr_zero(bits) + 1), Type::i32);
      default: return set(t, stmt.target, pack(std::popcount(bits & ((1u << (t % 32)) - 1))), Type::i32);
      }
    });
  }
};

} // namespace

Results interpret(const Kernel &kernel) { return Interpreter(kernel).run(); }

} // namespace fuzz
