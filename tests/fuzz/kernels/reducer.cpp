// SPDX-License-Identifier: MIT
// Smaller variants of a tree: a statement left out or replaced by what is in it, an expression replaced by a constant or an
// operand, a smaller grid or block. Which of them are kernels wellFormed() says, and whether they are defined the interpreter.
#include "program.h"

#include <algorithm>

namespace fuzz {
namespace {

/// Goes over a kernel's statement lists and expressions in a fixed order, and changes the place that has a number.
class Editor {
public:
  Editor(Kernel &kernel, size_t wanted) : kernel_(kernel), wanted_(wanted) {}

  /// False if there are fewer places.
  bool edit() {
    statements(kernel_.body);
    for (Function &function : kernel_.functions)
      statements(function.body);
    return done_;
  }

private:
  bool here() { return !done_ && at_++ == wanted_; }

  void statements(std::vector<Stmt> &list) {
    for (size_t i = 0; i < list.size() && !done_; ++i) {
      if (here()) {
        list.erase(list.begin() + long(i));
        done_ = true;
        return;
      }
      for (size_t b = 0; b < list[i].bodies.size(); ++b)
        if (!list[i].bodies[b].empty() && here()) {
          std::vector<Stmt> inner = list[i].bodies[b];
          list.erase(list.begin() + long(i));
          list.insert(list.begin() + long(i), inner.begin(), inner.end());
          done_ = true;
          return;
        }
    }
    for (Stmt &stmt : list) {
      for (size_t e = stmt.kind == Kind::assign ? 1 : 0; e < stmt.exprs.size() && !done_; ++e)
        stmt.exprs[e] = expression(stmt.exprs[e]);
      for (auto &body : stmt.bodies)
        if (!done_)
          statements(body);
    }
  }

  ExprPtr expression(const ExprPtr &e) {
    if (done_ || e->op == Op::constant)
      return e;
    for (uint64_t value : {0, 1})
      if (here()) {
        done_ = true;
        return std::make_shared<Expr>(Expr{Op::constant, e->type, isFloat(e->type) ? value + 1000 : value, {}});
      }
    for (const auto &arg : e->args)
      if (arg->type == e->type && here()) {
        done_ = true;
        return arg;
      }
    auto changed = std::make_shared<Expr>(*e);
    for (auto &arg : changed->args)
      arg = expression(arg);
    return done_ ? changed : e;
  }

  Kernel &kernel_;
  size_t wanted_, at_ = 0;
  bool done_ = false;
};

/// Names in scope, and what statements may stand where.
class Checker {
public:
  explicit Checker(const Kernel &kernel) : kernel_(kernel) {}

  bool check() {
    for (const Function &function : kernel_.functions) {
      if (function.body.empty() || function.body.back().kind != Kind::giveBack ||
          function.body.back().exprs.size() != 1)
        return false;
      inFunction_ = true;
      statements(function.body, false, false);
    }
    inFunction_ = false;
    statements(kernel_.body, false, false);
    return fine_;
  }

private:
  void statements(const std::vector<Stmt> &list, bool mayBreak, bool mayContinue) {
    const size_t names = temporaries_.size();
    for (const Stmt &stmt : list) {
      for (const auto &e : stmt.exprs)
        expression(*e);
      switch (stmt.kind) {
      case Kind::define: temporaries_.push_back(stmt.target); break;
      case Kind::leaveLoop: fine_ = fine_ && mayBreak; break;
      case Kind::nextRound: fine_ = fine_ && mayContinue; break;
      case Kind::giveBack: fine_ = fine_ && inFunction_; break;
      case Kind::leave: fine_ = fine_ && !inFunction_; break;
      case Kind::again: fine_ = fine_ && inFunction_; break;
      default: break;
      }
      const bool loop = stmt.kind == Kind::loop;
      if (loop)
        counters_.push_back(stmt.target);
      for (const auto &body : stmt.bodies)
        statements(body, loop || (mayBreak && stmt.kind != Kind::choice), loop || mayContinue);
      if (loop)
        counters_.pop_back();
    }
    temporaries_.resize(names);
  }
  void expression(const Expr &e) {
    const auto has = [&](const std::vector<unsigned> &names) {
      return std::find(names.begin(), names.end(), e.value) != names.end();
    };
    if ((e.op == Op::temporary && !has(temporaries_)) || (e.op == Op::counter && !has(counters_)))
      fine_ = false;
    for (const auto &arg : e.args)
      expression(*arg);
  }

  const Kernel &kernel_;
  std::vector<unsigned> temporaries_, counters_;
  bool inFunction_ = false, fine_ = true;
};

constexpr Edit kShapeEdits = 4;

size_t sizeOf(const Expr &e) {
  size_t size = 1;
  for (const auto &arg : e.args)
    size += sizeOf(*arg);
  return size;
}
size_t sizeOf(const std::vector<Stmt> &list) {
  size_t size = 0;
  for (const Stmt &stmt : list) {
    size += 3;
    for (const auto &e : stmt.exprs)
      size += sizeOf(*e);
    for (const auto &body : stmt.bodies)
      size += sizeOf(body);
  }
  return size;
}
size_t sizeOf(const Kernel &kernel) {
  size_t size = sizeOf(kernel.body) + kernel.blocks();
  for (const Function &function : kernel.functions)
    size += sizeOf(function.body);
  return size;
}

bool calls(const std::vector<Stmt> &list) {
  return std::any_of(list.begin(), list.end(), [](const Stmt &stmt) {
    return stmt.kind == Kind::call || std::any_of(stmt.bodies.begin(), stmt.bodies.end(), calls);
  });
}

} // namespace

bool wellFormed(const Kernel &kernel) { return Checker(kernel).check(); }

std::vector<Edit> editsOf(const Kernel &kernel) {
  std::vector<std::pair<size_t, Edit>> sized;
  for (size_t place = 0;; ++place) {
    const auto edited = withEdits(kernel, {place});
    if (!edited)
      break;
    if (place < kShapeEdits && sizeOf(*edited) == sizeOf(kernel))
      continue; // it changes nothing
    sized.emplace_back(sizeOf(*edited), place);
  }
  std::stable_sort(sized.begin(), sized.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
  std::vector<Edit> result;
  for (const auto &[size, edit] : sized)
    result.push_back(edit);
  return result;
}

std::optional<Kernel> withEdits(const Kernel &kernel, std::vector<Edit> edits) {
  Kernel result = kernel;
  std::sort(edits.begin(), edits.end(), std::greater<>()); // what comes later does not move what comes before
  for (Edit edit : edits) {
    if (edit >= kShapeEdits && !Editor(result, edit - kShapeEdits).edit())
      return std::nullopt;
    if (edit < 3)
      result.grid[edit] = 1;
    if (edit == 3 && !calls(result.body))
      result.functions.clear();
  }
  return result;
}

} // namespace fuzz
