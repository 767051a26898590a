// SPDX-License-Identifier: MIT
// Trees as HIP source.
#include "program.h"

namespace fuzz {
namespace {

const char *nameOf(Type type) {
  static const char *const kNames[] = {"signed char", "unsigned char", "short",     "unsigned short",
                                       "int",         "unsigned",      "long long", "unsigned long long",
                                       "float",       "double"};
  return kNames[int(type)];
}
const char *unsignedOf(Type type) { return bitsOf(type) == 64 ? "unsigned long long" : "unsigned"; }

std::string cast(Type type, const std::string &value) { return std::string("(") + nameOf(type) + ")(" + value + ")"; }
std::string number(uint64_t value) { return std::to_string(value); }

/// The conversion from one type to another: defined for every value.
std::string converted(Type to, Type from, const std::string &value) {
  return cast(to, isFloat(from) && !isFloat(to) ? "toInt(" + value + ")" : value);
}

class Printer {
public:
  explicit Printer(const Kernel &kernel) : kernel_(kernel) {}

  std::string print(const std::string &name) {
    for (size_t f = 0; f < kernel_.functions.size(); ++f)
      function(f, name);
    name_ = name;
    const std::string own = kernel_.restricted ? " *__restrict__ " : " *";
    text_ += "extern \"C\" __global__ void " + name + "(";
    for (unsigned i = 0; i < kInputs; ++i)
      text_ += std::string("const ") + nameOf(kInputTypes[i]) + own + "in" + number(i) + ", ";
    for (unsigned i = 0; i < kOutputs; ++i)
      text_ += nameOf(kOutputTypes[i]) + own + "o" + number(i) + ", ";
    text_ += "unsigned long long" + own + "out, unsigned" + own + "slots, unsigned" + own + "lists";
    for (unsigned i = 0; i < kParameters; ++i)
      text_ += ", int p" + number(i);
    text_ += ") {\n";
    line("const unsigned linear = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;");
    line("const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;");
    line("const unsigned global = block * (blockDim.x * blockDim.y * blockDim.z) + linear;");
    for (unsigned v = 0; v < kVariables; ++v)
      line(std::string(nameOf(kernel_.variables[v])) + " v" + number(v) + " = " +
           cast(kernel_.variables[v], "linear + " + number(v)) + ";");
    for (unsigned a = 0; a < kArrays; ++a) {
      line(std::string(nameOf(kernel_.arrays[a])) + " a" + number(a) + "[" + number(kArrayItems) + "];");
      line("for (unsigned i = 0; i < " + number(kArrayItems) + "; ++i) a" + number(a) +
           "[i] = " + cast(kernel_.arrays[a], "linear * 3 + i") + ";");
    }
    line("Members m;");
    for (unsigned m = 0; m < kMembers; ++m)
      line("m.m" + number(m) + " = " + cast(kMemberTypes[m], "linear + " + number(m)) + ";");
    if (kernel_.alone) {
      line("unsigned *ex = nullptr;");
    } else {
      const std::string threads = number(kernel_.threads());
      const std::string lanes = number((kernel_.threads() + 31) / 32 * 32);
      line("__shared__ unsigned s0[" + threads + "], s1[" + threads + "], tree[" + threads + "], bins[" +
           number(kBins) + "], ex[" + lanes + "];");
      line("for (unsigned i = linear; i < " + lanes + "; i += " + threads + ") ex[i] = 0;");
      line("s0[linear] = s1[linear] = tree[linear] = 0;");
      line("for (unsigned i = linear; i < " + number(kBins) + "; i += " + threads + ") bins[i] = 0;");
      line("__syncthreads();");
    }
    for (const Stmt &stmt : kernel_.body)
      print(stmt);
    results();
    text_ += "}\n";
    return text_;
  }

private:
  void line(const std::string &text) { text_ += std::string(indent_, ' ') + text + "\n"; }

  void function(size_t which, const std::string &kernel) {
    const Function &function = kernel_.functions[which];
    const auto parameter = [&](unsigned i) {
      const unsigned v = function.variables[i];
      return std::string(nameOf(kernel_.variables[v])) + " v" + number(v);
    };
    text_ +=
        std::string("__device__ ") + (function.separate ? "__attribute__((noinline)) " : "") + nameOf(function.result) +
        " " + kernel + "f" + number(which) + "(" + parameter(0) + ", " + parameter(1) + ", const unsigned char *in0, " +
        "const short *in1, const int *in2, const long long *in3, const float *in4, unsigned linear, unsigned block, "
        "unsigned global";
    for (unsigned i = 0; i < kParameters; ++i)
      text_ += ", int p" + number(i);
    text_ += ", unsigned *ex, int depth) {\n";
    line(parameter(2) + " = 0;");
    around_ = kernel + "f" + number(which);
    for (const Stmt &stmt : function.body)
      print(stmt);
    text_ += "}\n";
    if (function.throughPointer)
      text_ += "__device__ auto *" + kernel + "q" + number(which) + " = " + around_ + ";\n";
  }

  std::string callOf(const std::string &function, const Stmt &stmt, const std::string &depth) {
    std::string call = function + "(" + text(*stmt.exprs[0]) + ", " + text(*stmt.exprs[1]) +
                       ", in0, in1, in2, in3, in4, linear, block, global";
    for (unsigned i = 0; i < kParameters; ++i)
      call += ", p" + number(i);
    return call + ", ex, " + depth + ")";
  }

  void results() {
    const std::string at = "out[size_t(global) * " + number(kResults) + " + ";
    for (unsigned v = 0; v < kVariables; ++v)
      line(at + number(v) + "] = bits(v" + number(v) + ");");
    line("{");
    line("  unsigned long long h = 0;");
    for (unsigned m = 0; m < kMembers; ++m)
      line("  h = h * 31 + bits(m.m" + number(m) + ");");
    for (unsigned a = 0; a < kArrays; ++a)
      line("  for (int i = 0; i < " + number(kArrayItems) + "; ++i) h = h * 31 + bits(a" + number(a) + "[i]);");
    line("  " + at + number(kVariables) + "] = h;");
    line("}");
  }

  void body(const std::vector<Stmt> &statements) {
    indent_ += 2;
    for (const Stmt &stmt : statements)
      print(stmt);
    indent_ -= 2;
  }

  std::string setTo(unsigned variable, Type from, const std::string &value) {
    return "v" + number(variable) + " = " + converted(kernel_.variables[variable], from, value) + ";";
  }

  void print(const Stmt &stmt) {
    auto expr = [&](unsigned i) { return text(*stmt.exprs[i]); };
    switch (stmt.kind) {
    case Kind::assign: line(expr(0) + " = " + expr(1) + ";"); break;
    case Kind::assignOne: {
      const std::string type = nameOf(kernel_.variables[stmt.target]);
      line("{");
      line("  const " + type + " value = " + expr(1) + ";");
      line("  " + type + " *to = " + condition(*stmt.exprs[0]) + " ? &v" + number(stmt.target) + " : &v" +
           number(stmt.variant) + ";");
      line("  *to = value;");
      line("}");
      break;
    }
    case Kind::define:
      line(std::string("const ") + nameOf(kernel_.temporaries[stmt.target]) + " t" + number(stmt.target) + " = " +
           expr(0) + ";");
      break;
    case Kind::branch:
      line("if (" + condition(*stmt.exprs[0]) + ") {");
      body(stmt.bodies[0]);
      if (!stmt.bodies[1].empty()) {
        line("} else {");
        body(stmt.bodies[1]);
      }
      line("}");
      break;
    case Kind::loop: {
      const std::string c = "c" + number(stmt.target), e = "e" + number(stmt.target);
      const std::string begin = "for (unsigned " + c + " = 0, " + e + " = " + expr(0) + "; " + c + " < " + e;
      switch (LoopForm(stmt.variant)) {
      case LoopForm::up: line(begin + "; ++" + c + ") {"); break;
      case LoopForm::upWhile: line(begin + " && " + condition(*stmt.exprs[1]) + "; ++" + c + ") {"); break;
      case LoopForm::down: line("for (unsigned " + c + " = " + expr(0) + "; " + c + " > 0; --" + c + ") {"); break;
      case LoopForm::whileLoop:
        line("for (unsigned " + c + " = 0, " + e + " = " + expr(0) + "; " + c + " < " + e + ";) {");
        line("  ++" + c + ";");
        break;
      case LoopForm::doLoop:
        line("{");
        line("unsigned " + c + " = 0, " + e + " = " + expr(0) + ";");
        line("do {");
        break;
      }
      body(stmt.bodies[0]);
      line(LoopForm(stmt.variant) == LoopForm::doLoop ? "} while (++" + c + " < " + e + "); }" : "}");
      break;
    }
    case Kind::leaveLoop: line("if (" + condition(*stmt.exprs[0]) + ") break;"); break;
    case Kind::nextRound: line("if (" + condition(*stmt.exprs[0]) + ") continue;"); break;
    case Kind::choice:
      line("switch (" + expr(0) + ") {");
      for (size_t i = 0; i < stmt.bodies.size(); ++i) {
        line(i + 1 < stmt.bodies.size() ? "case " + number(i) + ": {" : "default: {");
        body(stmt.bodies[i]);
        line(stmt.variant >> i & 1 ? "}" : "} break;");
      }
      line("}");
      break;
    case Kind::leave:
      line("if (" + condition(*stmt.exprs[0]) + ") {");
      indent_ += 2;
      results();
      line("return;");
      indent_ -= 2;
      line("}");
      break;
    case Kind::giveBack:
      line((stmt.exprs.size() == 1 ? "" : "if (" + condition(*stmt.exprs[0]) + ") ") + "return " +
           text(*stmt.exprs.back()) + ";");
      break;
    case Kind::call: {
      const Function &function = kernel_.functions[stmt.variant];
      const std::string name = name_ + (function.throughPointer ? "q" : "f") + number(stmt.variant);
      line(setTo(stmt.target, function.result, callOf(name, stmt, number(function.depth))));
      break;
    }
    case Kind::again:
      line("if (depth > 0 && " + condition(*stmt.exprs[2]) + ")");
      line("  " + setTo(stmt.target, kernel_.functions[stmt.variant].result, callOf(around_, stmt, "depth - 1")));
      break;
    case Kind::put: // the fences keep clang from knowing what is there
      line("ex[linear] = " + word(*stmt.exprs[0]) + ";");
      line("__threadfence_block();");
      break;
    case Kind::look: {
      const std::string by = number(1 + stmt.variant / kLooks % 31);
      const std::string lane = stmt.variant % kLooks == 0   ? "linear % 32 ^ " + by
                               : stmt.variant % kLooks == 1 ? "(linear + " + by + ") % 32"
                                                            : expr(0) + " % 32";
      line("__threadfence_block();");
      line(setTo(stmt.target, Type::u32, "ex[linear / 32 * 32 + (" + lane + ")]"));
      line("__threadfence_block();");
      break;
    }
    case Kind::barrier: line("__syncthreads();"); break;
    case Kind::setShared: line("s" + number(stmt.target) + "[linear] = " + word(*stmt.exprs[0]) + ";"); break;
    case Kind::shrink: {
      static const char *const kGuards[] = {"threadIdx.x < w", "(int)threadIdx.x <= w - 1", "!((int)threadIdx.x >= w)",
                                            "w > (int)threadIdx.x"};
      line("tree[linear] = " + word(*stmt.exprs[0]) + ";");
      line("__syncthreads();");
      line("for (int w = least(" + expr(1) + ", 256); w > 0; w " + (stmt.variant & 4 ? ">>= 1" : "/= 2") + ") {");
      line(std::string("  if (") + kGuards[stmt.variant % kCompared] +
           " && threadIdx.x + w < blockDim.x) tree[linear] = tree[linear] * 3 + tree[linear + w];");
      line("  __syncthreads();");
      line("}");
      line(setTo(stmt.target, Type::u32, "tree[linear]"));
      line("__syncthreads();");
      break;
    }
    case Kind::stride: {
      const unsigned kind = stmt.variant % 8;
      const std::string step = kind < 5   ? number(kStrides[kind])
                               : kind < 7 ? "blockDim.x"
                                          : "blockDim.x * gridDim.x",
                        base = stmt.variant & 8    ? "blockIdx.x * blockDim.x"
                               : stmt.variant & 16 ? "5"
                                                   : "0";
      line("{");
      line("  unsigned sum = " + word(*stmt.exprs[0]) + ";");
      line("  const int limit = " + (stmt.variant & 32 ? "least(" + expr(1) + ", 64)" : "59") + ";");
      line("  for (int i = " + base + " + threadIdx.x; i < limit; i += " + step + ") sum = sum * 5 + in2[i];");
      line("  " + setTo(stmt.target, Type::u32, "sum"));
      line("}");
      break;
    }
    case Kind::keep: {
      const std::string begin = stmt.variant % 4 == 0   ? "linear"
                                : stmt.variant % 4 == 1 ? "threadIdx.x * 3"
                                                        : word(*stmt.exprs[0]);
      line("{");
      line("  unsigned kept, own = " + begin + ";");
      line("  const unsigned mask = " + word(*stmt.exprs[1]) + ";");
      line("  for (unsigned i = 0; i < 2 + (unsigned)p" + number(stmt.target % kParameters) + " % 8; ++i) {");
      line(stmt.variant & 4 ? "    if ((i & mask) == 0) kept = own;" : "    kept = (i & mask) == 0 ? own : kept;");
      line("    own += " + number(kStepsOfKeep[stmt.variant / 8 % 4]) + ";");
      line("  }");
      line("  " + setTo(stmt.target, Type::u32, "kept"));
      line("}");
      break;
    }
    case Kind::shuffle: {
      static const char *const kNames[] = {"__shfl_xor", "__shfl_up", "__shfl_down", "__shfl", "__shfl"};
      static const char *const kWidths[] = {"", ", 8", ", 16"};
      const unsigned how = stmt.variant % kShuffles;
      const std::string argument = how == 4 ? "(int)(linear % 32 + " + expr(1) + ") % 32" : "(int)(" + expr(1) + ")";
      line(setTo(stmt.target, stmt.exprs[0]->type,
                 std::string(kNames[how]) + "(" + expr(0) + ", " + argument + kWidths[stmt.variant / kShuffles] + ")"));
      break;
    }
    case Kind::vote: {
      const std::string c = condition(*stmt.exprs[0]), set = "(unsigned)__ballot(" + c + ")";
      const std::string votes[] = {"__any(" + c + ")",
                                   "__all(" + c + ")",
                                   set,
                                   "__popc(" + set + ")",
                                   "(unsigned)__activemask()",
                                   "__popcll(__activemask())",
                                   "__ffs((int)" + set + ")",
                                   "__popc(" + set + " & ((1u << linear % 32) - 1))"};
      line(setTo(stmt.target, stmt.variant == 2 || stmt.variant == 4 ? Type::u32 : Type::i32, votes[stmt.variant]));
      break;
    }
    case Kind::blockVote: {
      static const char *const kNames[] = {"__syncthreads_count", "__syncthreads_or", "__syncthreads_and"};
      const std::string vote = std::string(kNames[stmt.variant]) + "(" + condition(*stmt.exprs[0]) + ")";
      line(setTo(stmt.target, Type::i32, stmt.variant == 0 ? vote : "(" + vote + " != 0)"));
      break;
    }
    case Kind::atomic: {
      static const char *const kNames[] = {"atomicAdd", "atomicMax", "atomicXor", "atomicOr", "atomicMin"};
      line(std::string(kNames[stmt.variant]) + "(&slots[" + number(stmt.target) + "], " + expr(0) + ");");
      break;
    }
    case Kind::once:
      line("if (atomicCAS(&slots[" + number(kSlots + stmt.target) + "], 0u, global + 1) == 0) atomicAdd(&slots[" +
           number(stmt.target) + "], 1u);");
      break;
    case Kind::append: append(stmt); break;
    case Kind::count: line("atomicAdd(&bins[" + expr(0) + "], " + expr(1) + ");"); break;
    case Kind::store: {
      static const char *const kPlaces[] = {
          "global", "3 * global + 1",
          "gridDim.x * gridDim.y * gridDim.z * blockDim.x * blockDim.y * blockDim.z - 1 - global"};
      line("o" + number(stmt.target) + "[" + kPlaces[kernel_.outputForms[stmt.target]] +
           "] = " + (isFloat(kOutputTypes[stmt.target]) ? "oneNaN(" + expr(0) + ")" : expr(0)) + ";");
      break;
    }
    }
  }

  void append(const Stmt &stmt) {
    const std::string count = "lists[" + number(uint64_t(stmt.target) * kListItems) + "]",
                      items = "lists[" + number(uint64_t(stmt.target) * kListItems + 1) + " + ";
    if (stmt.variant == 0)
      return line(items + "atomicAdd(&" + count + ", 1u)] = " + text(*stmt.exprs[0]) + ";");
    line("{");
    line("  const unsigned value = " + text(*stmt.exprs[0]) + ", lane = linear % 32;");
    line(std::string("  const unsigned active = (unsigned)") +
         (stmt.variant == 1 ? "__activemask();" : "__ballot(1);"));
    line("  const unsigned leader = __ffs((int)active) - 1;");
    line("  unsigned base = 0;");
    line("  if (lane == leader) base = atomicAdd(&" + count + ", (unsigned)__popc(active));");
    line("  base = __shfl(base, (int)leader);");
    line("  " + items + "base + __popc(active & ((1u << lane) - 1))] = value;");
    line("}");
  }

  std::string word(const Expr &e) { return "(unsigned)(" + text(e) + ")"; }

  /// An expression where C++ wants a truth value.
  std::string condition(const Expr &e) {
    const auto arg = [&](unsigned i) { return text(*e.args[i]); };
    switch (e.op) {
    case Op::less: return "(" + arg(0) + " < " + arg(1) + ")";
    case Op::lessEqual: return "(" + arg(0) + " <= " + arg(1) + ")";
    case Op::equal: return "(" + arg(0) + " == " + arg(1) + ")";
    case Op::notEqual: return "(" + arg(0) + " != " + arg(1) + ")";
    case Op::both: return "(" + condition(*e.args[0]) + " && " + condition(*e.args[1]) + ")";
    case Op::either: return "(" + condition(*e.args[0]) + " || " + condition(*e.args[1]) + ")";
    case Op::isFalse: return "!(" + condition(*e.args[0]) + ")";
    default: return "(" + text(e) + ")";
    }
  }

  std::string text(const Expr &e) {
    const std::string u = unsignedOf(e.type);
    auto arg = [&](unsigned i) { return text(*e.args[i]); };
    auto wrapping = [&](const char *op) {
      return isFloat(e.type) ? "(" + arg(0) + " " + op + " " + arg(1) + ")"
                             : cast(e.type, "(" + u + ")" + arg(0) + " " + op + " (" + u + ")" + arg(1));
    };
    auto plain = [&](const char *op) {
      const std::string result = "(" + arg(0) + " " + op + " " + arg(1) + ")";
      return bitsOf(e.type) < 32 ? cast(e.type, result) : result;
    };
    const auto item = [&](const char *of) { return of + number(e.value) + "[" + arg(0) + "]"; };
    switch (e.op) {
    case Op::constant:
      if (isFloat(e.type))
        return cast(e.type, std::to_string(int(e.value % 2001) - 1000) + (e.type == Type::f32 ? ".25f" : ".25"));
      if (e.type == Type::i32)
        return int32_t(e.value) == INT32_MIN ? "(-2147483647 - 1)" : "(" + std::to_string(int32_t(e.value)) + ")";
      return cast(e.type, number(e.value) + "ull");
    case Op::variable: return "v" + number(e.value);
    case Op::temporary: return "t" + number(e.value);
    case Op::counter: return "c" + number(e.value);
    case Op::id: {
      static const char *const kNames[] = {"threadIdx.x", "threadIdx.y",   "threadIdx.z",
                                           "linear",      "(linear % 32)", "(blockIdx.x * blockDim.x + threadIdx.x)",
                                           "global",      "(linear / 32)", "blockIdx.x",
                                           "blockIdx.y",  "blockIdx.z",    "blockDim.x",
                                           "blockDim.y",  "gridDim.x",     "gridDim.y"};
      return kNames[e.value];
    }
    case Op::parameter: return "p" + number(e.value);
    case Op::load: return item("in");
    case Op::element: return item("a");
    case Op::member: return "m.m" + number(e.value);
    case Op::shared: return item("s");
    case Op::bin: return "bins[" + arg(0) + "]";
    case Op::add: return wrapping("+");
    case Op::subtract: return wrapping("-");
    case Op::multiply: return wrapping("*");
    case Op::plainAdd: return plain("+");
    case Op::plainSubtract: return plain("-");
    case Op::plainMultiply: return plain("*");
    case Op::divide: return plain("/");
    case Op::remainder: return plain("%");
    case Op::bitAnd: return wrapping("&");
    case Op::bitOr: return wrapping("|");
    case Op::bitXor: return wrapping("^");
    case Op::shiftLeft: return cast(e.type, "(" + u + ")" + arg(0) + " << " + arg(1));
    case Op::shiftRight: return plain(">>");
    case Op::minimum: return "least<" + std::string(nameOf(e.type)) + ">(" + arg(0) + ", " + arg(1) + ")";
    case Op::maximum: return "most<" + std::string(nameOf(e.type)) + ">(" + arg(0) + ", " + arg(1) + ")";
    case Op::less:
    case Op::lessEqual:
    case Op::equal:
    case Op::notEqual:
    case Op::both:
    case Op::either:
    case Op::isFalse: return "int(" + condition(e) + ")";
    case Op::choose: return "(" + condition(*e.args[0]) + " ? " + arg(1) + " : " + arg(2) + ")";
    case Op::convert: return cast(e.type, arg(0));
    case Op::squareRoot: return "(int)sqrtf((float)" + arg(0) + ")";
    case Op::countBits: return "(unsigned)__popc(" + arg(0) + ")";
    case Op::recurse: return "recurse(" + arg(0) + ", " + arg(1) + ")";
    case Op::callPointer: return "functions[" + arg(0) + "](" + arg(1) + ")";
    }
    return "0";
  }

  const Kernel &kernel_;
  std::string text_, name_, around_; ///< around_: the function that is printed
  unsigned indent_ = 2;
};

} // namespace

std::string sourceOf(const Kernel &kernel, const std::string &name) { return Printer(kernel).print(name); }

std::string prelude() {
  return R"(struct Members { signed char m0; int m1; short m2; float m3; long long m4; };
template <class T> __device__ T least(T a, T b) { return b < a ? b : a; }
template <class T> __device__ T most(T a, T b) { return a < b ? b : a; }
__device__ int toInt(double x) { return x > -1000000.0 && x < 1000000.0 ? (int)x : 7; }
__device__ float oneNaN(float x) { return x != x ? __uint_as_float(0x7fc00000u) : x; }
template <class T> __device__ unsigned long long bits(T x) { return (unsigned long long)(long long)x; }
__device__ unsigned long long bits(unsigned long long x) { return x; }
__device__ unsigned long long bits(float x) { return x != x ? 0x7fc00000u : __float_as_uint(x); }
__device__ unsigned long long bits(double x) { return x != x ? 0x7ff8000000000000ull : (unsigned long long)__double_as_longlong(x); }
__device__ __attribute__((noinline)) unsigned recurse(unsigned n, unsigned x) { return n == 0 ? x : recurse(n - 1, x * 3 + n) ^ (x >> 5); }
__device__ unsigned first(unsigned x) { return x * 5 + 1; }
__device__ unsigned second(unsigned x) { return x ^ 0x55aa; }
__device__ unsigned third(unsigned x) { unsigned y = 0; for (unsigned i = 0; i < x % 5; ++i) y += x >> i; return y; }
__device__ unsigned (*const functions[])(unsigned) = {first, second, third};
)";
}

} // namespace fuzz
