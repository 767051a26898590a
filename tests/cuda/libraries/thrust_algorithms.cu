// SPDX-License-Identifier: MIT
// Thrust: vectors, iterators, algorithms with functors and lambdas, streams.
#include "../check.h"
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>

struct Saxpy {
  float a;
  __host__ __device__ float operator()(const float &x, const float &y) const { return a * x + y; }
};
struct IsEven {
  __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};

int main() {
  const int count = 5000;
  thrust::host_vector<int> host(count);
  for (int i = 0; i < count; ++i)
    host[i] = (i * 7919) % 1000;
  thrust::device_vector<int> keys = host, values(count);
  thrust::sequence(values.begin(), values.end());
  thrust::sort_by_key(keys.begin(), keys.end(), values.begin());
  thrust::host_vector<int> sorted = keys, moved = values;
  for (int i = 0; i < count; ++i)
    EXPECT((i == 0 || sorted[i - 1] <= sorted[i]) && host[moved[i]] == sorted[i]);
  thrust::sort(keys.begin(), keys.end(), thrust::greater<int>());
  EXPECT(keys[0] == sorted[count - 1]);

  long long wanted = 0, evens = 0;
  for (int x : host) {
    wanted += x;
    evens += x % 2 == 0;
  }
  EXPECT(thrust::reduce(keys.begin(), keys.end(), 0ll, thrust::plus<long long>()) == wanted);
  thrust::device_vector<int> even(count);
  EXPECT(thrust::copy_if(keys.begin(), keys.end(), even.begin(), IsEven()) - even.begin() == evens);
  thrust::inclusive_scan(keys.begin(), keys.end(), values.begin());
  EXPECT(values[count - 1] == wanted);

  thrust::device_vector<float> x(count, 2.0f), y(count, 1.0f);
  cudaStream_t stream;
  CALL(cudaStreamCreate(&stream));
  thrust::transform(thrust::cuda::par.on(stream), x.begin(), x.end(), y.begin(), y.begin(), Saxpy{3});
  CALL(cudaStreamSynchronize(stream));
  EXPECT(y[0] == 7 && y[count - 1] == 7);
  EXPECT(thrust::transform_reduce(
             thrust::device, thrust::counting_iterator<int>(1), thrust::counting_iterator<int>(101),
             [] __host__ __device__(int i) { return i * i; }, 0, thrust::plus<int>()) == 338350);
  CALL(cudaMemcpy(thrust::raw_pointer_cast(x.data()), thrust::raw_pointer_cast(y.data()), count * sizeof(float),
                  cudaMemcpyDeviceToDevice));
  EXPECT(x[17] == 7);
}
