// SPDX-License-Identifier: MIT
// Kernels as templates, with functors, variadic parameters, and classes that host and device share.
#include "check.h"
#include <type_traits>

template <class T> struct Affine {
  T factor, offset;
  __host__ __device__ T operator()(T x) const { return factor * x + offset; }
};
struct Square {
  template <class T> __host__ __device__ __forceinline__ T operator()(T x) const { return x * x; }
};

template <class First, class... Rest> struct Chain {
  First first;
  Chain<Rest...> rest;
  template <class T> __host__ __device__ T operator()(T x) const { return rest(first(x)); }
};
template <class Last> struct Chain<Last> {
  Last last;
  template <class T> __host__ __device__ T operator()(T x) const { return last(x); }
};

template <class T, class Function, int kPerThread> __global__ void transform(T *data, int count, Function function) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * kPerThread;
#pragma unroll
  for (int i = first; i < first + kPerThread; ++i)
    if (i < count)
      data[i] = function(data[i]);
}

template <class T, class... Values> __global__ void sumOf(T *out, Values... values) {
  T sum = 0;
  for (T value : {T(values)...})
    sum += value;
  *out = sum;
}

template <class T, class Function> void test(Function function) {
  const int count = 1001;
  std::vector<T> data(count);
  for (int i = 0; i < count; ++i)
    data[i] = T(i % 13);
  T *device = onDevice(data);
  transform<T, Function, 4><<<8, 64>>>(device, count, function);
  const std::vector<T> result = onHost(device, count);
  for (int i = 0; i < count; ++i)
    EXPECT(result[i] == function(data[i]));
  CALL(cudaFree(device));
}

int main() {
  test<int>(Affine<int>{3, -1});
  test<double>(Square());
  test<float>(Chain<Affine<float>, Square, Affine<float>>{{2, 1}, {{}, {{0.5f, 4}}}});
  float *sum = onDevice(std::vector<float>(1));
  sumOf<<<1, 1>>>(sum, 1, 2.5, 3.0f, (short)4, 'a' - '`');
  EXPECT(onHost(sum, 1)[0] == 11.5f);
}
