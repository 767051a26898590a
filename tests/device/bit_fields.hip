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
  __shared__ Rgb shared[8];
  int i = threadIdx.x;
  shared[i] = holder.tint;
  __syncthreads();
  Cell *cell = advance(holder.cells, i);
  Cell local[3];
  local[i % 3] = grow(*cell, shared[i]);
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

// Neighbours without a gap become one integer, here of 160, 320 and 136 bits.
struct Run {
  unsigned a : 16, b : 16, c : 24, d : 8, e : 32, f : 32;
  int g : 20, h : 12;
};
struct LongRun {
  long long a : 40, b : 24, c : 60, d : 4, e : 63;
  unsigned long long f : 1, g : 33, h : 31, i : 7, j : 57;
  signed char k : 3;
};
struct __attribute__((packed)) OddRun {
  unsigned char first;
  unsigned long long a : 61, b : 60;
  int c : 15;
};
struct Runs {
  Run run;
  LongRun longRun;
  OddRun oddRun;
};

__device__ LongRun preset = {-1, 2, -3, 4, -5, 1, 6, 7, 8, 9, -2};

__host__ __device__ long long changed(Runs &all, long long t, const LongRun &other) {
  Run &r = all.run;
  LongRun &l = all.longRun;
  OddRun &o = all.oddRun;
  r.a = t * 3, r.b = t * 5 + 1, r.c = ~t, r.d = t, r.e = t * 1234567, r.f = r.e ^ r.b, r.g = -t * 1001, r.h = t - 40;
  l = other;
  l.a -= t * 77777777, l.b += t, l.c = l.a * 3, l.d = t & 7, l.f = t, l.h = r.e >> 1, l.j = ~l.c, l.k = t;
  o.first = t, o.a = l.c * l.c, o.b = o.a + l.e, o.c = r.g + 1;
  Runs copy = all;
  for (int i = 0; i < (t & 3); ++i)
    copy.longRun.e = copy.longRun.e * 5 + copy.run.h;
  if (t & 1)
    copy.run.c += copy.oddRun.c;
  else
    all.longRun.g++;
  const Run &s = copy.run;
  const LongRun &m = copy.longRun;
  const OddRun &p = copy.oddRun;
  long long sum = 0;
  for (long long each :
       {(long long)s.a, (long long)s.b,     (long long)s.c, (long long)s.d, (long long)s.e, (long long)s.f,
        (long long)s.g, (long long)s.h,     (long long)m.a, (long long)m.b, (long long)m.c, (long long)m.d,
        (long long)m.e, (long long)m.f,     (long long)m.g, (long long)m.h, (long long)m.i, (long long)m.j,
        (long long)m.k, (long long)p.first, (long long)p.a, (long long)p.b, (long long)p.c, (long long)all.longRun.g})
    sum = sum * 31 + each;
  return sum;
}

__global__ void changeRuns(Runs *all, long long *sums) {
  const int t = threadIdx.x;
  sums[t] = changed(all[t], t - 30, preset);
}

TEST(longRunsOfBitFields) {
  const int n = 64;
  std::vector<Runs> expected(n);
  const LongRun start = {-1, 2, -3, 4, -5, 1, 6, 7, 8, 9, -2};
  for (int t = 0; t < n; ++t)
    std::memset(static_cast<void *>(&expected[t]), t * 7, sizeof(Runs));
  DeviceArray<Runs> runs(expected);
  DeviceArray<long long> sums(n);
  changeRuns<<<1, n>>>(runs, sums);
  HIP_CHECK(hipGetLastError());
  const std::vector<long long> found = sums.host();
  const std::vector<Runs> after = runs.host();
  for (int t = 0; t < n; ++t) {
    CHECK_EQ(found[t], changed(expected[t], t - 30, start));
    CHECK(std::memcmp(&after[t], &expected[t], sizeof(Runs)) == 0);
  }
}

int main(int argc, char **argv) { return runTests(argc, argv); }
