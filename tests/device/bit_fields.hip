// SPDX-License-Identifier: MIT
// Structures with bit-fields and with arrays of no length: clang lays them out in types that SPIR-V does not have, here
// behind pointers, in lists, in parameters by value, in shared and private memory and in variables.
#include "tests/device/check.h"

struct Rgb {
  unsigned r : 8, g : 8, b : 8;
};
struct Cell {
  Cell *next;
  unsigned kind : 3, age : 17;
  Rgb color;
  long long id : 40;
  signed char s : 5;
};
struct __attribute__((packed)) Tight {
  unsigned char t;
  unsigned a : 20, b : 4;
  unsigned short c;
};
struct Wide {
  unsigned a : 32, b : 32, c : 32;
  bool d : 1;
};
struct Row {
  int count;
  double values[];
};
struct Holder {
  Cell *cells;
  Rgb tint;
  int n;
};

__device__ Rgb tints[3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
__device__ Rgb zeros[3];
__device__ void *untyped = &zeros[1];
__device__ Rgb *typed = zeros + 2;
__constant__ Cell constants[2];

__device__ __noinline__ Cell *advance(Cell *cell, int n) {
  while (n-- > 0)
    cell = cell->next;
  return cell;
}

__device__ __noinline__ Cell grow(Cell cell, Rgb by) {
  cell.age += by.r;
  cell.color.g = by.g + cell.color.b;
  cell.s = -cell.s;
  return cell;
}

__global__ void step(Holder holder, Rgb extra, Wide wide, Tight tight, long long *out) {
  __shared__ Rgb shared[4];
  int i = threadIdx.x;
  shared[i & 3] = holder.tint;
  __syncthreads();
  Cell *cell = advance(holder.cells, i);
  Cell local[3];
  local[i % 3] = grow(*cell, shared[i & 3]);
  *cell = local[i % 3];
  bool places = (Rgb *)untyped == zeros + 1 && typed == zeros + 2;
  out[i] = cell->id + extra.b + wide.c + wide.d + tight.a + tight.b + tight.c + tints[1].g + constants[i & 1].age +
           (places ? 0 : 1000000);
}

__global__ void sumRow(const Row *row, double *out) {
  *out = 0;
  for (int i = 0; i < row->count; ++i)
    *out += row->values[i];
}

TEST(bitFields) {
  const int n = 8;
  DeviceArray<Cell> cells(n);
  std::vector<Cell> before(n);
  for (int i = 0; i < n; ++i) {
    before[i].next = (Cell *)cells + (i + 1) % n;
    before[i].kind = i;
    before[i].age = i * 1000;
    before[i].color = {unsigned(i), 7, unsigned(i * 2)};
    before[i].id = i * 1000000007ll - 3;
    before[i].s = i;
  }
  HIP_CHECK(hipMemcpy(cells, before.data(), n * sizeof(Cell), hipMemcpyHostToDevice));
  Cell filled[2] = {};
  filled[0].age = 11;
  filled[1].age = 22;
  HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(constants), filled, sizeof filled));

  DeviceArray<long long> out(n);
  step<<<1, n>>>(Holder{cells, {4, 5, 6}, n}, Rgb{7, 8, 9}, Wide{1, 2, 3, true}, Tight{1, 20, 3, 4}, out);
  HIP_CHECK(hipGetLastError());
  std::vector<long long> sums = out.host();
  std::vector<Cell> after = cells.host();
  for (int i = 0; i < n; ++i) {
    CHECK_EQ(sums[i], (long long)before[i].id + 9 + 3 + 1 + 20 + 3 + 4 + 5 + (i & 1 ? 22 : 11));
    CHECK_EQ((unsigned)after[i].age, before[i].age + 4u);
    CHECK_EQ((unsigned)after[i].color.r, (unsigned)i);
    CHECK_EQ((unsigned)after[i].color.g, 5u + i * 2);
    CHECK_EQ((unsigned)after[i].kind, (unsigned)i);
    CHECK_EQ((int)after[i].s, -i);
  }
}

TEST(arrayWithoutBound) {
  std::vector<double> raw(5);
  int count = 4;
  std::memcpy(raw.data(), &count, sizeof count);
  for (int i = 1; i <= count; ++i)
    raw[i] = i;
  DeviceArray<double> row(raw), sum(1);
  sumRow<<<1, 1>>>((const Row *)(double *)row, sum);
  CHECK_EQ(sum.host()[0], 10.0);
}

int main(int argc, char **argv) { return runTests(argc, argv); }
