// SPDX-License-Identifier: MIT
// Models of operations on both halves of a register, of mixed ones, and of sums of products.
#pragma once
#include "halves.h"

inline uint32_t half0(uint64_t v) { return static_cast<uint32_t>(v & 0xffff); }
inline uint32_t half1(uint64_t v) { return static_cast<uint32_t>(v >> 16 & 0xffff); }
inline void words(Case &k, int64_t lower, int64_t upper) {
  low(k, (static_cast<uint64_t>(lower) & 0xffff) | (static_cast<uint64_t>(upper) & 0xffff) << 16);
}
/// The nearest number of the range.
inline int64_t within(int64_t value, int64_t least, int64_t most) {
  return value < least ? least : value > most ? most : value;
}
inline double between0and1(double value) { return !(value > 0) ? 0 : value > 1 ? 1 : value; }

/// An operation on integers, of which each half is the model's of the operands' halves.
inline void addPackedIntegers(Table &t, const std::string &name, unsigned operands, bool isSigned, bool clamps,
                              const std::function<int64_t(int64_t, int64_t, int64_t)> &model) {
  auto number = [=](uint32_t v) { return isSigned ? int64_t{s16(v)} : int64_t{v}; };
  auto whole = [=](int64_t v) { return isSigned ? within(v, -0x8000, 0x7fff) : within(v, 0, 0xffff); };
  const std::string line = name + " v12, v4, v6" + (operands == 3 ? ", v8" : "");
  auto at = [=](const Case &k, bool a, bool b, bool c) {
    return model(number(a ? half1(k.a) : half0(k.a)), number(b ? half1(k.b) : half0(k.b)),
                 number(c ? half1(k.c) : half0(k.c)));
  };
  t.push_back({line, [=](Case &k) { words(k, at(k, false, false, false), at(k, true, true, true)); }});
  t.push_back({line + (operands == 3 ? " op_sel:[1,0,1] op_sel_hi:[1,0,0]" : " op_sel:[1,0] op_sel_hi:[1,0]"),
               [=](Case &k) { words(k, at(k, true, false, true), at(k, true, false, false)); }});
  if (clamps)
    t.push_back({line + " clamp",
                 [=](Case &k) { words(k, whole(at(k, false, false, false)), whole(at(k, true, true, true))); }});
}

inline void addPackedNumbers(Table &t) {
  OP("v_pk_add_f16 v12, v4, v6", halves(k, h(half0(k.a)) + h(half0(k.b)), h(half1(k.a)) + h(half1(k.b))));
  OP("v_pk_add_f16 v12, v4, v6 op_sel:[0,1] op_sel_hi:[0,0] neg_lo:[1,0] neg_hi:[0,1]",
     halves(k, -h(half0(k.a)) + h(half1(k.b)), h(half0(k.a)) - h(half0(k.b))));
  OP("v_pk_add_f16 v12, v4, v6 clamp",
     halves(k, between0and1(h(half0(k.a)) + h(half0(k.b))), between0and1(h(half1(k.a)) + h(half1(k.b)))));
  OP("v_pk_mul_f16 v12, v4, v6", halves(k, h(half0(k.a)) * h(half0(k.b)), h(half1(k.a)) * h(half1(k.b))));
  OP("v_pk_mul_f16 v12, v4, 0.5 op_sel_hi:[1,0]", halves(k, h(half0(k.a)) * 0.5, h(half1(k.a)) * 0.5));
  OP("v_pk_mul_f16 v12, v4, s34 neg_hi:[0,1]", const auto s = static_cast<uint32_t>(k.wave[0].in[1]);
     halves(k, h(half0(k.a)) * h(half0(s)), h(half1(k.a)) * -h(half1(s))));
  // The compiler's use shows that the high half of an inline number is 0. Inline integers and literals have 32 bits.
  OP("v_pk_add_f16 v12, v4, 2.0 op_sel:[0,1] op_sel_hi:[1,0]", halves(k, h(half0(k.a)) + 0, h(half1(k.a)) + 2));
  OP("v_pk_add_f16 v12, 1.0, v4 neg_lo:[1,0] neg_hi:[0,0]", halves(k, h(half0(k.a)) - 1, h(half1(k.a)) + 0));
  OP("v_pk_mul_f16 v12, 0x4200, v4", halves(k, h(half0(k.a)) * 3, h(half1(k.a)) * 0));
  OP("v_pk_add_f16 v12, 0x40003c00, v4", halves(k, h(half0(k.a)) + 1, h(half1(k.a)) + 2));
  OP("/*!v_pk_add_f16 v12, v4, lit(0x40000000)*/ .long 0xcc0f400c, 0x1801ff04, 0x40000000",
     halves(k, h(half0(k.a)) + 0, h(half1(k.a)) + 2));
  OP("/*!v_pk_add_f16 v12, v4, lit(0x3c00)*/ .long 0xcc0f400c, 0x1801ff04, 0x3c00",
     halves(k, h(half0(k.a)) + 1, h(half1(k.a)) + 0));
  OP("/*!v_pk_fmac_f16 v12, lit(0x40000000), v6*/ .long 0x78180cff, 0x40000000",
     halves(k, 0 * h(half0(k.b)) + h(half0(k.d)), 2 * h(half1(k.b)) + h(half1(k.d))));
  OP("v_pk_add_u16 v12, v4, -8", words(k, half0(k.a) - 8, half1(k.a) - 1));
  OP("/*!v_pk_add_u16 v12, v4, lit(0xfff8)*/ .long 0xcc0a400c, 0x1801ff04, 0xfff8",
     words(k, half0(k.a) - 8, half1(k.a)));
  OP("v_pk_min_f16 v12, v4, v6",
     halves(k, extremum16(half0(k.a), half0(k.b), true), extremum16(half1(k.a), half1(k.b), true)));
  OP("v_pk_max_f16 v12, v4, v6",
     halves(k, extremum16(half0(k.a), half0(k.b), false), extremum16(half1(k.a), half1(k.b), false)));
  auto sum = [](uint32_t a, uint32_t b, uint32_t c) {
    return static_cast<double>(static_cast<long double>(h(a) * h(b)) + static_cast<long double>(h(c)));
  };
  t.push_back({"v_pk_fma_f16 v12, v4, v6, v8", [=](Case &k) {
                 halves(k, sum(half0(k.a), half0(k.b), half0(k.c)), sum(half1(k.a), half1(k.b), half1(k.c)));
               }});
  t.push_back(
      {"v_pk_fma_f16 v12, v4, v6, v8 op_sel:[1,0,0] op_sel_hi:[0,1,0] neg_lo:[0,1,0] neg_hi:[0,0,1]", [=](Case &k) {
         halves(k, sum(half1(k.a), half0(k.b) ^ 0x8000, half0(k.c)), sum(half0(k.a), half1(k.b), half0(k.c) ^ 0x8000));
       }});
  t.push_back({"v_pk_fma_f16 v12, v4, v6, 1.0",
               [=](Case &k) { halves(k, sum(half0(k.a), half0(k.b), 0x3c00), sum(half1(k.a), half1(k.b), 0)); }});
  t.push_back({"v_pk_fmac_f16 v12, v4, v6", [=](Case &k) {
                 halves(k, sum(half0(k.a), half0(k.b), half0(k.d)), sum(half1(k.a), half1(k.b), half1(k.d)));
               }});
}

// Operands are 32 bits, or a half of them; the sum is rounded to 32 bits, and then to 16 where the result has 16.
inline void addMixed(Table &t) {
  auto fma = [](double a, double b, double c) {
    return std::fma(static_cast<float>(a), static_cast<float>(b), static_cast<float>(c));
  };
  t.push_back({"v_fma_mix_f32 v12, v4, v6, v8", [=](Case &k) { single(k, fma(f(k.a), f(k.b), f(k.c))); }});
  t.push_back({"v_fma_mix_f32 v12, -v4, v6, |v8| op_sel:[0,1,0] op_sel_hi:[1,1,0]",
               [=](Case &k) { single(k, fma(-h(half0(k.a)), h(half1(k.b)), std::fabs(f(k.c)))); }});
  t.push_back({"v_fma_mix_f32 v12, v4, 1.0, v8 op_sel:[1,0,1] op_sel_hi:[1,0,1]",
               [=](Case &k) { single(k, fma(h(half1(k.a)), 1, h(half1(k.c)))); }});
  t.push_back({"/*!v_fma_mix_f32 v12, v4, lit(3.0f), v8 op_sel_hi:[1,0,0]*/ .long 0xcc20000c, 0x0c21ff04, 0x40400000",
               [=](Case &k) { single(k, fma(h(half0(k.a)), 3, f(k.c))); }});
  t.push_back({"/*!v_fma_mix_f32 v12, v4, lit(1.0f), v8 op_sel_hi:[1,0,1]*/ .long 0xcc20400c, 0x0c21ff04, 0x3f800000",
               [=](Case &k) { single(k, fma(h(half0(k.a)), 1, h(half0(k.c)))); }});
  t.push_back(
      {"v_fma_mix_f32 v12, 0x4200, v6, -v8 op_sel_hi:[1,0,0]", [=](Case &k) { single(k, fma(3, f(k.b), -f(k.c))); }});
  t.push_back({"v_fma_mixlo_f16 v12, v4, v6, v8 op_sel_hi:[1,0,1]",
               [=](Case &k) { half(k, fma(h(half0(k.a)), f(k.b), h(half0(k.c)))); }});
  t.push_back({"v_fma_mixlo_f16 v12, v4, v6, v8 op_sel_hi:[0,0,0] clamp",
               [=](Case &k) { half(k, between0and1(fma(f(k.a), f(k.b), f(k.c)))); }});
  t.push_back({"v_fma_mixhi_f16 v12, v4, -v6, v8 op_sel:[0,1,1] op_sel_hi:[1,1,1]", [=](Case &k) {
                 highWord(k, toHalf(fma(h(half0(k.a)), -h(half1(k.b)), h(half1(k.c)))));
                 k.kind = Kind::highHalf;
               }});
}

inline void addDots(Table &t) {
  struct Dot {
    const char *name;
    unsigned bits;
    bool isSigned, isThird;
  };
  const Dot dots[] = {{"v_dot2_i32_i16", 16, true, true}, {"v_dot2_u32_u16", 16, false, true},
                      {"v_dot4_i32_i8", 8, true, true},   {"v_dot4_u32_u8", 8, false, true},
                      {"v_dot8_i32_i4", 4, true, true},   {"v_dot8_u32_u4", 4, false, true},
                      {"v_dot4c_i32_i8", 8, true, false}};
  for (const Dot dot : dots) {
    auto sum = [=](const Case &k) {
      const uint32_t third = dot.isThird ? k.c : k.d;
      int64_t all = dot.isSigned ? int64_t{s32(third)} : int64_t{third};
      for (unsigned at = 0; at < 32; at += dot.bits) {
        int64_t a = k.a >> at & ((1u << dot.bits) - 1), b = k.b >> at & ((1u << dot.bits) - 1);
        if (dot.isSigned && a >> (dot.bits - 1))
          a -= int64_t{1} << dot.bits;
        if (dot.isSigned && b >> (dot.bits - 1))
          b -= int64_t{1} << dot.bits;
        all += a * b;
      }
      return all;
    };
    const std::string line = std::string(dot.name) + " v12, v4, v6" + (dot.isThird ? ", v8" : "");
    t.push_back({line, [=](Case &k) { low(k, static_cast<uint64_t>(sum(k))); }});
    if (dot.isThird)
      t.push_back({line + " clamp", [=](Case &k) {
                     const int64_t most = dot.isSigned ? 0x7fffffff : 0xffffffff;
                     low(k, static_cast<uint64_t>(within(sum(k), dot.isSigned ? -most - 1 : 0, most)));
                   }});
  }
  // Where the sum is rounded the manual leaves open: results are compared where no more than the last bits may differ.
  auto dot = [](Case &k, uint32_t third) {
    const double p0 = h(half0(k.a)) * h(half0(k.b)), p1 = h(half1(k.a)) * h(half1(k.b)), s = f(third);
    const double size = std::fabs(p0) + std::fabs(p1) + std::fabs(s), sum = p0 + p1 + s;
    single(k, static_cast<float>(sum));
    k.isOpen = std::isfinite(size) && (std::fabs(sum) < size / 4 || size > 1e38);
    k.distance = 8;
  };
  t.push_back({"v_dot2_f32_f16 v12, v4, v6, v8", [=](Case &k) { dot(k, k.c); }});
  t.push_back({"v_dot2c_f32_f16 v12, v4, v6", [=](Case &k) { dot(k, k.d); }});
}

inline void addPacked(Table &t) {
  auto add = [](int64_t a, int64_t b, int64_t) { return a + b; };
  auto subtract = [](int64_t a, int64_t b, int64_t) { return a - b; };
  auto multiplyAdd = [](int64_t a, int64_t b, int64_t c) { return a * b + c; };
  auto least = [](int64_t a, int64_t b, int64_t) { return a < b ? a : b; };
  auto most = [](int64_t a, int64_t b, int64_t) { return a > b ? a : b; };
  for (const bool isSigned : {false, true}) {
    const std::string type = isSigned ? "i16" : "u16";
    addPackedIntegers(t, "v_pk_add_" + type, 2, isSigned, true, add);
    addPackedIntegers(t, "v_pk_sub_" + type, 2, isSigned, true, subtract);
    addPackedIntegers(t, "v_pk_mad_" + type, 3, isSigned, true, multiplyAdd);
    addPackedIntegers(t, "v_pk_min_" + type, 2, isSigned, false, least);
    addPackedIntegers(t, "v_pk_max_" + type, 2, isSigned, false, most);
  }
  addPackedIntegers(t, "v_pk_mul_lo_u16", 2, false, false, [](int64_t a, int64_t b, int64_t) { return a * b; });
  addPackedIntegers(t, "v_pk_lshlrev_b16", 2, false, false,
                    [](int64_t a, int64_t b, int64_t) { return b << (a & 15); });
  addPackedIntegers(t, "v_pk_lshrrev_b16", 2, false, false,
                    [](int64_t a, int64_t b, int64_t) { return b >> (a & 15); });
  addPackedIntegers(t, "v_pk_ashrrev_i16", 2, true, false, [](int64_t a, int64_t b, int64_t) { return b >> (a & 15); });
  addPackedNumbers(t);
  addMixed(t);
  addDots(t);
}
