// SPDX-License-Identifier: MIT
// Threads that walk along rows of memory, each along its own: sparse rows, edges, rows of one length, structures. These are executed one
// thread after the other, and give the same results for all shapes of blocks, with threads that have no row, and beside warp operations.
#include "tests/device/check.h"

#include <numeric>

constexpr int kRows = 1000, kMost = 23;

struct Sparse {
  std::vector<int> begin{0}, column;
  std::vector<double> value;
  Sparse() {
    for (int row = 0; row < kRows; ++row) {
      for (int k = 0; k < row * 7 % kMost; ++k)
        column.push_back((row * 31 + k * k) % kRows), value.push_back(row - 3.0 * k);
      begin.push_back(int(column.size()));
    }
  }
};

__device__ int rowOf() {
  const int inBlock = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  return blockIdx.x * blockDim.x * blockDim.y * blockDim.z + inBlock;
}

__global__ void multiply(const int *begin, const int *column, const double *value, const double *x, double *y) {
  const int row = rowOf();
  if (row >= kRows)
    return;
  double sum = 0;
  for (int k = begin[row]; k < begin[row + 1]; ++k)
    sum += value[k] * x[column[k]];
  y[row] = sum;
}

__global__ void lower(const int *begin, const int *column, int *least) {
  const int row = rowOf();
  if (row >= kRows)
    return;
  for (int k = begin[row]; k < begin[row + 1]; ++k)
    atomicMin(&least[column[k]], row);
}

__global__ void fill(int *out, int length) {
  const int row = rowOf();
  for (int k = 0; row < kRows && k < length; ++k)
    out[row * length + k] = row * 1000 + k;
}

struct Record {
  int a, b, c, d, e, f;
};
__global__ void rotate(Record *records) {
  const int row = rowOf();
  if (row >= kRows)
    return;
  const Record r = records[row];
  records[row] = {r.b, r.c, r.d, r.e, r.f, r.a};
}

// Rows whose sums are added up in the warp: lanes must come together for that.
__global__ void sumOfRows(const int *begin, const double *value, double *sums) {
  const int row = rowOf();
  double sum = 0;
  for (int k = row < kRows ? begin[row] : 0; row < kRows && k < begin[row + 1]; ++k)
    sum += value[k];
  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    sum += __shfl_down(sum, offset);
  if (threadIdx.x % warpSize == 0)
    sums[row / warpSize] = sum;
}

int main() {
  const Sparse matrix;
  std::vector<double> x(kRows), product(kRows);
  std::iota(x.begin(), x.end(), 1.0);
  std::vector<int> least(kRows, kRows);
  for (int row = 0; row < kRows; ++row)
    for (int k = matrix.begin[row]; k < matrix.begin[row + 1]; ++k) {
      product[row] += matrix.value[k] * x[matrix.column[k]];
      least[matrix.column[k]] = std::min(least[matrix.column[k]], row);
    }
  DeviceArray<int> begin(matrix.begin), column(matrix.column);
  DeviceArray<double> value(matrix.value), in(x);
  for (const dim3 block :
       {dim3(256), dim3(1), dim3(7), dim3(33), dim3(16, 4), dim3(8, 8), dim3(5, 3, 2), dim3(32, 2)}) {
    const int blocks = int((kRows + block.x * block.y * block.z - 1) / (block.x * block.y * block.z));
    DeviceArray<double> out(std::vector<double>(kRows, -1));
    multiply<<<blocks, block>>>(begin, column, value, in, out);
    CHECK(out.host() == product);

    DeviceArray<int> lowest(std::vector<int>(kRows, kRows));
    lower<<<blocks, block>>>(begin, column, lowest);
    CHECK(lowest.host() == least);

    constexpr int kLength = 19;
    DeviceArray<int> filled(std::vector<int>(kRows * kLength, -1));
    fill<<<blocks, block>>>(filled, kLength);
    const std::vector<int> numbers = filled.host();
    for (int i = 0; i < kRows * kLength; ++i)
      CHECK(numbers[i] == i / kLength * 1000 + i % kLength);

    std::vector<Record> records(kRows);
    for (int i = 0; i < kRows; ++i)
      records[i] = {i, i + 1, i + 2, i + 3, i + 4, -i};
    DeviceArray<Record> turned(records);
    rotate<<<blocks, block>>>(turned);
    const std::vector<Record> after = turned.host();
    for (int i = 0; i < kRows; ++i)
      CHECK(after[i].a == i + 1 && after[i].d == i + 4 && after[i].e == -i && after[i].f == i);
  }

  const int warps = (kRows + 32 - 1) / 32;
  DeviceArray<double> sums(std::vector<double>(warps, 0));
  sumOfRows<<<(kRows + 127) / 128, 128>>>(begin, value, sums);
  const std::vector<double> found = sums.host();
  const double all = std::accumulate(matrix.value.begin(), matrix.value.end(), 0.0);
  CHECK(std::accumulate(found.begin(), found.end(), 0.0) == all);
  return testResult();
}
