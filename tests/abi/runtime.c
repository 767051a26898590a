// SPDX-License-Identifier: MIT
/* What the tables say and no constant expression can tell: the place of bit-fields and the value of pointer macros. */
#include "check.h"

#include <stdio.h>
#include <string.h>

static int failures;

#define CHECK_BITS(record, field, offset, width)                                                                       \
  do {                                                                                                                 \
    record value;                                                                                                      \
    uint64_t bits = 0;                                                                                                 \
    memset(&value, 0, sizeof value);                                                                                   \
    value.field = (1u << (width)) - 1;                                                                                 \
    memcpy(&bits, &value, sizeof value < sizeof bits ? sizeof value : sizeof bits);                                    \
    if (bits != ((UINT64_C(1) << (width)) - 1) << (offset)) {                                                          \
      printf("%s.%s has the bits %#llx\n", #record, #field, (unsigned long long)bits);                                 \
      ++failures;                                                                                                      \
    }                                                                                                                  \
  } while (0)

#define CHECK_POINTER(macro, expected)                                                                                 \
  do {                                                                                                                 \
    if ((uintptr_t)(macro) != (uintptr_t)(expected)) {                                                                 \
      printf("%s is %#llx\n", #macro, (unsigned long long)(uintptr_t)(macro));                                         \
      ++failures;                                                                                                      \
    }                                                                                                                  \
  } while (0)

int main(void) {
#include "runtime.inc"
  return failures != 0;
}
