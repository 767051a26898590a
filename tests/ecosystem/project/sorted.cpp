// SPDX-License-Identifier: MIT
// rocThrust, found by CMake.
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>

int main() {
  thrust::device_vector<int> numbers(1000, 3);
  numbers[999] = 1;
  thrust::sort(numbers.begin(), numbers.end());
  return numbers[0] != 1 || thrust::reduce(numbers.begin(), numbers.end()) != 2998;
}
