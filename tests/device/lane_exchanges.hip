// SPDX-License-Identifier: MIT
// Lanes of a warp that exchange values without a barrier in ways that an analysis of addresses may miss: members, bytes of words, copies,
// pointers from memory, atomic operations, branches, back edges of loops, rows of two-dimensional blocks, functions that are not inlined.
// The host does the same with all lanes of a warp, one statement after the other, and block shapes vary.
#include "warp_model.h"

namespace {

// Words.
KERNEL(neighbour) {
  int x = m.data[t];
  if (lane < kWarp - 1 && t + 1 < n)
    m.data[t + 1] = x;
}
HOST(neighbour) {
  EACH(x[t] = data[t])
  EACH(if (lane < kWarp - 1 && t + 1 < n) data[t + 1] = x[t])
}
KERNEL(members) {
  __shared__ Pair s[kMost];
  s[t].first = m.data[t];
  s[t].low = short(t);
  int x = s[other(t, 1, n)].first + s[other(t, 2, n)].low;
  s[t].first = x;
  m.out[t] = s[other(t, 4, n)].first;
}
HOST(members){EACH(x[t] = data[other(t, 1, n)] + other(t, 2, n))
                  EACH(out[t] = x[other(t, 4, n)])} KERNEL(pointerInMemory) {
  m.box->data[t] = t;
  int x = m.box->data[other(t, 1, n)];
  m.box->data[t] = 3 * x;
  m.out[t] = m.box->data[other(t, 8, n)];
}
HOST(pointerInMemory){EACH(data[t] = t) EACH(x[t] = data[other(t, 1, n)]) EACH(data[t] = 3 * x[t])
                          EACH(out[t] = data[other(t, 8, n)])} KERNEL(pointersOfLanes) {
  *m.words[t] = 5 * t;
  m.out[t] = *m.words[other(t, 1, n)];
}
HOST(pointersOfLanes){EACH(data[t] = 5 * t) EACH(out[t] = data[other(t, 1, n)])}
// The address of shared memory, through memory.
KERNEL(sharedPointer) {
  __shared__ int s[kMost];
  __shared__ int *place;
  place = s;
  __syncthreads();
  s[t] = t + 1;
  m.out[t] = place[other(t, 1, n)];
}
HOST(sharedPointer){EACH(out[t] = other(t, 1, n) + 1)} KERNEL(genericPointer) {
  __shared__ int s[kMost];
  int *p = m.rounds == 5 ? s : m.out;
  s[t] = t * t;
  m.out[t] = p[other(t, 1, n)];
}
HOST(genericPointer) { EACH(out[t] = other(t, 1, n) * other(t, 1, n)) }
// Copies.
struct Quad {
  int word[4];
};
KERNEL(copies) {
  __shared__ Quad s[kMost];
  Quad mine{{t, t + 1, t + 2, t + 3}};
  __builtin_memcpy(&s[t], &mine, sizeof mine);
  Quad theirs;
  __builtin_memcpy(&theirs, &s[other(t, 1, n)], sizeof theirs);
  theirs.word[0] += 100;
  __threadfence_block(); // or both copies become one
  __builtin_memmove(&s[t], &theirs, sizeof theirs);
  m.out[t] = s[other(t, 2, n)].word[0] + s[other(t, 4, n)].word[3];
}
HOST(copies){
    EACH(out[t] = other(other(t, 2, n), 1, n) + 100 + other(other(t, 4, n), 1, n) + 3)} KERNEL(copyOfUnknownLength) {
  __shared__ Quad s[kMost];
  for (int i = 0; i < 4; ++i)
    s[t].word[i] = t;
  Quad theirs{{0, 0, 0, 0}};
  __builtin_memcpy(&theirs, &s[other(t, 1, n)], size_t(m.rounds - 1) * 4);
  m.out[t] = theirs.word[3];
}
HOST(copyOfUnknownLength){EACH(out[t] = other(t, 1, n))} // Bytes of words.
KERNEL(bytesOfWords) {
  __shared__ int s[kMost + 1];
  s[t] = 0x01010101;
  reinterpret_cast<unsigned char *>(s)[4 * other(t, 1, n) + 1] = (unsigned char)(t);
  int x = s[t];
  reinterpret_cast<unsigned char *>(s)[4 * other(t, 2, n) + 2] = (unsigned char)(x >> 8);
  m.out[t] = s[t];
}
HOST(bytesOfWords){EACH(x[other(t, 1, n)] = 0x01010001 | t << 8) EACH(y[t] = x[t])
                       EACH(y[other(t, 2, n)] = (x[other(t, 2, n)] & ~0xff0000) | (x[t] >> 8 & 255) << 16)
                           EACH(out[t] = y[t])} KERNEL(bytesInRow) {
  __shared__ char s[kMost + 4];
  s[t] = char(t);
  int word;
  __builtin_memcpy(&word, &s[t & ~3], 4);
  if (t % 4 == 0 && t + 3 < n)
    m.out[t] = word;
}
HOST(bytesInRow) { EACH(if (t % 4 == 0 && t + 3 < n) for (int i = 0; i < 4; ++i) out[t] |= ((t + i) & 255) << 8 * i) }
// Atomic operations.
#define SCOPED(name, scope)                                                                                            \
  KERNEL(name) {                                                                                                       \
    __hip_atomic_store(&m.data[t], 9 * t, __ATOMIC_RELAXED, scope);                                                    \
    int x = __hip_atomic_load(&m.data[other(t, 1, n)], __ATOMIC_RELAXED, scope);                                       \
    int before = __hip_atomic_fetch_add(&m.data[other(t, 2, n)], x, __ATOMIC_RELAXED, scope);                          \
    m.out[t] = before + __hip_atomic_exchange(&m.data[t], 1, __ATOMIC_RELAXED, scope);                                 \
  }                                                                                                                    \
  HOST(name) {                                                                                                         \
    EACH(data[t] = 9 * t)                                                                                              \
    EACH(x[t] = data[other(t, 1, n)])                                                                                  \
    EACH(y[t] = data[other(t, 2, n)]; data[other(t, 2, n)] += x[t])                                                    \
    EACH(out[t] = y[t] + data[t]; data[t] = 1)                                                                         \
  }
SCOPED(wavefrontScope, __HIP_MEMORY_SCOPE_WAVEFRONT)
SCOPED(workgroupScope, __HIP_MEMORY_SCOPE_WORKGROUP)
SCOPED(agentScope, __HIP_MEMORY_SCOPE_AGENT)
SCOPED(systemScope, __HIP_MEMORY_SCOPE_SYSTEM)
KERNEL(countAndLook) {
  __shared__ int c[kMost / kWarp][4];
  if (lane < 4)
    c[t / kWarp][lane] = 0;
  atomicAdd(&c[t / kWarp][t & 3], 1);
  m.out[t] = c[t / kWarp][t & 3];
}
HOST(countAndLook){EACH(++x[(t & 3) + h.first]) EACH(out[t] = x[(t & 3) + h.first])}
// An operation that sets, and one that adds.
KERNEL(setAndAdd) {
  atomicExch(&m.data[t / kWarp], 100);
  atomicAdd(&m.data[t / kWarp], t);
}
HOST(setAndAdd){EACH(data[t / kWarp] = 100) EACH(data[t / kWarp] += t)} KERNEL(addAndLimit) {
  atomicAdd(&m.data[t / kWarp], 1000);
  atomicMin(&m.data[t / kWarp], 1005 + lane);
}
HOST(addAndLimit){EACH(data[t / kWarp] += 1000) EACH(data[t / kWarp] = std::min(data[t / kWarp], 1005 + lane))}
// Two writes.
KERNEL(resetAndSet) {
  m.data[t / kWarp] = 1;
  __threadfence_block();
  if (lane == 3)
    m.data[t / kWarp] = 2;
}
HOST(resetAndSet) {
  EACH(data[t / kWarp] = 1)
  EACH(if (lane == 3) data[t / kWarp] = 2)
}
KERNEL(writeAndOverwrite) {
  m.data[t + 1] = t;
  m.data[t] = -t;
}
HOST(writeAndOverwrite) {
  EACH(data[t + 1] = t)
  EACH(data[t] = -t)
  if (h.end < n) // the next warp's turn is behind this one's, and its first word is both's
    data[h.end] = h.end - 1;
}
// Volatile memory, fences and nothing.
KERNEL(volatileWords) {
  __shared__ int words[kMost];
  volatile int *s = words;
  s[t] = t;
  s[t] = s[other(t, 1, n)] + s[other(t, 16, n)];
  m.out[t] = s[other(t, 2, n)];
}
HOST(volatileWords){EACH(x[t] = other(t, 1, n) + other(t, 16, n))
                        EACH(out[t] = x[other(t, 2, n)])} KERNEL(fencedWords) {
  m.data[t] = 4 * t;
  __threadfence_block();
  int x = m.data[other(t, 1, n)];
  __threadfence();
  m.data[t] = x + 1;
  __threadfence_system();
  m.out[t] = m.data[other(t, 3, n)];
}
HOST(fencedWords){EACH(data[t] = 4 * t) EACH(x[t] = data[other(t, 1, n)]) EACH(data[t] = x[t] + 1)
                      EACH(out[t] = data[other(t, 3, n)])} // Branches: both sides, in the order of the code.
KERNEL(branches) {
  __shared__ int s[kMost];
  s[t] = t;
  if (lane & 1) {
    s[t] = 1000 + t;
    m.out[t] = s[other(t, 2, n)];
  } else {
    s[t] = 2000 + t;
    m.out[t] = s[other(t, 2, n)];
  }
  m.data[t] = s[other(t, 1, n)];
}
HOST(branches){EACH(x[t] = lane & 1 ? 1000 + t : 2000 + t) EACH(out[t] = x[other(t, 2, n)])
                   EACH(data[t] = x[other(t, 1, n)])} KERNEL(nestedBranches) {
  int x = 0;
  if (lane < 24) {
    m.data[t] = 10 * t;
    if (lane >= 8)
      x = m.data[t - 8];
  }
  m.out[t] = x;
}
HOST(nestedBranches) {
  EACH(if (lane < 24) data[t] = 10 * t)
  EACH(if (lane < 24 && lane >= 8) out[t] = data[t - 8])
}
// Back edges.
KERNEL(rotation) {
  __shared__ int s[kMost];
  s[t] = m.data[t];
  for (int i = 0; i < m.rounds; ++i) {
    int x = s[other(t, 1 << i, n)];
    s[t] = 3 * x + i;
  }
  m.out[t] = s[t];
}
HOST(rotation) {
  EACH(y[t] = data[t])
  for (int i = 0; i < 5; ++i) {
    EACH(x[t] = y[other(t, 1 << i, n)])
    EACH(y[t] = 3 * x[t] + i)
  }
  EACH(out[t] = y[t])
}
// One read and one write of distance zero, but in different rounds.
KERNEL(slidingWindow) {
  for (int i = 0; i < m.rounds; ++i)
    if (lane + i < kWarp && t + i < n)
      m.data[t + i] += t;
}
HOST(slidingWindow) {
  for (int i = 0; i < 5; ++i)
    EACH(if (lane + i < kWarp && t + i < n) data[t + i] += t)
}
KERNEL(twoBuffers) {
  __shared__ int a[kMost], b[kMost];
  int *from = a;
  int *to = b;
  a[t] = t;
  for (int i = 0; i < m.rounds; ++i) {
    to[t] = from[other(t, 1 + i, n)] + i;
    int *last = from;
    from = to;
    to = last;
  }
  m.out[t] = from[other(t, 1, n)];
}
HOST(twoBuffers) {
  EACH(x[t] = t)
  for (int i = 0; i < 5; ++i) {
    EACH(y[t] = x[other(t, 1 + i, n)] + i)
    x = y;
  }
  EACH(out[t] = x[other(t, 1, n)])
}
// A loop that lanes leave in different rounds; its counter is the address.
KERNEL(countersOfLanes) {
  __shared__ int s[kMost + 1];
  int i = t - lane;
  while (i < t && m.rounds)
    i += m.out[t] + 1;
  s[i] = 3 * t;
  m.out[t] = lane < kWarp - 1 && t + 1 < n ? s[i + 1] : 0;
}
HOST(countersOfLanes){EACH(out[t] = lane < kWarp - 1 && t + 1 < n ? 3 * (t + 1) : 0)} // Rows of a block.
KERNEL(oneOfEachRow) {
  __shared__ int s[kMost];
  const int column = int(threadIdx.x), row = int(threadIdx.y);
  if (column == m.width - 1)
    s[row] = 50 + t;
  __threadfence_block(); // or LLVM makes one branch of writing and one of reading
  if (m.width <= kWarp && kWarp % m.width == 0)
    m.out[t] = s[row];
}
HOST(oneOfEachRow) {
  EACH(if (h.width <= kWarp && kWarp % h.width == 0) out[t] = 50 + t / h.width * h.width + h.width - 1)
}
KERNEL(oneRowForAll) {
  __shared__ int s[kMost];
  const int column = int(threadIdx.x), row = int(threadIdx.y);
  if (n == kWarp) {
    if (row == int(blockDim.y) - 1)
      s[column] = 60 + t;
    __threadfence_block();
    m.out[t] = s[column];
  }
}
HOST(oneRowForAll) { EACH(if (n == kWarp) out[t] = 60 + n - h.width + t % h.width) }
KERNEL(firstsOfRows) {
  const int column = int(threadIdx.x), row = int(threadIdx.y);
  if (n == kWarp && column == 0) {
    int x = m.data[row];
    if (row + 1 < int(blockDim.y))
      m.data[row + 1] = 2 * x;
  }
}
HOST(firstsOfRows) {
  if (n == kWarp) {
    EACH(if (t % h.width == 0) x[t] = data[t / h.width])
    EACH(if (t % h.width == 0 && t + h.width < n) data[t / h.width + 1] = 2 * x[t])
  }
}
KERNEL(paddedRows) {
  __shared__ int s[33][65];
  const int column = int(threadIdx.x), row = int(threadIdx.y);
  if (n <= 64 && column < 64) {
    s[row][column] = t;
    if (n <= kWarp && row + 1 < int(blockDim.y))
      m.out[t] = s[row + 1][column];
  }
}
HOST(paddedRows) { EACH(if (n <= kWarp && t + h.width < n) out[t] = t + h.width) }
// Functions.
__device__ __noinline__ int exchangeInFunction(int *s, int t, int n, int distance) {
  s[t] = 11 * t;
  return s[other(t, distance, n)];
}
KERNEL(functions) {
  __shared__ int s[kMost];
  int x = exchangeInFunction(s, t, n, 1);
  m.out[t] = x + exchangeInFunction(m.data, t, n, 2);
}
HOST(functions){EACH(data[t] = 11 * t) EACH(out[t] = 11 * (other(t, 1, n) + other(t, 2, n)))} __device__ __noinline__
    void store(int *p, int value) {
  *p = value;
}
__device__ __noinline__ int load(const int *p) { return *p; }
KERNEL(functionsOfOneAccess) {
  store(&m.data[t], 13 * t);
  int x = load(&m.data[other(t, 1, n)]);
  store(&m.data[t], x);
  m.out[t] = load(&m.data[other(t, 2, n)]);
}
HOST(functionsOfOneAccess){EACH(data[t] = 13 * other(t, 1, n)) EACH(out[t] = data[other(t, 2, n)])}
// They stay calls: recursion, and a pointer.
__device__ int sumAcross(int *s, int t, int n, int distance) {
  s[t] += 1;
  int x = s[other(t, distance, n)];
  s[t] = x + t;
  if (distance < 16)
    x += sumAcross(s, t, n, 2 * distance);
  return x;
}
KERNEL(recursion) { m.out[t] = sumAcross(m.data, t, n, 1); }
HOST(recursion) {
  for (int distance = 1; distance <= 16; distance *= 2) {
    EACH(data[t] += 1)
    EACH(x[t] = data[other(t, distance, n)])
    EACH(data[t] = x[t] + t)
    EACH(out[t] += x[t])
  }
}
using Function = void (*)(int *, int);
__device__ void put(int *p, int value) { *p = value; }
__device__ void putNegative(int *p, int value) { *p = -value; }
__device__ Function table[] = {put, putNegative};
KERNEL(pointersToFunctions) {
  table[m.rounds & 1](&m.data[t], t);
  int x = m.data[other(t, 1, n)];
  table[m.rounds >> 2](&m.data[t], x);
  m.out[t] = m.data[other(t, 2, n)];
}
HOST(pointersToFunctions){EACH(data[t] = -t) EACH(x[t] = data[other(t, 1, n)]) EACH(data[t] = -x[t])
                              EACH(out[t] = data[other(t, 2, n)])} // Each lane recurs to a depth of its own.
__device__ int descend(int *s, int t, int n, int depth) {
  s[t] += depth + 1;
  int x = s[other(t, 1, n)];
  s[t] = x;
  if (depth > 0)
    x += 3 * descend(s, t, n, depth - 1);
  s[t] += x;
  return x + s[other(t, 2, n)];
}
void descendOnHost(const Lanes &lanes, int n, Values &s, Values &depth, Values &result) {
  Values x(kMost);
  for (int t : lanes)
    s[t] += depth[t] + 1;
  for (int t : lanes)
    x[t] = s[other(t, 1, n)];
  for (int t : lanes)
    s[t] = x[t];
  const Lanes deeper = where(lanes, [&](int t) { return depth[t] > 0; });
  for (int t : deeper)
    --depth[t];
  if (!deeper.empty())
    descendOnHost(deeper, n, s, depth, result);
  for (int t : deeper) {
    ++depth[t];
    x[t] += 3 * result[t];
  }
  for (int t : lanes)
    s[t] += x[t];
  for (int t : lanes)
    result[t] = x[t] + s[other(t, 2, n)];
}
KERNEL(depthsOfLanes) { m.out[t] = descend(m.data, t, n, lane % 4); }
HOST(depthsOfLanes) {
  EACH(x[t] = lane % 4)
  descendOnHost(lanesOf(h), n, data, x, out);
}
// Parameters that are pointers to one array, in functions that differ between lanes.
using Moving = int (*)(int *, const int *, int);
__device__ int moveOnce(int *to, const int *from, int add) {
  int x = *from;
  *to = x + add;
  return x;
}
__device__ int moveTwice(int *to, const int *from, int add) {
  int x = *from;
  *to = 2 * x + add;
  return *from - x;
}
__device__ Moving moving[] = {moveOnce, moveTwice};
KERNEL(sameArray) {
  m.out[t] = moving[m.rounds & 1](&m.data[t], &m.data[other(t, 1, n)], t);
  m.out[t] += 100 * moving[lane >> 4](&m.data[t], &m.data[other(t, 2, n)], lane);
}
HOST(sameArray) {
  EACH(x[t] = data[other(t, 1, n)])
  EACH(data[t] = 2 * x[t] + t)
  EACH(out[t] = data[other(t, 1, n)] - x[t])
  for (int half = 0; half < 2; ++half) {
    EACH(if (lane >> 4 == half) x[t] = data[other(t, 2, n)])
    EACH(if (lane >> 4 == half) data[t] = (1 + half) * x[t] + lane)
    EACH(if (lane >> 4 == half) out[t] += 100 * (half ? data[other(t, 2, n)] - x[t] : x[t]))
  }
}
// Only the function reads the row: the kernel's own words are those of several lanes.
__device__ int rows(int *s, int depth) {
  s[threadIdx.x] += int(threadIdx.y) < depth + 1000 ? 1 : 2; // all of them write the same
  __threadfence_block();
  return depth == 0 ? s[threadIdx.x] : rows(s, depth - 1) + s[threadIdx.x];
}
__global__ void rowsInFunctionKernel(Memory m) {
  int *word = &m.data[threadIdx.x];
  *word = 5;
  const int x = rows(m.data, m.rounds - 5);
  __threadfence_block();
  m.out[threadIdx.y * blockDim.x + threadIdx.x] = x + *word;
}
TEST(rowsInFunction) {
  compare("rowsInFunction", rowsInFunctionKernel, [](Host &h) {
    for (int t = h.first; t < h.end; ++t)
      h.data[t % h.width] = 5;
    for (int t = h.first; t < h.end; ++t)
      h.data[t % h.width] = 6;
    for (int t = h.first; t < h.end; ++t)
      h.out[t] = 2 * h.data[t % h.width];
  });
}
// A lane that holds a lock calls such a function while others wait for the lock.
__device__ void countUp(int *p, int) {
  p[0] += 1;
  p[1] = p[0];
}
__device__ Function counters[] = {countUp, put};
KERNEL(callUnderLock) {
  const int open = initial(kMost);
  for (bool done = false; !done;)
    if (atomicCAS(&m.data[kMost], open, 1) == open) {
      counters[m.rounds >> 3](&m.data[kMost + 1], t);
      __threadfence();
      atomicExch(&m.data[kMost], open);
      done = true;
    }
}
HOST(callUnderLock) { EACH(data[kMost + 2] = ++data[kMost + 1]) }

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
