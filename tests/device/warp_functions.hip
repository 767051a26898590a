// SPDX-License-Identifier: MIT
// Operations of the warp in functions that stay calls: recursion whose depth differs between lanes, pointers to different functions,
// several calls of one function in different branches. The lanes of one call take part together, whatever other calls are in
// progress. As device.warp_functions_unoptimised no function is inlined.
#include "warp_model.h"

namespace {

unsigned ballotOf(const Lanes &lanes) {
  unsigned mask = 0;
  for (int t : lanes)
    mask |= 1u << t % kWarp;
  return mask;
}

__device__ unsigned present() { return static_cast<unsigned>(__ballot(1)); }

// Recursion: each lane to a depth of its own.
__device__ int countDown(int depth) {
  int sum = __popc(present());
  if (depth > 0)
    sum = 3 * sum + countDown(depth - 1);
  return 5 * sum + __popc(present());
}
void countDownOnHost(const Lanes &lanes, Values &depth, Values &result) {
  if (lanes.empty())
    return;
  const int all = __builtin_popcount(ballotOf(lanes));
  const Lanes deeper = where(lanes, [&](int t) { return depth[t] > 0; });
  for (int t : deeper)
    --depth[t];
  countDownOnHost(deeper, depth, result);
  for (int t : deeper)
    ++depth[t];
  for (int t : lanes)
    result[t] = 5 * (depth[t] > 0 ? 3 * all + result[t] : all) + all;
}
KERNEL(depthOfLane) {
  int x = countDown(lane % 5);
  m.out[t] = 7 * x + __popc(present());
}
HOST(depthOfLane) {
  EACH(x[t] = lane % 5)
  countDownOnHost(lanesOf(h), x, y);
  EACH(out[t] = 7 * y[t] + h.end - h.first)
}
KERNEL(depthInBranch) {
  int x = 0;
  if (lane % 3 != 1)
    x = countDown(lane / 8);
  else if (lane & 4)
    x = 1000 + countDown(2);
  m.out[t] = x;
  m.data[t] = __popc(present());
}
HOST(depthInBranch) {
  EACH(x[t] = lane / 8; data[t] = h.end - h.first)
  countDownOnHost(where(lanesOf(h), [](int t) { return t % kWarp % 3 != 1; }), x, out);
  const Lanes others = where(lanesOf(h), [](int t) { return t % kWarp % 3 == 1 && (t & 4); });
  EACH(x[t] = 2)
  countDownOnHost(others, x, out);
  for (int t : others)
    out[t] += 1000;
}

// Two recursive calls behind conditions: a tree. Lanes come to different nodes.
__device__ int walk(int node, int seed) {
  if (node >= 16)
    return node;
  int sum = int(present() & 0xffff);
  if ((node + seed) % 3 != 0)
    sum += 3 * walk(2 * node, seed);
  sum ^= __popc(present());
  if ((node ^ seed) % 4 != 0)
    sum += 5 * walk(2 * node + 1, seed);
  return sum + int(present() >> 16);
}
void walkOnHost(const Lanes &lanes, int node, Values &result) {
  if (lanes.empty())
    return;
  if (node >= 16) {
    for (int t : lanes)
      result[t] = node;
    return;
  }
  const unsigned all = ballotOf(lanes);
  Values sum(kMost);
  for (int t : lanes)
    sum[t] = int(all & 0xffff);
  const Lanes left = where(lanes, [&](int t) { return (node + t % 7) % 3 != 0; });
  walkOnHost(left, 2 * node, result);
  for (int t : left)
    sum[t] += 3 * result[t];
  for (int t : lanes)
    sum[t] ^= __builtin_popcount(all);
  const Lanes right = where(lanes, [&](int t) { return (node ^ t % 7) % 4 != 0; });
  walkOnHost(right, 2 * node + 1, result);
  for (int t : right)
    sum[t] += 5 * result[t];
  for (int t : lanes)
    result[t] = sum[t] + int(all >> 16);
}
KERNEL(tree) { m.out[t] = walk(1, t % 7); }
HOST(tree) { walkOnHost(lanesOf(h), 1, out); }

// Operations and calls in a loop whose rounds differ between lanes.
__device__ int rounds(int depth, int count, int skip) {
  int sum = 0;
  for (int i = 0; i < count; ++i) {
    if ((i + skip) % 3 == 0)
      continue;
    sum += __popc(present());
    if (depth > 0 && (i ^ skip) % 2 != 0)
      sum += 3 * rounds(depth - 1, i + 1, skip + i);
    if (i > skip)
      break;
    sum ^= present() >> i;
  }
  return sum + 5 * __popc(present());
}
void roundsOnHost(const Lanes &lanes, int depth, const Values &count, const Values &skip, Values &result) {
  if (lanes.empty())
    return;
  Values sum(kMost), innerCount(kMost), innerSkip(kMost);
  Lanes in = lanes;
  for (int i = 0; !(in = where(in, [&](int t) { return i < count[t]; })).empty(); ++i) {
    Lanes now = where(in, [&](int t) { return (i + skip[t]) % 3 != 0; });
    const Lanes deeper = where(now, [&](int t) { return depth > 0 && (i ^ skip[t]) % 2 != 0; });
    for (int t : now) {
      sum[t] += __builtin_popcount(ballotOf(now));
      innerCount[t] = i + 1;
      innerSkip[t] = skip[t] + i;
    }
    roundsOnHost(deeper, depth - 1, innerCount, innerSkip, result);
    for (int t : deeper)
      sum[t] += 3 * result[t];
    in = where(in, [&](int t) { return (i + skip[t]) % 3 == 0 || i <= skip[t]; });
    now = where(now, [&](int t) { return i <= skip[t]; });
    for (int t : now)
      sum[t] ^= int(ballotOf(now) >> i);
  }
  for (int t : lanes)
    result[t] = sum[t] + 5 * __builtin_popcount(ballotOf(lanes));
}
KERNEL(loops) { m.out[t] = rounds(2, lane % 5 + 1, lane % 3); }
HOST(loops) {
  EACH(x[t] = lane % 5 + 1; y[t] = lane % 3)
  roundsOnHost(lanesOf(h), 2, x, y, out);
}

// Functions that call each other, with shuffles. Lanes that have ended give 0.
__device__ int odd(int value, int rounds);
__device__ int even(int value, int rounds) {
  value += __shfl_xor(value, 1);
  return rounds == 0 ? value : odd(value, rounds - 1);
}
__device__ int odd(int value, int rounds) {
  int other = __shfl_down(value, 2);
  return rounds == 0 ? value - other : even(2 * value + other, rounds - 1) + __popc(present());
}
KERNEL(mutual) {
  int x = t;
  if (lane >= 4)
    x = even(t, lane / 12);
  m.out[t] = x;
}
int valueOf(const Lanes &lanes, const Values &value, int from) {
  return std::find(lanes.begin(), lanes.end(), from) != lanes.end() ? value[from] : 0;
}
void mutualOnHost(const Lanes &lanes, bool isEven, Values &value, Values &rounds) {
  if (lanes.empty())
    return;
  const Values before = value;
  for (int t : lanes) {
    const int from = isEven ? t ^ 1 : t % kWarp + 2 < kWarp ? t + 2 : t;
    const int other = valueOf(lanes, before, from);
    value[t] = isEven ? before[t] + other : rounds[t] == 0 ? before[t] - other : 2 * before[t] + other;
  }
  const Lanes deeper = where(lanes, [&](int t) { return rounds[t]-- > 0; });
  mutualOnHost(deeper, !isEven, value, rounds);
  if (!isEven)
    for (int t : deeper)
      value[t] += __builtin_popcount(ballotOf(deeper));
}
HOST(mutual) {
  EACH(out[t] = t; x[t] = lane / 12)
  mutualOnHost(where(lanesOf(h), [](int t) { return t % kWarp >= 4; }), true, out, x);
}

// Pointers: lanes go to different functions, from different places.
using Counting = int (*)(int);
__device__ int countOnce(int value) { return value + __popc(present()); }
__device__ int countTwice(int value) {
  int both = __popc(present());
  if (value & 1)
    both += 100 * __popc(present());
  return value + both + __popc(present());
}
__device__ int shuffled(int value) { return __shfl_xor(value, 3); }
__device__ Counting counting[] = {countOnce, countTwice, shuffled};
void countingOnHost(const Lanes &lanes, int which, const Values &value, Values &result) {
  const int all = __builtin_popcount(ballotOf(lanes));
  const int odds = int(where(lanes, [&](int t) { return value[t] & 1; }).size());
  for (int t : lanes)
    result[t] = which == 0   ? value[t] + all
                : which == 1 ? value[t] + 2 * all + (value[t] & 1 ? 100 * odds : 0)
                             : valueOf(lanes, value, t ^ 3);
}
KERNEL(functionOfLane) {
  int x = counting[(lane * 5 + 1) % 3](t);
  if (lane < 20)
    x = 2 * x + counting[lane & 1](t + 1);
  m.out[t] = 2 * x + __popc(present());
}
HOST(functionOfLane) {
  EACH(x[t] = t)
  for (int which = 0; which < 3; ++which)
    countingOnHost(where(lanesOf(h), [&](int t) { return (t % kWarp * 5 + 1) % 3 == which; }), which, x, out);
  EACH(x[t] = t + 1)
  for (int which = 0; which < 2; ++which)
    countingOnHost(where(lanesOf(h), [&](int t) { return t % kWarp < 20 && (t & 1) == which; }), which, x, y);
  EACH(if (lane < 20) out[t] = 2 * out[t] + y[t]; out[t] = 2 * out[t] + h.end - h.first)
}
KERNEL(functionsInLoop) {
  int x = 0;
  for (int i = 0; i < 2 + lane % 4; ++i) {
    if ((lane + i) % 5 == 0)
      continue;
    x = 3 * x + counting[i & 1](i);
  }
  m.out[t] = x;
}
HOST(functionsInLoop) {
  for (int i = 0; i < 5; ++i) {
    EACH(x[t] = i)
    const Lanes lanes = where(lanesOf(h), [&](int t) { return i < 2 + t % kWarp % 4 && (t % kWarp + i) % 5 != 0; });
    countingOnHost(lanes, i & 1, x, y);
    for (int t : lanes)
      out[t] = 3 * out[t] + y[t];
  }
}

// One function, called in both arms, in cases of a switch and behind each other. The calls are used differently, or clang before
// version 18 makes one of those in two arms (docs/limits.md).
__device__ __noinline__ int countHere(int value) { return value * __popc(present()); }
KERNEL(arms) {
  int x = 0;
  if (lane < 8)
    x = 3 * countHere(1);
  else
    x = countHere(2) ^ 1;
  switch (lane % 3) {
  case 0: x += 100 * countHere(1); break;
  case 1: m.data[t] = countHere(3); break;
  default: break;
  }
  m.out[t] = x + 10000 * countHere(1);
}
HOST(arms) {
  for (int arm = 0; arm < 2; ++arm) {
    const Lanes lanes = where(lanesOf(h), [&](int t) { return (t % kWarp >= 8) == arm; });
    for (int t : lanes)
      out[t] = arm == 0 ? 3 * int(lanes.size()) : 2 * int(lanes.size()) ^ 1;
  }
  for (int which = 0; which < 2; ++which) {
    const Lanes lanes = where(lanesOf(h), [&](int t) { return t % kWarp % 3 == which; });
    for (int t : lanes)
      if (which == 0)
        out[t] += 100 * int(lanes.size());
      else
        data[t] = 3 * int(lanes.size());
  }
  EACH(out[t] += 10000 * (h.end - h.first))
}
// Lanes that leave early, by a return within a function.
__device__ __noinline__ int earlyReturn(int lane) {
  int x = __popc(present());
  for (int i = 0; i < 4; ++i) {
    if (lane % 4 == i)
      return x;
    x = 3 * x + __popc(present());
  }
  return -x;
}
KERNEL(returns) { m.out[t] = earlyReturn(lane) + 1000000 * __popc(present()); }
HOST(returns) {
  Lanes lanes = lanesOf(h);
  for (int t : lanes)
    out[t] = int(lanes.size());
  for (int i = 0; i < 4; ++i) {
    lanes = where(lanes, [&](int t) { return t % kWarp % 4 != i; });
    for (int t : lanes)
      out[t] = 3 * out[t] + int(lanes.size());
  }
  EACH(out[t] += 1000000 * (h.end - h.first))
}

// Barriers in functions that all threads come to, at the same depth.
__device__ int sumOfBlock(int *s, int t, int n, int width) {
  if (width == 0)
    return s[0];
  if (t < width && t + width < n)
    s[t] += s[t + width];
  __syncthreads();
  int total = sumOfBlock(s, t, n, width / 2) + width;
  __syncthreads();
  return total;
}
KERNEL(barriers) {
  __shared__ int s[kMost];
  s[t] = 3 * t + 1;
  __syncthreads();
  m.out[t] = sumOfBlock(s, t, n, kMost / 2);
}
HOST(barriers) {
  int sum = 0;
  for (int t = 0; t < n; ++t)
    sum += 3 * t + 1;
  EACH(out[t] = sum + kMost - 1)
}
// Words exchanged around __syncwarp, in a recursion that lanes leave at different depths.
__device__ int pass(int *s, int t, int n, int depth) {
  s[t] += depth;
  __syncwarp(__activemask());
  int x = s[other(t, 1, n)];
  __syncwarp(__activemask());
  s[t] = x + 1;
  if (depth > 0)
    x += pass(s, t, n, depth - 1);
  __syncwarp(__activemask());
  return x + s[other(t, 1, n)];
}
KERNEL(synchronised) {
  __shared__ int s[kMost];
  s[t] = t;
  m.out[t] = pass(s, t, n, lane / 8);
}
void passOnHost(const Lanes &lanes, int n, Values &s, Values &depth, Values &result) {
  if (lanes.empty())
    return;
  for (int t : lanes)
    s[t] += depth[t];
  Values x(kMost);
  for (int t : lanes)
    x[t] = s[other(t, 1, n)];
  for (int t : lanes)
    s[t] = x[t] + 1;
  const Lanes deeper = where(lanes, [&](int t) { return depth[t] > 0; });
  for (int t : deeper)
    --depth[t];
  passOnHost(deeper, n, s, depth, result);
  for (int t : deeper) {
    ++depth[t];
    x[t] += result[t];
  }
  for (int t : lanes)
    result[t] = x[t] + s[other(t, 1, n)];
}
HOST(synchronised) {
  EACH(x[t] = lane / 8; y[t] = t)
  passOnHost(lanesOf(h), n, y, x, out);
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
