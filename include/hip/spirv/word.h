// SPDX-License-Identifier: MIT
// The integer type of 32 or 64 bits that carries a value of type T through SPIR-V instructions on integers.
#pragma once

namespace __hiplz {
template <class T> struct WordOf {
  typedef T type;
};
template <> struct WordOf<long long> {
  typedef long type;
};
template <> struct WordOf<unsigned long long> {
  typedef unsigned long type;
};
template <> struct WordOf<float> {
  typedef unsigned type;
};
template <> struct WordOf<double> {
  typedef unsigned long type;
};
} // namespace __hiplz
