// SPDX-License-Identifier: MIT
// A random kernel as a tree. source.cpp prints it as HIP, interpreter.cpp executes it as it is meant: all threads of a block
// step by step together, each statement for the threads whose control flow has come there. Nothing in a tree is undefined: no
// races, no signed overflow, no division by zero, no conversion out of range.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fuzz {

enum class Type { i8, u16, i32, u32, i64, u64, f32, f64 };
inline bool isFloat(Type type) { return type == Type::f32 || type == Type::f64; }
inline unsigned bitsOf(Type type) {
  constexpr unsigned kBits[] = {8, 16, 32, 32, 64, 64, 32, 64};
  return kBits[int(type)];
}

enum class Op {
  constant,
  variable,
  counter,
  thread,
  lane,
  block, ///< its number: x, y or z, or where the thread is in x among all of the grid
  along, ///< what stands behind the inputs at that place, or at the place of the thread in rows of 20
  input,
  element, // leaves; `element` of a private array has an index
  add,
  subtract,
  multiply,
  divide,
  remainder,
  bitAnd,
  bitOr,
  bitXor,
  shiftLeft,
  shiftRight,
  minimum,
  maximum,
  less,
  equal,
  choose,
  convert,
  recurse,
  callPointer,
};

struct Expr {
  Op op;
  Type type;
  uint64_t value = 0; ///< constant: its bits; variable, counter, array, dimension: its number
  std::vector<std::unique_ptr<Expr>> args;
};
using ExprPtr = std::unique_ptr<Expr>;

enum class Kind {
  assign,
  storeElement,
  branch,
  loop,
  leaveLoop,
  nextRound,
  choice,
  leave,
  exchange, ///< through shared memory, with barriers around
  shrink,   ///< a tree in shared memory, in which fewer and fewer threads of a row work
  stride,   ///< a loop over the inputs that begins at the thread's x and leaps over those of the others
  shuffle,
  vote,
  atomic,
};

struct Stmt {
  Kind kind = Kind::assign;
  unsigned target = 0;  ///< variable, array or counter
  unsigned variant = 0; ///< of shuffle, vote and atomic; the distance of an exchange, the width of a tree, a stride
  std::vector<ExprPtr> exprs;            ///< value; index and value; condition; number of rounds; selector
  std::vector<std::vector<Stmt>> bodies; ///< of a branch two, of a choice the cases and the default
};

constexpr unsigned kVariables = 6, kArrays = 2, kArrayItems = 8, kCounters = 4, kSlots = 4, kInputs = 64, kAlong = 2048;
constexpr unsigned kStrides[] = {1, 7, 16, 33, 64}; // of stmt.variant % 8; beyond it, what the block or the grid has
constexpr unsigned kShuffles = 5, kVotes = 4, kAtomics = 5, kPointers = 3;

struct Kernel {
  std::array<Type, kVariables> variables;
  std::array<Type, kArrays> arrays;
  std::vector<Stmt> body;
  std::array<unsigned, 3> grid{1, 1, 1};
  std::array<unsigned, 3> block{1, 1, 1};
  bool alone =
      false; ///< threads have nothing in common but the slots: no shared memory, barriers and operations of warps
  unsigned blocks() const { return grid[0] * grid[1] * grid[2]; }
  unsigned threads() const { return block[0] * block[1] * block[2]; }
};

/// What stands at a place behind the inputs.
inline uint32_t alongAt(uint32_t place) { return (place + 7) * 2246822519u; }

/// The same for the same seed.
Kernel makeKernel(uint64_t seed);

/// The kernel as HIP source; `name` is extern "C". It takes (const unsigned *inputs, unsigned long long *out, unsigned *slots).
std::string sourceOf(const Kernel &kernel, const std::string &name);
/// What all kernels of a file need in front of them.
std::string prelude();

/// The 64-bit results of all threads (kVariables each), followed by the kSlots words of the atomics.
std::vector<uint64_t> interpret(const Kernel &kernel, const std::array<uint32_t, kInputs> &inputs);

} // namespace fuzz
