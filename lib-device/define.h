// SPDX-License-Identifier: MIT
// How the device library defines a function. It carries its C name as assembler label only: the C++ name must not be that of
// the C library, which clang would recognise and implement by itself. Everything is always_inline.
#pragma once

#define DEFINE(Result, symbol, function, parameters, body)                                                             \
  extern "C" __attribute__((always_inline)) Result function parameters __asm__(symbol);                                \
  extern "C" Result function parameters { return body; }

#define PURE __attribute__((const))
#define INLINED static inline __attribute__((always_inline))
