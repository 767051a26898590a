// SPDX-License-Identifier: MIT
// Control flow that is no plain loop: interpreters, jumps between loops, loops with two entries, recursion, returns
// before barriers, loops over rows that end within a warp, variables that only some rounds of a loop set. The host runs the same functions.
#include "tests/device/check.h"

#define SHARED __host__ __device__

SHARED int interpret(const int *program, int size, int x) {
  int stack[16], top = 0, pc = 0;
  long sum = 0;
  while (pc < size) {
    switch (program[pc++]) {
    case 0: stack[top++] = program[pc++]; break;
    case 1:
      --top;
      stack[top - 1] += stack[top];
      break;
    case 2:
      --top;
      stack[top - 1] *= stack[top];
      break;
    case 5: stack[top++] = x; break;
    case 6: pc = stack[--top] ? program[pc] : pc + 1; break;
    case 7: sum += stack[--top]; break;
    case 100:
    case 101: sum *= 2; [[clang::fallthrough]];
    case 102: sum++; break;
    case 1000000: sum = -sum; break;
    case -5: sum ^= 0x55; break;
    default: return -1;
    }
  }
  return (int)sum;
}

SHARED long long sparseSwitch(long long x) {
  switch (x) {
  case 0x100000000ll: return 1;
  case -1: return 2;
  case 5: return 4;
  case 13 ... 20: return -x;
  }
  return x;
}

SHARED int jumps(int n) {
  int i = 0, s = 0;
again:
  if (i >= n)
    goto done;
  for (int j = 0; j < 10; ++j)
    for (int k = 0; k < 10; ++k) {
      if (j * k == i) {
        s += k;
        goto next;
      }
      if (k > j)
        break;
      if ((j + k) % 3 == 0)
        continue;
      s ^= j + k;
    }
next:
  ++i;
  goto again;
done:
  return s;
}

SHARED int twoEntries(int n) {
  int s = 0;
  if (n & 1)
    goto middle;
top:
  s += n;
middle:
  s = (s * 3 ^ n) & 0xffff;
  if (--n > 0) {
    if (n % 5 == 0)
      goto middle;
    goto top;
  }
  return s;
}

SHARED int odd(int n);
SHARED int even(int n) { return n == 0 ? 1 : odd(n - 1); }
SHARED int odd(int n) { return n == 0 ? 0 : even(n - 1); }
SHARED int ackermann(int m, int n) {
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

const int kResults = 6;

SHARED void all(const int *program, int size, int i, long long *out) {
  out[0] = interpret(program, size, i);
  out[1] = sparseSwitch(i == 3 ? 0x100000000ll : i == 4 ? -1 : i);
  out[2] = jumps(i);
  out[3] = twoEntries(i);
  out[4] = even(i);
  out[5] = ackermann(2, i % 4);
}

__global__ void run(const int *program, int size, long long *out) {
  all(program, size, threadIdx.x, out + threadIdx.x * kResults);
}

__global__ void earlyReturns(int *out, int n) {
  __shared__ int ids[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x == 1)
    return;
  ids[threadIdx.x] = i;
  __syncthreads();
  if (i >= n)
    return;
  for (int k = 0; k < 100; ++k)
    if (k == (int)threadIdx.x) {
      out[i] = ids[63 - k];
      return;
    }
}

// A row of a matrix for a warp: most rounds have all lanes, the last one some. What is left of a round is used behind the loop.
struct OfRow {
  int sum, last, rounds, odd;
};
__host__ __device__ OfRow walk(const int *values, int *seen, int first, int begin, int end, int step) {
  OfRow result = {0, -1, 0, 0};
  for (int k = begin + first; k < end; k += step) {
    const int value = values[k];
    result.sum += value;
    result.last = k;
    ++result.rounds;
    if (value & 1)
      result.odd += seen[k] = value;
    if (first == 3 && result.rounds == 5)
      break;
  }
  return result;
}
// The same without a way out, and at least one round.
__host__ __device__ int walkDown(const int *values, int *seen, int first, int begin, int end) {
  int k = end - 1 - first, product = 1;
  do {
    product = product * 3 + values[k];
    seen[k] += product;
    k -= 32;
  } while (k >= begin);
  return product ^ k;
}

__global__ void walkRows(const int *values, int *seen, int *again, const int *bounds, OfRow *results, int *products) {
  const int row = blockIdx.x, lane = threadIdx.x;
  results[row * blockDim.x + lane] = walk(values, seen, lane, bounds[row], bounds[row + 1], blockDim.x);
  if (lane < 32 && bounds[row + 1] - bounds[row] >= 32)
    products[row * 32 + lane] = walkDown(values, again, lane, bounds[row], bounds[row + 1]);
}

TEST(rowsEndWithinAWarp) {
  std::vector<int> bounds{0}, values;
  for (int length : {0, 1, 5, 31, 32, 33, 63, 64, 65, 127, 200, 256, 333})
    bounds.push_back(bounds.back() + length);
  const int rows = int(bounds.size()) - 1;
  for (int i = 0; i < bounds.back(); ++i)
    values.push_back(i * 37 % 101);
  for (int block : {32, 64, 96}) {
    DeviceArray<int> in(values), seen(std::vector<int>(values.size(), 7)), again(seen.host()), ends(bounds),
        products(rows * 32);
    DeviceArray<OfRow> results(rows * block);
    walkRows<<<rows, block>>>(in, seen, again, ends, results, products);
    std::vector<int> wantedSeen(values.size(), 7), wantedAgain = wantedSeen, foundProducts = products.host();
    const std::vector<OfRow> found = results.host();
    for (int row = 0; row < rows; ++row) {
      const int begin = bounds[row], end = bounds[row + 1];
      for (int lane = 0; lane < block; ++lane) {
        const OfRow wanted = walk(values.data(), wantedSeen.data(), lane, begin, end, block);
        const OfRow &one = found[row * block + lane];
        CHECK_EQ(one.sum, wanted.sum);
        CHECK_EQ(one.last, wanted.last);
        CHECK_EQ(one.rounds, wanted.rounds);
        CHECK_EQ(one.odd, wanted.odd);
      }
      for (int lane = 0; lane < 32 && end - begin >= 32; ++lane)
        CHECK_EQ(foundProducts[row * 32 + lane], walkDown(values.data(), wantedAgain.data(), lane, begin, end));
    }
    const std::vector<int> foundSeen = seen.host(), foundAgain = again.host();
    for (size_t i = 0; i < values.size(); ++i) {
      CHECK_EQ(foundSeen[i], wantedSeen[i]);
      CHECK_EQ(foundAgain[i], wantedAgain[i]);
    }
  }
}

TEST(interpreter) {
  const std::vector<int> program = {5, 0, 2, 1, 7, 100, 5, 6, 12, 1000000, 0, 1, 5, 5, 2, 7, -5, 101, 102};
  const int threads = 64;
  DeviceArray<int> code(program);
  DeviceArray<long long> out(threads * kResults);
  run<<<1, threads>>>(code, program.size(), out);
  HIP_CHECK(hipGetLastError());
  std::vector<long long> actual = out.host(), expected(threads * kResults);
  for (int i = 0; i < threads; ++i)
    all(program.data(), program.size(), i, &expected[i * kResults]);
  for (size_t i = 0; i < actual.size(); ++i)
    CHECK_EQ(actual[i], expected[i]);
}

TEST(earlyReturns) {
  DeviceArray<int> ids(3 * 64);
  earlyReturns<<<3, 64>>>(ids, 180);
  std::vector<int> h = ids.host();
  for (int i = 0; i < 3 * 64; ++i)
    CHECK_EQ(h[i], i / 64 == 1 || i >= 180 ? 0 : i / 64 * 64 + 63 - i % 64);
}

// Variables without a value before the loop. All lanes agree on the rounds that set these,
__global__ void setInARound(int *last, int *from, const int *in, int n, int key) {
  const int me = threadIdx.x;
  int at, own = me;
  const int *place, *next = in + me;
  for (int i = 0; i < n; ++i) {
    at = in[i] >= key ? own : at;
    place = in[i] == key ? next : place;
    own += 2;
    ++next;
  }
  last[me] = at;
  from[me] = *place;
}

// and for this one each lane has a round of its own.
__global__ void foundInARound(int *found, const int *in, int n) {
  const int me = threadIdx.x;
  int mine;
  for (int i = 0; i < n; ++i)
    mine = in[i] == me ? i : mine;
  found[me] = mine;
}

// The value is the same whenever it is set, and the loop has nothing else to do.
__global__ void keptInSomeRounds(unsigned *out, float *factors, int rounds) {
  const unsigned me = threadIdx.x;
  unsigned kept;
  float factor;
  for (unsigned i = 0; i < 2 + static_cast<unsigned>(rounds) % 8; ++i) {
    if ((i & 1) == 0)
      kept = me;
    factor = i % 4 == 0 ? 0.5f : factor;
  }
  out[me] = kept;
  factors[me] = factor;
}

TEST(valuesAreKeptFromSomeRounds) {
  constexpr int kLanes = 250;
  for (int rounds = 0; rounds < 8; ++rounds) {
    DeviceArray<unsigned> out(kLanes);
    DeviceArray<float> factors(kLanes);
    keptInSomeRounds<<<1, kLanes>>>(out, factors, rounds);
    HIP_CHECK(hipGetLastError());
    const std::vector<unsigned> kept = out.host();
    const std::vector<float> halves = factors.host();
    for (unsigned i = 0; i < kLanes; ++i) {
      CHECK_EQ(kept[i], i);
      CHECK_EQ(halves[i], 0.5f);
    }
  }
}

TEST(valuesAreSetInARound) {
  constexpr int kLanes = 64, kKey = 61;
  std::vector<int> in(2 * kLanes);
  for (int i = 0; i < 2 * kLanes; ++i)
    in[i] = i * 7 % kLanes;
  int place = 0, at = 0;
  for (int i = 0; i < kLanes; ++i) {
    at = in[i] >= kKey ? i : at;
    place = in[i] == kKey ? i : place;
  }
  DeviceArray<int> table(in), last(kLanes), from(kLanes), found(kLanes);
  setInARound<<<1, kLanes>>>(last, from, table, kLanes, kKey);
  foundInARound<<<1, kLanes>>>(found, table, kLanes);
  HIP_CHECK(hipGetLastError());
  const std::vector<int> lasts = last.host(), froms = from.host(), founds = found.host();
  for (int i = 0; i < kLanes; ++i) {
    CHECK_EQ(lasts[i], i + 2 * at);
    CHECK_EQ(froms[i], in[i + place]);
    CHECK_EQ(in[founds[i]], i);
  }
}

int main(int argc, char **argv) { return runTests(argc, argv); }
