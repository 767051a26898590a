// SPDX-License-Identifier: MIT
// Control flow that is no plain loop: interpreters, jumps between loops, loops with two entries, recursion, returns
// before barriers. The host runs the same functions.
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

int main(int argc, char **argv) { return runTests(argc, argv); }
