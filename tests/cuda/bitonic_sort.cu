// SPDX-License-Identifier: MIT
// Sorts keys with their values by bitonic merges in shared memory.
#include "check.h"
#include <algorithm>

__device__ inline void order(uint &keyA, uint &valueA, uint &keyB, uint &valueB, uint ascending) {
  if ((keyA > keyB) == ascending) {
    uint t = keyA;
    keyA = keyB;
    keyB = t;
    t = valueA;
    valueA = valueB;
    valueB = t;
  }
}

template <uint kLength> __global__ void sort(uint *keys, uint *values, uint ascending) {
  __shared__ uint key[kLength], value[kLength];
  keys += blockIdx.x * kLength;
  values += blockIdx.x * kLength;
  for (uint i = threadIdx.x; i < kLength; i += kLength / 2) {
    key[i] = keys[i];
    value[i] = values[i];
  }
  for (uint size = 2; size <= kLength; size <<= 1) {
    const uint direction = size == kLength ? ascending : ascending ^ ((threadIdx.x & (size / 2)) != 0);
    for (uint stride = size / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      const uint at = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      order(key[at], value[at], key[at + stride], value[at + stride], direction);
    }
  }
  __syncthreads();
  for (uint i = threadIdx.x; i < kLength; i += kLength / 2) {
    keys[i] = key[i];
    values[i] = value[i];
  }
}

int main() {
  const uint length = 256, arrays = 6;
  std::vector<uint> keys(length * arrays), values(length * arrays);
  for (uint i = 0; i < length * arrays; ++i) {
    keys[i] = (i * 2654435761u) >> 7;
    values[i] = i;
  }
  for (uint ascending : {1u, 0u}) {
    uint *dKeys = onDevice(keys), *dValues = onDevice(values);
    sort<length><<<arrays, length / 2>>>(dKeys, dValues, ascending);
    const std::vector<uint> sorted = onHost(dKeys, keys.size()), moved = onHost(dValues, keys.size());
    for (uint array = 0; array < arrays; ++array) {
      std::vector<uint> wanted(keys.begin() + array * length, keys.begin() + (array + 1) * length);
      std::sort(wanted.begin(), wanted.end());
      if (!ascending)
        std::reverse(wanted.begin(), wanted.end());
      for (uint i = 0; i < length; ++i)
        EXPECT(sorted[array * length + i] == wanted[i] && keys[moved[array * length + i]] == wanted[i]);
    }
  }
}
