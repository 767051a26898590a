// SPDX-License-Identifier: MIT
// hipCUB, found by CMake.
#include "reduce.h"

#include <hipcub/hipcub.hpp>

int main() {
  return !reducesToTheSum([](void *temporary, size_t &bytes, int *in, int *out, size_t count) {
    return hipcub::DeviceReduce::Sum(temporary, bytes, in, out, static_cast<int>(count));
  });
}
