// SPDX-License-Identifier: MIT
// Types of kernel parameters, seen by the device compiler (layouts.hip) and by the host test, which compares the sizes and
// alignments that reflection computes with what the host compiler says.
#pragma once
#include <stddef.h>
#include <stdint.h>

struct Empty {};
struct Chars {
  char c[3];
};
struct Mixed {
  char a;
  double b;
  int c;
  short d;
};
struct Nested {
  Chars chars[3];
  Mixed mixed;
  void *pointer;
  bool flag;
};
struct __attribute__((packed)) Packed {
  char a;
  double b;
  int c;
};
struct alignas(32) OverAligned {
  float x[5];
};
struct Bits {
  unsigned a : 3, b : 14;
  long long c : 40;
};
union Either {
  char bytes[9];
  int number;
};
struct Float3 {
  float x, y, z;
};
struct alignas(16) Float4 {
  float x, y, z, w;
};
struct WithUnion {
  Either either;
  Float4 vector;
  uint8_t tail;
};
struct Derived : Mixed {
  char more;
};
struct Large {
  double values[100];
};
enum Small : uint8_t { one };

// X(name, type)
#define LAYOUT_TYPES(X)                                                                                                \
  X(bool_, bool)                                                                                                       \
  X(char_, char)                                                                                                       \
  X(uchar, unsigned char)                                                                                              \
  X(short_, short)                                                                                                     \
  X(int_, int)                                                                                                         \
  X(unsigned_, unsigned)                                                                                               \
  X(long_, long)                                                                                                       \
  X(size, size_t)                                                                                                      \
  X(float_, float)                                                                                                     \
  X(double_, double)                                                                                                   \
  X(enum_, Small)                                                                                                      \
  X(pointer, int *)                                                                                                    \
  X(pointers, const double *const *)                                                                                   \
  X(empty, Empty)                                                                                                      \
  X(chars, Chars)                                                                                                      \
  X(mixed, Mixed)                                                                                                      \
  X(nested, Nested)                                                                                                    \
  X(packed, Packed)                                                                                                    \
  X(overAligned, OverAligned)                                                                                          \
  X(bits, Bits)                                                                                                        \
  X(either, Either)                                                                                                    \
  X(float3_, Float3)                                                                                                   \
  X(float4_, Float4)                                                                                                   \
  X(withUnion, WithUnion)                                                                                              \
  X(derived, Derived)                                                                                                  \
  X(large, Large)
