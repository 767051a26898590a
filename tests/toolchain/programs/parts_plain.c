// SPDX-License-Identifier: MIT
/* C, not C++: `new` is a name here. */
#include "parts.h"

int plainC(int value) {
  int new = value + 1;
  return new;
}
