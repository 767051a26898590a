// SPDX-License-Identifier: MIT
// rocPRIM, found by CMake.
#include "reduce.h"

#include <rocprim/rocprim.hpp>

int main() {
  return !reducesToTheSum([](void *temporary, size_t &bytes, int *in, int *out, size_t count) {
    return rocprim::reduce(temporary, bytes, in, out, count, rocprim::plus<int>());
  });
}
