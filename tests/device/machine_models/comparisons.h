// SPDX-License-Identifier: MIT
// Models of comparisons: each condition for each type, to a mask and to EXEC.
#pragma once
#include "model.h"

/// The bit of a class: signaling and quiet NaN, then from -infinity to +infinity.
inline unsigned classBit(double value, bool isNegative, bool isQuiet, bool isDenormal) {
  if (std::isnan(value))
    return isQuiet ? 1 : 0;
  if (std::isinf(value))
    return isNegative ? 2 : 9;
  if (value == 0)
    return isNegative ? 5 : 6;
  if (isDenormal)
    return isNegative ? 4 : 7;
  return isNegative ? 3 : 8;
}

template <class T> bool holds(const std::string &condition, T a, T b) {
  if (condition == "f")
    return false;
  if (condition == "t" || condition == "tru")
    return true;
  const bool isOrdered = a == a && b == b;
  if (condition == "lt")
    return a < b;
  if (condition == "eq")
    return a == b;
  if (condition == "le")
    return a <= b;
  if (condition == "gt")
    return a > b;
  if (condition == "ge")
    return a >= b;
  if (condition == "ne")
    return a != b;
  if (condition == "lg")
    return a < b || a > b;
  if (condition == "o")
    return isOrdered;
  if (condition == "u")
    return !isOrdered;
  return !holds(condition.substr(1) == "eq" ? "eq" : condition.substr(1), a, b); // nge, nlg, ngt, nle, neq, nlt
}

inline bool compared(const std::string &condition, const std::string &type, const Case &k) {
  if (type == "f16")
    return holds(condition, h(k.a), h(k.b));
  if (type == "f32")
    return holds(condition, f(k.a), f(k.b));
  if (type == "f64")
    return holds(condition, d(k.A), d(k.B));
  if (type == "i16")
    return holds(condition, s16(k.a), s16(k.b));
  if (type == "u16")
    return holds(condition, u16(k.a), u16(k.b));
  if (type == "i32")
    return holds(condition, s32(k.a), s32(k.b));
  if (type == "u32")
    return holds(condition, k.a, k.b);
  if (type == "i64")
    return holds(condition, s64(k.A), s64(k.B));
  return holds(condition, k.A, k.B);
}

inline void addComparison(Table &t, const std::string &name, bool isWide, bool isClass,
                          const std::function<bool(const Case &)> &model) {
  const std::string operands = isWide ? std::string("v[4:5], ") + (isClass ? "v6" : "v[6:7]") : "v4, v6";
  auto set = [model](Case &k) { k.mask = model(k); };
  t.push_back({"v_cmp_" + name + " s20, " + operands, set});
  t.push_back({"v_cmpx_" + name + " " + operands + "; s_mov_b32 s20, exec_lo; s_mov_b32 exec_lo, -1", set});
}

inline void addComparisons(Table &t) {
  for (const std::string type : {"i16", "u16", "i32", "u32", "i64", "u64"})
    for (const std::string condition : {"lt", "eq", "le", "gt", "ne", "ge"})
      addComparison(t, condition + "_" + type, type.substr(1) == "64", false,
                    [=](const Case &k) { return compared(condition, type, k); });
  for (const std::string type : {"i32", "u32", "i64", "u64"})
    for (const std::string condition : {"f", "t"})
      addComparison(t, condition + "_" + type, type.substr(1) == "64", false,
                    [=](const Case &k) { return compared(condition, type, k); });
  for (const std::string type : {"f16", "f32", "f64"}) {
    for (const std::string condition :
         {"lt", "eq", "le", "gt", "lg", "ge", "o", "u", "nge", "nlg", "ngt", "nle", "neq", "nlt", "f", "tru"})
      addComparison(t, condition + "_" + type, type == "f64", false,
                    [=](const Case &k) { return compared(condition, type, k); });
    addComparison(t, "class_" + type, type == "f64", true, [=](const Case &k) {
      unsigned bit;
      if (type == "f16")
        bit = classBit(h(k.a), k.a >> 15 & 1, k.a >> 9 & 1, (k.a & 0x7c00) == 0);
      else if (type == "f32")
        bit = classBit(f(k.a), k.a >> 31, k.a >> 22 & 1, (k.a & 0x7f800000) == 0);
      else
        bit = classBit(d(k.A), k.A >> 63, k.A >> 51 & 1, (k.A >> 52 & 0x7ff) == 0);
      return (k.b >> bit & 1) != 0;
    });
  }
  OP("v_cmp_lt_f32 s20, -v4, |v6|", k.mask = -f(k.a) < std::fabs(f(k.b)));
  OP("s_mov_b32 exec_lo, vcc_lo; !v_cmp_ge_u32 s20, v4, v6; s_mov_b32 exec_lo, -1", k.mask = k.vcc && k.a >= k.b);
  OP("s_mov_b32 exec_lo, vcc_lo; !v_cmpx_ge_u32 v4, v6; s_mov_b32 s20, exec_lo; s_mov_b32 exec_lo, -1",
     k.mask = k.vcc && k.a >= k.b);
}
