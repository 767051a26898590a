// SPDX-License-Identifier: MIT
// Generators of random numbers as Monte-Carlo programs bring them: 64-bit products, rotations, division and modulo,
// carries. The host runs the same code, so every bit is compared.
#include "tests/device/check.h"

#define SHARED __host__ __device__

struct Pcg {
  unsigned long long state, increment;
  SHARED Pcg(uint64_t seed, uint64_t sequence) : state(0), increment(sequence << 1 | 1) {
    next();
    state += seed;
    next();
  }
  SHARED uint32_t next() {
    uint64_t old = state;
    state = old * 6364136223846793005ull + increment;
    uint32_t x = (old >> 18 ^ old) >> 27, turn = old >> 59;
    return x >> turn | x << (-turn & 31);
  }
};

struct Xoshiro {
  uint64_t s[4];
  SHARED static uint64_t rotated(uint64_t x, int k) { return x << k | x >> (64 - k); }
  SHARED uint64_t next() {
    uint64_t result = rotated(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotated(s[3], 45);
    return result;
  }
};

SHARED uint4 philox(uint4 c, uint32_t key) {
  uint32_t a = key, b = 17;
  for (int i = 0; i < 10; ++i) {
    uint64_t p = (uint64_t)0xD2511F53u * c.x, q = (uint64_t)0xCD9E8D57u * c.z;
    c = make_uint4((uint32_t)(q >> 32) ^ c.y ^ a, (uint32_t)q, (uint32_t)(p >> 32) ^ c.w ^ b, (uint32_t)p);
    a += 0x9E3779B9;
    b += 0xBB67AE85;
  }
  return c;
}

SHARED uint64_t powerModulo(uint64_t base, uint64_t exponent, uint64_t modulus) {
  uint64_t result = 1;
  for (base %= modulus; exponent; exponent >>= 1, base = base * base % modulus)
    if (exponent & 1)
      result = result * base % modulus;
  return result;
}

struct Numbers {
  uint64_t pcg, xoshiro, power;
  int64_t quotient, remainder;
  unsigned long long hits;
  uint4 philox;
};

SHARED Numbers numbers(unsigned i) {
  Numbers n;
  Pcg pcg(42 + i, i);
  Xoshiro xoshiro{{i + 1ull, i * 3ull, 7, 0xdeadbeefcafef00dull}};
  n.pcg = n.xoshiro = n.hits = 0;
  for (int k = 0; k < 50; ++k) {
    n.pcg = n.pcg * 31 + pcg.next();
    n.xoshiro ^= xoshiro.next();
  }
  n.power = powerModulo(n.pcg, n.xoshiro & 0xffff, 4294967291ull);
  int64_t a = (int64_t)n.pcg >> i % 40, b = (int64_t)(n.xoshiro >> i % 50) >> 1;
  b = b == 0 ? 1 : i & 1 ? -b : b;
  n.quotient = a / b;
  n.remainder = a % b;
  for (int k = 0; k < 64; ++k) {
    double x = (xoshiro.next() >> 11) * 0x1.0p-53, y = (xoshiro.next() >> 11) * 0x1.0p-53;
    n.hits += x + y < 1.0;
  }
  n.philox = philox(make_uint4(i, i + 1, 3, 4), i);
  return n;
}

__global__ void monteCarlo(Numbers *out, unsigned long long *hits) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = numbers(i);
  atomicAdd(hits, out[i].hits);
}

int main() {
  DeviceArray<Numbers> out(256);
  DeviceArray<unsigned long long> hits(1);
  monteCarlo<<<4, 64>>>(out, hits);
  HIP_CHECK(hipGetLastError());
  std::vector<Numbers> actual = out.host();
  unsigned long long sum = 0;
  for (unsigned i = 0; i < 256; ++i) {
    Numbers e = numbers(i), a = actual[i];
    CHECK_EQ(a.pcg, e.pcg);
    CHECK_EQ(a.xoshiro, e.xoshiro);
    CHECK_EQ(a.power, e.power);
    CHECK_EQ(a.quotient, e.quotient);
    CHECK_EQ(a.remainder, e.remainder);
    CHECK_EQ(a.hits, e.hits);
    CHECK(a.philox == e.philox);
    sum += e.hits;
  }
  CHECK_EQ(hits.host()[0], sum);
  return testResult();
}
