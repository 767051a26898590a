// SPDX-License-Identifier: MIT
// Trees as HIP source.
#include "program.h"

namespace fuzz {
namespace {

const char *nameOf(Type type) {
  static const char *const kNames[] = {"signed char", "unsigned short",     "int",   "unsigned",
                                       "long long",   "unsigned long long", "float", "double"};
  return kNames[int(type)];
}
const char *unsignedOf(Type type) { return bitsOf(type) == 64 ? "unsigned long long" : "unsigned"; }

std::string cast(Type type, const std::string &value) { return std::string("(") + nameOf(type) + ")(" + value + ")"; }

class Printer {
public:
  explicit Printer(const Kernel &kernel) : kernel_(kernel) {}

  std::string print(const std::string &name) {
    text_ = "extern \"C\" __global__ void " + name +
            "(const unsigned *inputs, unsigned long long *out, unsigned *slots) {\n";
    if (!kernel_.alone)
      line("__shared__ unsigned shared[1024];");
    line("const unsigned threads = blockDim.x * blockDim.y * blockDim.z;");
    line("const unsigned linear = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x, lane = linear % "
         "32;");
    line("const unsigned global = blockIdx.x * blockDim.x + threadIdx.x;");
    line("const size_t block = (size_t(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;");
    line("const size_t result = (block * threads + linear) * " + std::to_string(kVariables) + ";");
    if (!kernel_.alone)
      line("shared[linear] = 0;");
    for (unsigned v = 0; v < kVariables; ++v)
      line(std::string(nameOf(kernel_.variables[v])) + " v" + std::to_string(v) + " = " +
           cast(kernel_.variables[v], "linear + " + std::to_string(v)) + ";");
    for (unsigned a = 0; a < kArrays; ++a) {
      const std::string array = "a" + std::to_string(a);
      line(std::string(nameOf(kernel_.arrays[a])) + " " + array + "[" + std::to_string(kArrayItems) + "];");
      line("for (unsigned i = 0; i < " + std::to_string(kArrayItems) + "; ++i) " + array +
           "[i] = " + cast(kernel_.arrays[a], "linear * 3 + i") + ";");
    }
    if (!kernel_.alone)
      line("__syncthreads();");
    for (const Stmt &stmt : kernel_.body)
      print(stmt);
    results();
    text_ += "}\n";
    return text_;
  }

private:
  void line(const std::string &text) { text_ += std::string(indent_, ' ') + text + "\n"; }

  void results() {
    for (unsigned v = 0; v < kVariables; ++v)
      line("out[result + " + std::to_string(v) + "] = bits(v" + std::to_string(v) + ");");
  }

  void body(const std::vector<Stmt> &statements) {
    indent_ += 2;
    for (const Stmt &stmt : statements)
      print(stmt);
    indent_ -= 2;
  }

  void print(const Stmt &stmt) {
    const std::string target = "v" + std::to_string(stmt.target);
    auto expr = [&](unsigned i) { return text(*stmt.exprs[i]); };
    switch (stmt.kind) {
    case Kind::assign: line(target + " = " + expr(0) + ";"); break;
    case Kind::storeElement:
      line("a" + std::to_string(stmt.target) + "[" + expr(0) + " % " + std::to_string(kArrayItems) + "] = " + expr(1) +
           ";");
      break;
    case Kind::branch:
      line("if (" + expr(0) + ") {");
      body(stmt.bodies[0]);
      if (!stmt.bodies[1].empty()) {
        line("} else {");
        body(stmt.bodies[1]);
      }
      line("}");
      break;
    case Kind::loop: {
      const std::string counter = "c" + std::to_string(stmt.target), end = "e" + std::to_string(stmt.target);
      line("for (unsigned " + counter + " = 0, " + end + " = (" + expr(0) + ") % 7; " + counter + " < " + end + "; ++" +
           counter + ") {");
      body(stmt.bodies[0]);
      line("}");
      break;
    }
    case Kind::leaveLoop: line("if (" + expr(0) + ") break;"); break;
    case Kind::nextRound: line("if (" + expr(0) + ") continue;"); break;
    case Kind::choice:
      line("switch ((" + expr(0) + ") % " + std::to_string(stmt.bodies.size() + 1) + ") {");
      for (size_t i = 0; i < stmt.bodies.size(); ++i) {
        line(i + 1 < stmt.bodies.size() ? "case " + std::to_string(i) + ": {" : "default: {");
        body(stmt.bodies[i]);
        line("} break;");
      }
      line("}");
      break;
    case Kind::leave:
      line("if (" + expr(0) + ") {");
      indent_ += 2;
      results();
      line("return;");
      indent_ -= 2;
      line("}");
      break;
    case Kind::exchange:
      line("shared[linear] = (unsigned)(" + expr(0) + ");");
      line("__syncthreads();");
      line(target + " = " +
           cast(kernel_.variables[stmt.target], "shared[(linear + " + std::to_string(stmt.variant) + ") % threads]") +
           ";");
      line("__syncthreads();");
      break;
    case Kind::shrink: {
      static const char *const kGuards[] = {"threadIdx.x < w", "(int)threadIdx.x <= (int)w - 1", "!(threadIdx.x >= w)",
                                            "w > threadIdx.x"};
      const char *guard = kGuards[stmt.variant % 4];
      line("shared[linear] = (unsigned)(" + expr(0) + ");");
      line("__syncthreads();");
      line("for (unsigned w = " + std::to_string(stmt.variant) + "; w > 0; w /= 2) {");
      line(std::string("  if (") + guard + " && threadIdx.x + w < blockDim.x) shared[linear] = shared[linear] * 3 + " +
           "shared[linear + w];");
      line("  __syncthreads();");
      line("}");
      line(target + " = " + cast(kernel_.variables[stmt.target], "shared[linear]") + ";");
      line("__syncthreads();");
      break;
    }
    case Kind::stride: {
      const unsigned kind = stmt.variant % 8;
      const std::string step = kind < 5   ? std::to_string(kStrides[kind])
                               : kind < 7 ? "blockDim.x"
                                          : "blockDim.x * gridDim.x",
                        base = stmt.variant & 8    ? "blockIdx.x * blockDim.x"
                               : stmt.variant & 16 ? "5"
                                                   : "0",
                        limit = std::to_string(stmt.variant & 32 ? kInputs : kInputs - 5);
      line("{");
      line("  unsigned sum = (unsigned)(" + expr(0) + ");");
      line(std::string("  for (") + (stmt.variant & 16 ? "int" : "unsigned") + " i = " + base + " + threadIdx.x; i < " +
           limit + "; i += " + step + ") sum = sum * 5 + inputs[i];");
      line("  " + target + " = " + cast(kernel_.variables[stmt.target], "sum") + ";");
      line("}");
      break;
    }
    case Kind::shuffle: {
      static const char *const kNames[] = {"__shfl_xor", "__shfl_up", "__shfl_down", "__shfl", "__shfl"};
      const std::string argument =
          stmt.variant == 4 ? "(int)((lane + (" + expr(1) + ")) % 32)" : "(int)((" + expr(1) + ") % 32)";
      line(target + " = " +
           cast(kernel_.variables[stmt.target],
                toInteger(kernel_.variables[stmt.target], stmt.exprs[0]->type,
                          std::string(kNames[stmt.variant]) + "(" + expr(0) + ", " + argument + ")")) +
           ";");
      break;
    }
    case Kind::vote: {
      static const char *const kNames[] = {"__any(", "__all(", "(unsigned)__ballot(", "(unsigned)__popcll(__ballot("};
      line(target + " = " +
           cast(kernel_.variables[stmt.target], kNames[stmt.variant] + expr(0) + (stmt.variant == 3 ? "))" : ")")) +
           ";");
      break;
    }
    case Kind::atomic: {
      static const char *const kNames[] = {"atomicAdd", "atomicMax", "atomicXor", "atomicOr", "atomicMin"};
      line(std::string(kNames[stmt.variant]) + "(&slots[" + std::to_string(stmt.target) + "], " + expr(0) + ");");
      break;
    }
    }
  }

  /// A conversion that is defined for every value.
  static std::string toInteger(Type to, Type from, const std::string &value) {
    return isFloat(from) && !isFloat(to) ? "toInt(" + value + ")" : value;
  }

  std::string text(const Expr &e) {
    const std::string name = nameOf(e.type), u = unsignedOf(e.type);
    auto arg = [&](unsigned i) { return text(*e.args[i]); };
    auto infix = [&](const char *op) {
      return isFloat(e.type) ? "(" + arg(0) + " " + op + " " + arg(1) + ")"
                             : cast(e.type, "(" + u + ")" + arg(0) + " " + op + " (" + u + ")" + arg(1));
    };
    switch (e.op) {
    case Op::constant:
      if (isFloat(e.type))
        return cast(e.type, std::to_string(int(e.value % 2001) - 1000) + (e.type == Type::f32 ? ".25f" : ".25"));
      return cast(e.type, std::to_string(e.value) + "ull");
    case Op::variable: return "v" + std::to_string(e.value);
    case Op::counter: return "c" + std::to_string(e.value);
    case Op::thread: {
      static const char *const kNames[] = {"threadIdx.x", "threadIdx.y", "threadIdx.z", "linear"};
      return kNames[e.value];
    }
    case Op::lane: return "lane";
    case Op::block: {
      static const char *const kNames[] = {"blockIdx.x", "blockIdx.y", "blockIdx.z", "global"};
      return kNames[e.value];
    }
    case Op::along:
      return "inputs[" + std::to_string(kInputs) + " + " +
             (e.value == 0 ? "global" : "(int)threadIdx.y * 20 + (int)threadIdx.x") + "]";
    case Op::input: return "inputs[" + arg(0) + " % " + std::to_string(kInputs) + "]";
    case Op::element: return "a" + std::to_string(e.value) + "[" + arg(0) + " % " + std::to_string(kArrayItems) + "]";
    case Op::add: return infix("+");
    case Op::subtract: return infix("-");
    case Op::multiply: return infix("*");
    case Op::divide: return cast(e.type, arg(0) + " / " + cast(e.type, "(" + arg(1) + " & 7) + 1"));
    case Op::remainder: return cast(e.type, arg(0) + " % " + cast(e.type, "(" + arg(1) + " & 7) + 1"));
    case Op::bitAnd: return infix("&");
    case Op::bitOr: return infix("|");
    case Op::bitXor: return infix("^");
    case Op::shiftLeft:
      return cast(e.type, "(" + u + ")" + arg(0) + " << (" + arg(1) + " & " + std::to_string(bitsOf(e.type) - 1) + ")");
    case Op::shiftRight:
      return cast(e.type, arg(0) + " >> (" + arg(1) + " & " + std::to_string(bitsOf(e.type) - 1) + ")");
    case Op::minimum: return "least(" + arg(0) + ", " + arg(1) + ")";
    case Op::maximum: return "most(" + arg(0) + ", " + arg(1) + ")";
    case Op::less: return "int(" + arg(0) + " < " + arg(1) + ")";
    case Op::equal: return "int(" + arg(0) + " == " + arg(1) + ")";
    case Op::choose: return "(" + arg(0) + " ? " + arg(1) + " : " + arg(2) + ")";
    case Op::convert: return cast(e.type, toInteger(e.type, e.args[0]->type, arg(0)));
    case Op::recurse: return "recurse(" + arg(0) + " % 9, " + arg(1) + ")";
    case Op::callPointer: return "functions[" + arg(0) + " % " + std::to_string(kPointers) + "](" + arg(1) + ")";
    }
    return "0";
  }

  const Kernel &kernel_;
  std::string text_;
  unsigned indent_ = 2;
};

} // namespace

std::string sourceOf(const Kernel &kernel, const std::string &name) { return Printer(kernel).print(name); }

std::string prelude() {
  return R"(template <class T> __device__ T least(T a, T b) { return b < a ? b : a; }
template <class T> __device__ T most(T a, T b) { return a < b ? b : a; }
__device__ int toInt(double x) { return x > -1000000.0 && x < 1000000.0 ? (int)x : 7; }
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
