// SPDX-License-Identifier: MIT
// A random kernel as a tree. source.cpp prints it as HIP, interpreter.cpp executes it as it is meant: all threads of a block
// step by step together, each statement for the threads whose control flow has come there. Operations stand in the tree as
// programs have them, with guards in front of those that could be undefined; the interpreter throws Undefined if a guard lacks.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace fuzz {

enum class Type { i8, u8, i16, u16, i32, u32, i64, u64, f32, f64 };
inline bool isFloat(Type type) { return type == Type::f32 || type == Type::f64; }
inline unsigned bitsOf(Type type) {
  constexpr unsigned kBits[] = {8, 8, 16, 16, 32, 32, 64, 64, 32, 64};
  return kBits[int(type)];
}
inline bool isSigned(Type type) { return !isFloat(type) && int(type) % 2 == 0; }

/// Numbers that a thread, a block or a launch has: unsigned. The first kVarying differ within a block.
enum class Id {
  x,
  y,
  z,
  linear,
  lane,
  globalX,
  global,
  warp,
  blockX,
  blockY,
  blockZ,
  sizeX,
  sizeY,
  gridX,
  gridY,
  count
};
constexpr unsigned kVaryingIds = 8;

enum class Op {
  constant, // leaves
  variable,
  temporary, ///< a constant of the block around it
  counter,   ///< of a loop
  id,
  parameter,
  load,    ///< from one of the inputs; with an index, as the next three
  element, ///< of a private array
  member,  ///< of the private structure (without an index)
  shared,  ///< of an array that threads have together
  bin,     ///< of the counts that threads have together
  add,     // operators of two operands of one type
  subtract,
  multiply,
  plainAdd, ///< of int, where overflow would be undefined
  plainSubtract,
  plainMultiply,
  divide,
  remainder,
  bitAnd,
  bitOr,
  bitXor,
  shiftLeft,
  shiftRight,
  minimum,
  maximum,
  less, // conditions: int
  lessEqual,
  equal,
  notEqual,
  both,
  either,
  isFalse,
  choose,
  convert,
  squareRoot, ///< of int by way of float
  countBits,
  recurse,
  callPointer,
};

struct Expr {
  Op op;
  Type type;
  uint64_t value = 0; ///< constant: its bits; otherwise the number of the variable, array, ...
  std::vector<std::shared_ptr<const Expr>> args;
};
using ExprPtr = std::shared_ptr<const Expr>;

enum class Kind {
  assign,    ///< to a variable, element or member
  assignOne, ///< through a pointer to one of two variables of a type
  define,    ///< a temporary
  branch,
  loop,
  leaveLoop,
  nextRound,
  choice,
  leave,
  giveBack, ///< out of a function
  call,
  again, ///< the function around it calls itself, if its depth allows and a condition holds
  barrier,
  setShared, ///< the thread's own word
  put,       ///< the thread's own word of those that lanes of a warp exchange without a barrier
  look,      ///< another lane's
  shrink,    ///< a tree in shared memory, in which fewer and fewer threads of a row work
  stride,    ///< a loop over the inputs that begins at the thread's x and leaps over those of the others
  keep,      ///< a loop over a variable without an initial value, which the first round sets and later ones may
  shuffle,
  vote,
  blockVote, ///< a vote that is a barrier, too
  atomic,
  once,   ///< one of all threads that come there counts
  append, ///< to a list, whose order is anybody's
  count,  ///< into a bin
  store,  ///< to one of the outputs, where each thread has its own element
};

/// Forms of a loop: which values the counter has, and when it is compared.
enum class LoopForm { up, down, whileLoop, doLoop, upWhile };

struct Stmt {
  Kind kind = Kind::assign;
  unsigned target = 0;  ///< variable, array, counter or temporary
  unsigned variant = 0; ///< of an operation, or its form
  std::vector<ExprPtr> exprs;
  std::vector<std::vector<Stmt>> bodies; ///< of a branch two, of a choice the cases and the default
};

constexpr unsigned kVariables = 6, kArrays = 2, kArrayItems = 8, kMembers = 5, kShared = 2, kBins = 16, kSlots = 8,
                   kLists = 2;
constexpr unsigned kInputs = 5, kInputItems = 1024, kOutputs = 5, kOutputSpread = 3, kParameters = 6,
                   kMostThreads = 6144;
constexpr unsigned kListItems = 1 << 17;
constexpr unsigned kStrides[] = {1, 7, 16, 33, 64}; // of stmt.variant % 8; beyond it, what the block or the grid has
constexpr unsigned kStepsOfKeep[] = {0, 1, 5, 64};
inline unsigned roundsOfKeep(unsigned parameter) { return 2 + parameter % 8; } ///< which no compiler knows
constexpr unsigned kLooks = 3;                                                 // ways to name the other lane
constexpr unsigned kShuffles = 5, kVotes = 8, kBlockVotes = 3, kAtomics = 5, kAppends = 3, kPointers = 3;
constexpr unsigned kCompared = 4;             // ways to compare in a tree
constexpr unsigned kResults = kVariables + 1; // words of each thread
constexpr Type kInputTypes[] = {Type::u8, Type::i16, Type::i32, Type::i64, Type::f32};
constexpr Type kOutputTypes[] = {Type::i8, Type::i16, Type::i32, Type::i64, Type::f32};
constexpr Type kMemberTypes[] = {Type::i8, Type::i32, Type::i16, Type::f32, Type::i64};

/// A device function of a kernel: the first two of its variables are its parameters.
struct Function {
  std::array<unsigned, 3> variables;
  std::vector<Stmt> body; ///< the last statement is a giveBack
  Type result = Type::i32;
  bool separate = false;       ///< not inlined
  bool throughPointer = false; ///< called through a pointer in memory
  unsigned depth = 0;          ///< how often it may call itself
};

struct Kernel {
  std::vector<Type> variables; ///< the kernel's own, then those of functions
  std::array<Type, kArrays> arrays;
  std::vector<Function> functions;
  std::vector<Type> temporaries;
  unsigned counters = 0;
  std::vector<Stmt> body;
  std::array<unsigned, 3> grid{1, 1, 1};
  std::array<unsigned, 3> block{1, 1, 1};
  std::array<int, kParameters> parameters;
  std::array<unsigned, kOutputs> outputForms; ///< where a thread's element is
  bool restricted = false;                    ///< parameters are __restrict__
  bool alone =
      false; ///< threads have nothing in common but atomics: no shared memory, barriers and operations of warps
  unsigned blocks() const { return grid[0] * grid[1] * grid[2]; }
  unsigned threads() const { return block[0] * block[1] * block[2]; }
};

/// Where a thread's element in an output is.
inline unsigned outputAt(unsigned form, unsigned global, unsigned total) {
  return form == 0 ? global : form == 1 ? global * kOutputSpread + 1 : total - 1 - global;
}

/// The same for the same seed.
Kernel makeKernel(uint64_t seed);

/// True if every name is used in its scope, and `break` and the like stand where they may.
bool wellFormed(const Kernel &kernel);

/// The kernel as HIP source; `name` is extern "C".
std::string sourceOf(const Kernel &kernel, const std::string &name);
/// The text that stands in front of the kernels of a file.
std::string prelude();

struct Results {
  std::vector<uint64_t> words;                         ///< kResults of each thread
  std::array<std::vector<uint64_t>, kOutputs> outputs; ///< packed as the interpreter does
  std::array<uint32_t, kSlots> slots{};
  std::array<std::vector<uint32_t>, kLists> lists; ///< sorted
  bool operator==(const Results &) const = default;
};

/// The kernel does what its language does not define, or takes too long; it is the generator's fault, or the reducer's.
struct Undefined : std::runtime_error {
  using std::runtime_error::runtime_error;
};
Results interpret(const Kernel &kernel);

/// A change that makes a kernel smaller.
using Edit = size_t;
/// All of them, those that take most away first.
std::vector<Edit> editsOf(const Kernel &kernel);
/// The kernel with some of them; none if there is one that it does not have.
std::optional<Kernel> withEdits(const Kernel &kernel, std::vector<Edit> edits);

} // namespace fuzz
