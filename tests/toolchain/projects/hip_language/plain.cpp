// SPDX-License-Identifier: MIT
// Host code that leaves the computing to a library.
#include "parts.h"

int main() {
  int value = 40;
  return addOnDevice(value, 2) && value == 42 ? 0 : 1;
}
