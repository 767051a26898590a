// SPDX-License-Identifier: MIT
// Kernels for tests of machine code, compiled by make.sh for gfx1030. No headers and no libraries: what they need is declared here.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))

extern "C" {
__device__ int launches = 5;

__global__ void vectorAdd(const float *a, const float *b, float *c, int n) {
  const int i =
      __builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() + __builtin_amdgcn_workitem_id_x();
  if (i < n)
    c[i] = a[i] + b[i];
}

// The sum of 256 numbers for each work-group, by halves.
__global__ void reduceSum(const float *in, float *out, int n) {
  __shared__ float part[256];
  const unsigned t = __builtin_amdgcn_workitem_id_x();
  const int i = __builtin_amdgcn_workgroup_id_x() * 256 + t;
  part[t] = i < n ? in[i] : 0;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  for (unsigned half = 128; half > 0; half /= 2) {
    if (t < half)
      part[t] += part[t + half];
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  }
  if (t == 0) {
    out[__builtin_amdgcn_workgroup_id_x()] = part[0];
    __atomic_fetch_add(&launches, 1, __ATOMIC_RELAXED);
  }
}

__device__ __attribute__((noinline)) unsigned fibonacci(unsigned n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

// Calls of functions, recursion, private memory and loops that lanes leave at different times.
__global__ void recursive(unsigned *out) {
  const unsigned t = __builtin_amdgcn_workitem_id_x();
  out[t] = fibonacci(t % 12);
}

// A structure by value, and ids in three dimensions.
struct Box {
  int x, y, z;
  long long offset;
};
__global__ void shape(long long *out, Box box) {
  const int x = __builtin_amdgcn_workitem_id_x(), y = __builtin_amdgcn_workitem_id_y(),
            z = __builtin_amdgcn_workitem_id_z();
  const int lx = __builtin_amdgcn_workgroup_size_x(), ly = __builtin_amdgcn_workgroup_size_y();
  const int block = __builtin_amdgcn_workgroup_id_x() + 2 * __builtin_amdgcn_workgroup_id_y();
  out[block * 100 + (z * ly + y) * lx + x] = box.offset + box.x * x + box.y * y + box.z * z + 1000 * block;
}

// Lanes leave nested loops one after another and take both ways of branches. Then each reads what another one has computed.
__global__ void lanesPart(const unsigned *in, unsigned *out) {
  const unsigned t = __builtin_amdgcn_workitem_id_x();
  unsigned x = in[t], sum = 0, left = 99;
  for (unsigned round = 0; round < 40; ++round) {
    unsigned y = x + round;
    while (y > 3) {
      if (y & 1) {
        y = 3 * y + 1;
        sum += y & 15;
      } else {
        y >>= 2;
        sum ^= round;
      }
      if ((y & 63) == 5) {
        left = round;
        break;
      }
    }
    if (sum > 1000)
      break;
    x = (5 * x + (y & 7)) & 1023;
  }
  const int neighbour = static_cast<int>((t + 1) % 32 * 4);
  out[3 * t] = sum;
  out[3 * t + 1] = static_cast<unsigned>(__builtin_amdgcn_ds_bpermute(neighbour, static_cast<int>(x)));
  out[3 * t + 2] = static_cast<unsigned>(__builtin_amdgcn_ds_bpermute(neighbour, static_cast<int>(left)));
}

// Private arrays of each size of element, in places that are known when the kernel runs.
__global__ void privateArrays(int *out) {
  const unsigned t = __builtin_amdgcn_workitem_id_x();
  volatile signed char bytes[16];
  volatile unsigned short words[16];
  volatile int numbers[16];
  for (unsigned i = 0; i < 16; ++i) {
    bytes[(i + t) % 16] = static_cast<signed char>(i * 9 - t);
    words[(i * 3 + t) % 16] = static_cast<unsigned short>(i * 5000 + t);
    numbers[i ^ (t & 15)] = static_cast<int>(i * t);
  }
  out[t] = bytes[t % 16] + words[t / 2 % 16] + numbers[5];
}

// Each work-group waits for the one behind it, and its first wave for its second.
__global__ void waits(int *flags, int *out, int count) {
  const int block = __builtin_amdgcn_workgroup_id_x(), t = __builtin_amdgcn_workitem_id_x();
  int *inside = flags + count + block;
  if (t == 32) {
    if (block + 1 < count)
      while (__atomic_load_n(&flags[block + 1], __ATOMIC_ACQUIRE) == 0)
        ;
    out[block] = block + 1 < count ? out[block + 1] + 1 : 1;
    __atomic_store_n(inside, 1, __ATOMIC_RELEASE);
  }
  if (t == 0) {
    while (__atomic_load_n(inside, __ATOMIC_ACQUIRE) == 0)
      ;
    out[block] *= 2;
    __atomic_store_n(&flags[block], 1, __ATOMIC_RELEASE);
  }
}

// Waves of a work-group that wait in turn for a word of local memory, whose reads nothing marks.
__global__ void waitsInLocalMemory(int *out) {
  __shared__ int turn;
  const int t = __builtin_amdgcn_workitem_id_x(), wave = 7 - t / 32;
  if (t == 0)
    turn = 0;
  __builtin_amdgcn_s_barrier();
  if (t % 32 == 0) {
    while (__atomic_load_n(&turn, __ATOMIC_RELAXED) != wave)
      ;
    out[wave] = wave == 0 ? 1 : 3 * out[wave - 1];
    __atomic_store_n(&turn, wave + 1, __ATOMIC_RELEASE);
  }
}

// Even work-groups store numbers with equal halves, odd ones look if the halves are equal: an access of 64 bits is one.
__global__ void wholeWords(unsigned long long *place, int *torn, int times) {
  if (__builtin_amdgcn_workitem_id_x() != 0)
    return;
  int count = 0;
  for (int i = 0; i < times; ++i) {
    if (__builtin_amdgcn_workgroup_id_x() % 2 == 0) {
      __atomic_store_n(place, (unsigned)i * 0x100000001ull, __ATOMIC_RELAXED);
    } else {
      const unsigned long long seen = __atomic_load_n(place, __ATOMIC_RELAXED);
      count += (unsigned)seen != seen >> 32;
    }
  }
  if (count)
    __atomic_fetch_add(torn, count, __ATOMIC_RELAXED);
}

__device__ __attribute__((noinline)) int halted(int x) {
  asm volatile("s_sethalt 1");
  return x;
}
__device__ __attribute__((noinline)) int tripled(int x) {
  asm volatile("" : "+v"(x));
  return 3 * x;
}
__device__ int (*chosen)(int) = tripled;

// Of the functions of the file they reach one: by its name, and by a pointer in memory.
__global__ void callsOneFunction(int *out) {
  const int t = __builtin_amdgcn_workitem_id_x();
  out[t] = tripled(t) + tripled(out[t]);
}
__global__ void callsByPointer(int *out) {
  const int t = __builtin_amdgcn_workitem_id_x();
  out[t] = chosen(t) + chosen(out[t]);
}
__global__ void callsHalted(int *out) { *out = halted(*out); }

// Two places without a barrier where each wave overwrites what the others have to have read before: counters of lower threads, and what
// the first wave alone writes for a next round.
__global__ void readsBeforeOthersWrite(int *out, int n) {
  __shared__ int counters[256], totals[2];
  const int t = __builtin_amdgcn_workitem_id_x();
  counters[t] = t % 3;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  int sum = 0;
  for (int i = 0; i < t; ++i)
    sum += counters[i];
  counters[t] = -1000;
  for (int round = 0; round < n; ++round) {
    if (t == 0)
      totals[0] = round, totals[1] = 2 * round;
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
    sum += totals[0] + totals[1];
  }
  out[t] = sum;
}

// The last steps of a sum as if a wave had 64 lanes: the second of two waves has to have written before the first one reads.
__global__ void sumsOf64Lanes(int *out) {
  __shared__ int values[128];
  volatile int *v = values;
  const int t = __builtin_amdgcn_workitem_id_x();
  v[t] = t * t;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  if (t < 64)
    for (int step = 64; step > 0; step /= 2)
      v[t] = v[t] + v[t + step];
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  out[t] = v[0];
}

// Each wave scales its part of a vector by the sign of the first element, which the first wave changes.
__global__ void scalesBySign(int *values) {
  const int t = __builtin_amdgcn_workitem_id_x();
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  const int sign = values[0] < 0 ? -1 : 1;
  values[t] = values[t] * sign;
}

// Four waves whose barriers stand at different places of the code, and which end at different times.
__global__ void barriersApart(int *out) {
  __shared__ int values[128];
  const int t = __builtin_amdgcn_workitem_id_x(), wave = __builtin_amdgcn_readfirstlane(t / 32);
  int sum;
  if (wave % 2) {
    values[t] = 2 * t;
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
    sum = values[t - 32];
  } else {
    values[t] = 3 * t;
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
    sum = -values[t + 32];
  }
  for (int i = 0; i <= wave; ++i) {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
    values[t] = 1000 * i + t;
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
    sum += values[(t + 32) % 128];
  }
  out[t] = sum;
}

// Addresses in many forms, of which some are the same in a row of work-items or follow each other, and others begin again on the way. `table` has
// 65,536 elements, `results` 13 for each work-item, `stored` 256 of 32 bits and behind them 256 bytes.
__global__ void addressForms(const int *table, int *results, int *stored, unsigned start) {
  __shared__ int local[256];
  const unsigned x = __builtin_amdgcn_workitem_id_x(), y = __builtin_amdgcn_workitem_id_y(),
                 z = __builtin_amdgcn_workitem_id_z();
  const unsigned lx = __builtin_amdgcn_workgroup_size_x(), ly = __builtin_amdgcn_workgroup_size_y();
  const unsigned items = lx * ly * __builtin_amdgcn_workgroup_size_z(), t = (z * ly + y) * lx + x, i = start + x;
  for (unsigned n = t; n < 256; n += items)
    local[n] = 7 * n;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  int *own = results + 13 * t;
  own[0] = table[i & 1023];
  own[1] = table[(3 * i >> 4) & 1023];
  own[2] = table[(short)i + 32768];
  own[3] = table[((int)i >> 3) & 1023];
  own[4] = table[((x ^ start) & 1023) + 16 * y];
  own[5] = table[(x | start) & 1023];
  own[6] = ((int)i < 512 ? table : table + 2048)[x + 64 * z];
  own[7] = table[(i << 2) >> 2 & 0xffff];
  const int *at = table + x;
  int sum = 0;
  for (unsigned n = 0; n < 5; ++n, at += start & 63)
    sum += *at + at[y];
  own[8] = sum;
  own[9] = local[i & 255];
  own[10] = local[(16 * y + x + z) & 255];
  own[11] = table[(i < 100 ? 2 * i : i) & 0xfff];
  own[12] = table[(int)(3ll * (int)i >> 32) & 1023];
  stored[i & 255] = 5 * (i & 255);
  ((unsigned char *)(stored + 256))[(unsigned char)(i + 3)] = (unsigned char)(i + 3);
}

// Work-items that walk along rows of their own. `ends` has where the rows begin and end, and `out` six numbers for each row; those of rows
// that are left out stay.
__global__ void walksRows(const int *ends, const int *column, const int *value, const int *x, int *out, int rows,
                          int length) {
  const unsigned lx = __builtin_amdgcn_workgroup_size_x();
  const int row = __builtin_amdgcn_workgroup_id_x() * lx + __builtin_amdgcn_workitem_id_x();
  if (row >= rows)
    return;
  int *own = out + 6 * row, last = -row, sum = 0, most = value[(long long)row * length];
  bool above = false;
  for (int k = ends[row]; k < ends[row + 1]; ++k) {
    sum += value[k] * x[column[k]];
    last = value[k];
    above |= value[k] > 900;
  }
  own[0] = sum;
  own[1] = last;
  own[2] = above;
  for (int k = 1; k < length; ++k) {
    const int word = value[(long long)row * length + k];
    most = word > most ? word : most;
  }
  own[3] = most;
  int found = ends[row]; // which each leaves where the row has a number of its own
  while (found < ends[row + 1] && value[found] != row)
    ++found;
  own[4] = found;
  unsigned mixed = row;
  for (int k = ends[row]; k < ends[row + 1]; ++k) // looks at the lanes that are there
    mixed = mixed * 3 + __builtin_amdgcn_readfirstlane(value[k]);
  own[5] = mixed;
}

// Some lanes read, and write, elements that begin `below` elements further down than their numbers, in a row that begins in front of local memory.
// `out` has four numbers for each lane, and then the words of local memory behind each of four stores.
__global__ void rowsBeforeLocalMemory(const int *which, unsigned long long *out, int below) {
  __shared__ unsigned long long words[64];
  const int t = __builtin_amdgcn_workitem_id_x(), at = t - below;
  const bool takesPart = which[t];
  auto wait = [] {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  };
  for (int i = t; i < 64; i += 32)
    words[i] = 0x0123456789abcdefull * (i + 1);
  wait();
  unsigned long long loaded[4] = {7, 7, 7, 7};
  if (takesPart) {
    loaded[0] = words[at];
    loaded[1] = ((unsigned *)words)[at];
    loaded[2] = ((unsigned short *)words)[at];
    loaded[3] = ((unsigned char *)words)[at];
  }
  for (int n = 0; n < 4; ++n)
    out[4 * t + n] = loaded[n];
  for (int size = 0; size < 4; ++size) {
    wait();
    if (takesPart) {
      if (size == 0)
        words[at] = 0xfedcba9876543210ull + t;
      else if (size == 1)
        ((unsigned *)words)[at] = 0xa5b6c7d8 + t;
      else if (size == 2)
        ((unsigned short *)words)[at] = 0x1234 + t;
      else
        ((unsigned char *)words)[at] = 0x56 + t;
    }
    wait();
    for (int i = t; i < 64; i += 32)
      out[128 + 64 * size + i] = words[i];
  }
}

// Structures of words, each lane one. Its words come out in the opposite order.
__device__ inline int numberOfItem() {
  const int row =
      __builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_y() + __builtin_amdgcn_workitem_id_y();
  return row * __builtin_amdgcn_workgroup_size_x() + __builtin_amdgcn_workitem_id_x();
}

#define TURNS_WORDS(words, bytes)                                                                                      \
  struct alignas(bytes) Words##words {                                                                                 \
    unsigned word[words];                                                                                              \
  };                                                                                                                   \
  __global__ void turnsWords##words(const Words##words *in, Words##words *out, int n) {                                \
    const int i = numberOfItem();                                                                                      \
    if (i >= n)                                                                                                        \
      return;                                                                                                          \
    const Words##words own = in[i];                                                                                    \
    Words##words turned;                                                                                               \
    for (int k = 0; k < words; ++k)                                                                                    \
      turned.word[k] = own.word[words - 1 - k] + i;                                                                    \
    out[i] = turned;                                                                                                   \
  }
TURNS_WORDS(2, 4)
TURNS_WORDS(4, 16)
TURNS_WORDS(7, 4)
TURNS_WORDS(8, 16)
TURNS_WORDS(16, 16)

// Of structures of four words: three are moved, or each half depends on the other, which may be the same memory.
__global__ void takesSomeWords(const Words4 *in, Words4 *out, Words4 *first, Words4 *second, int n) {
  const int i = numberOfItem();
  if (i >= n)
    return;
  out[i].word[0] = in[i].word[1];
  out[i].word[1] = in[i].word[2];
  out[i].word[2] = in[i].word[0];
  const unsigned a = first[i].word[0], b = first[i].word[1];
  second[i].word[2] = a + 1;
  second[i].word[3] = b + 2;
  const unsigned c = first[i].word[2], d = first[i].word[3];
  second[i].word[0] = c + 3;
  const unsigned e = first[i].word[0];
  second[i].word[1] = d + e;
}

// A stencil over a box, of which the surface stays as it is, with a factor for each plane.
__global__ void stencilOfBox(const int *in, const int *factor, int *out, int nx, int ny, int nz) {
  const int x = __builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() +
                __builtin_amdgcn_workitem_id_x(),
            y = __builtin_amdgcn_workgroup_id_y() * __builtin_amdgcn_workgroup_size_y() +
                __builtin_amdgcn_workitem_id_y(),
            z = __builtin_amdgcn_workgroup_id_z() * __builtin_amdgcn_workgroup_size_z() +
                __builtin_amdgcn_workitem_id_z();
  if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1)
    return;
  const int i = x + nx * (y + ny * z);
  out[i] = factor[z] * in[i] + in[i - 1] - in[i + 1] + 2 * in[i - nx] - 3 * in[i + nx] + 5 * in[i - nx * ny] -
           7 * in[i + nx * ny];
}

__global__ void productsOfHalves(const _Float16 *a, const _Float16 *b, const _Float16 *c, _Float16 *out) {
  const int i = __builtin_amdgcn_workgroup_id_x() * 256 + __builtin_amdgcn_workitem_id_x();
  out[i] = __builtin_fmaf16(a[i], b[i], c[i]);
}

// The numbers of items, moved and cut to a range, signed and not, and what stands there.
__global__ void readsInRange(const int *in, int *out, int shift, int low, int high, int n) {
  const int i = numberOfItem(), at = i + shift;
  if (i >= n)
    return;
  const int inside = at < low ? low : at > high ? high : at;
  const unsigned number = at, below = number < (unsigned)high ? number : (unsigned)high,
                 above = below > (unsigned)low ? below : (unsigned)low;
  out[2 * i] = in[inside];
  out[2 * i + 1] = in[above];
}

// Words of local memory around places that may lie in front of it and behind it. Each word is its number and 1.
__global__ void wordsAroundPlaces(unsigned *out, int begin, int step) {
  __shared__ unsigned words[8192];
  const int width = __builtin_amdgcn_workgroup_size_x(), rows = __builtin_amdgcn_workgroup_size_y();
  const int x = __builtin_amdgcn_workitem_id_x(), y = __builtin_amdgcn_workitem_id_y(), t = y * width + x;
  for (int i = t; i < 8192; i += width * rows)
    words[i] = i + 1;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  const int at = begin + y * step + x;
  out[5 * t] = words[at];
  out[5 * t + 1] = words[at + 7];
  out[5 * t + 2] = words[at + 700];
  out[5 * t + 3] = words[at + 701];
  out[5 * t + 4] = words[begin + y * step + 3];
}

// A sum of many loads in a row, and behind them one for the lanes whose first word is above 1. Without a branch.
__global__ void someLanesBehindManyLoads(const float *in, const float *more, float *out) {
  const unsigned t = __builtin_amdgcn_workitem_id_x();
  float words[12];
  for (unsigned i = 0; i < 12; ++i)
    words[i] = in[t + 64 * i];
  asm volatile("v_cmpx_lt_f32_e32 1.0, %0" : : "v"(words[0]) : "exec");
  float last = ((const volatile __attribute__((address_space(1))) float *)more)[t];
  asm volatile("s_mov_b32 exec_lo, -1" : "+v"(last) : : "exec");
  float sum = words[0] > 1 ? last : 0;
  for (unsigned i = 0; i < 12; ++i)
    sum += words[i];
  out[t] = sum;
}

// All of the local memory that there is.
__global__ void allLocalMemory(unsigned *out) {
  __shared__ unsigned words[16384];
  const unsigned t = __builtin_amdgcn_workitem_id_x();
  for (unsigned i = t; i < 16384; i += 64)
    words[i] = i;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  for (unsigned i = t; i < 16384; i += 64)
    out[i] = words[16383 - i];
}

// An operation that is not implemented.
__global__ void refused(int *out) {
  asm volatile("s_sethalt 1");
  *out = 1;
}
}
