// SPDX-License-Identifier: MIT
// Kernels that call the host, allocate, trap and wait for their grid, as AMD's device library does it, compiled by make.sh for gfx1030
// with code objects of version 5.
#include "../../../include/hip/spirv/hostcall_layout.h"

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

using namespace __hiplz;

// Offsets of hidden arguments in code objects of version 5.
enum Hidden {
  groupCounts = 0,
  groupSizes = 12,
  dimensions = 64,
  printfBuffer = 72,
  hostcall = 80,
  grid = 88,
  heap = 96,
  queue = 200
};

template <class T> static __device__ T hidden(Hidden offset) {
  const auto *base = (const __attribute__((address_space(4))) char *)__builtin_amdgcn_implicitarg_ptr();
  return *(const __attribute__((address_space(4))) T *)(base + offset);
}

static __device__ unsigned lane() { return __builtin_amdgcn_mbcnt_lo(~0u, 0); }
static __device__ uint64_t fromFirst(uint64_t value) {
  return static_cast<uint64_t>(__builtin_amdgcn_readfirstlane(value >> 32)) << 32 |
         static_cast<unsigned>(__builtin_amdgcn_readfirstlane(value));
}

static __device__ void push(uint64_t *stack, HostcallBuffer *buffer, uint64_t packet) {
  uint64_t top = __atomic_load_n(stack, __ATOMIC_RELAXED);
  do
    buffer->headers[packet & buffer->indexMask].next = top;
  while (!__atomic_compare_exchange_n(stack, &top, packet, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

struct Results {
  uint64_t first, second;
};

// A packet for the lanes that are here.
static __device__ __attribute__((noinline)) Results call(uint32_t service, uint64_t a, uint64_t b, uint64_t c = 0,
                                                         uint64_t d = 0) {
  auto *buffer = hidden<HostcallBuffer *>(hostcall);
  const bool isFirst = __builtin_amdgcn_readfirstlane(lane()) == static_cast<int>(lane());
  uint64_t packet = 0;
  if (isFirst) {
    packet = __atomic_load_n(&buffer->freeStack, __ATOMIC_ACQUIRE);
    while (!__atomic_compare_exchange_n(
        &buffer->freeStack, &packet,
        __atomic_load_n(&buffer->headers[packet & buffer->indexMask].next, __ATOMIC_RELAXED), false, __ATOMIC_ACQUIRE,
        __ATOMIC_RELAXED))
      __builtin_amdgcn_s_sleep(1);
  }
  packet = fromFirst(packet);
  HostcallHeader *header = &buffer->headers[packet & buffer->indexMask];
  uint64_t *slot = buffer->payloads[packet & buffer->indexMask].slots[lane()];
  slot[0] = a, slot[1] = b, slot[2] = c, slot[3] = d;
  const uint64_t active = __builtin_amdgcn_read_exec();
  if (isFirst) {
    header->activeMask = active;
    header->service = service;
    header->control = HostcallHeader::ready;
    push(&buffer->readyStack, buffer, packet);
    __atomic_fetch_add(&buffer->doorbell->value, 1, __ATOMIC_RELEASE);
    if (buffer->doorbell->mailbox)
      __builtin_amdgcn_s_sendmsg(1, 0);
  }
  for (;;) {
    unsigned ready = HostcallHeader::ready;
    if (isFirst)
      ready = __atomic_load_n(&header->control, __ATOMIC_ACQUIRE);
    if (!(__builtin_amdgcn_readfirstlane(ready) & HostcallHeader::ready))
      break;
    __builtin_amdgcn_s_sleep(1);
  }
  const Results results{slot[0], slot[1]};
  if (isFirst)
    push(&buffer->freeStack, buffer, packet + buffer->indexMask + 1);
  return results;
}

static __device__ uint64_t message(uint64_t descriptor, unsigned words, uint64_t a, uint64_t b = 0, uint64_t c = 0) {
  return call(printMessage, descriptor | words << HostcallMessage::lengthShift, a, b, c).first;
}

// Up to 24 characters.
static __device__ uint64_t text(uint64_t descriptor, const char *characters) {
  uint64_t words[3] = {};
  unsigned length = 0;
  for (; characters[length]; ++length)
    words[length / 8] |= static_cast<uint64_t>(characters[length]) << length % 8 * 8;
  return message(descriptor, length / 8 + 1, words[0], words[1], words[2]);
}

// The buffer of -mprintf-kind=buffered, as LLVM's and AMD's code has it.
struct PrintfBuffer {
  uint32_t used, bytes;
};
constexpr unsigned kSizeShift = 2, kFormatIsNumber = 2;

// Room for a message there, or null.
static __device__ char *room(unsigned bytes) {
  auto *buffer = hidden<PrintfBuffer *>(printfBuffer);
  unsigned used = __atomic_load_n(&buffer->used, __ATOMIC_RELAXED);
  do
    if (used + bytes + sizeof(PrintfBuffer) > buffer->bytes)
      return nullptr;
  while (!__atomic_compare_exchange_n(&buffer->used, &used, used + bytes, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return reinterpret_cast<char *>(buffer + 1) + used;
}

template <class T> static __device__ void put(char *&at, T value) {
  __builtin_memcpy(at, &value, sizeof value);
  at += sizeof value;
}

extern "C" {
// Every second lane prints by a format that make.sh puts into the metadata, every fourth one by one of its own as well.
__global__ void printsToBuffer(int *out, int times) {
  const unsigned t = __builtin_amdgcn_workitem_id_x();
  for (int i = 0; i < times; ++i) {
    if (t % 2 == 0)
      continue;
    char *at = room(12 + 4 * 8);
    out[t] = at ? 0 : -1;
    if (!at)
      continue;
    put(at, (12 + 4 * 8) << kSizeShift | kFormatIsNumber);
    put(at, uint64_t{0xabcdef0123456789});
    put(at, uint64_t{t});
    put(at, uint64_t{0x6e65657267}); // "green"
    put(at, t / 4.0);
    put(at, uint64_t{0x123456789a} + t);
    if (t % 4 != 3)
      continue;
    at = room(4 + 2 * 8);
    if (!at)
      continue;
    put(at, (4 + 2 * 8) << kSizeShift);
    put(at, uint64_t{0x000a252575253a6f}); // "o:%u%%\n"
    put(at, uint64_t{t});
  }
}

__global__ void callsFunctions(uint64_t function, uint64_t *out) {
  const unsigned i = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
  if (i % 3 != 1) {
    const Results results = call(callFunction, function, i, 1000);
    out[i] = results.first * 10 + results.second;
  }
}

__global__ void prints(int *out) {
  const unsigned t = __builtin_amdgcn_workitem_id_x();
  if (t % 2 == 0)
    return;
  uint64_t next = message(HostcallMessage::begin, 1, 0);
  next = text(next, "%d: %-6s|%5.2f|%%\n");
  next = message(next, 1, t);
  next = text(next, t == 3 ? "three" : "longer than six");
  const double real = t / 4.0;
  uint64_t bits;
  __builtin_memcpy(&bits, &real, sizeof bits);
  out[t] = message(next | HostcallMessage::end, 1, bits);
}

// In the allocator's pieces of 2 MiB, and in others.
__global__ void allocates(uint64_t *out) {
  const unsigned t = __builtin_amdgcn_workitem_id_x();
  auto *numbers = reinterpret_cast<unsigned *>(call(deviceMemory, 0, t % 2 ? 2 << 20 : 5000).first);
  out[t] = reinterpret_cast<uint64_t>(numbers);
  for (unsigned i = 0; i < 1000; ++i)
    numbers[i] = i * t;
  if (t < 2)
    call(deviceMemory, reinterpret_cast<uint64_t>(numbers), 0);
}

__global__ void asserts(int *out, int limit) {
  const int t = __builtin_amdgcn_workitem_id_x();
  if (t > limit) {
    static constexpr char format[40] = "Device-side assertion `%s' failed.\n";
    uint64_t words[5];
    __builtin_memcpy(words, format, sizeof words);
    uint64_t next = message(HostcallMessage::begin, 1, 1);
    next = message(next, 3, words[0], words[1], words[2]);
    next = message(next, 2, words[3], words[4]);
    text(next | HostcallMessage::end, "t < limit");
    __builtin_trap();
  }
  out[t] = t;
}

__global__ void traps(int *out, int limit) {
  const int t = __builtin_amdgcn_workitem_id_x();
  if (t > limit)
    __builtin_trap();
  out[t] = t;
}

// Each work-group adds its number when all others have: 0 in an ordinary launch.
__global__ void meets(unsigned *sums, uint64_t *state) {
  const unsigned group = __builtin_amdgcn_workgroup_id_x(), t = __builtin_amdgcn_workitem_id_x();
  const unsigned groups = hidden<uint32_t>(groupCounts);
  if (t == 0)
    state[group] = hidden<uint64_t>(grid);
  if (hidden<uint64_t>(grid) == 0)
    return;
  for (unsigned round = 0; round < 4; ++round) {
    if (t == 0)
      __atomic_fetch_add(&sums[round], group + 1, __ATOMIC_RELAXED);
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent");
    __builtin_amdgcn_s_barrier();
    if (t == 0)
      __builtin_amdgcn_ds_gws_barrier(groups - 1, 0);
    __builtin_amdgcn_s_barrier();
    if (t == 0 && __atomic_load_n(&sums[round], __ATOMIC_RELAXED) != groups * (groups + 1) / 2)
      __atomic_fetch_add(&sums[4], 1, __ATOMIC_RELAXED);
  }
}

__global__ void hiddenArguments(uint64_t *out) {
  if (__builtin_amdgcn_workitem_id_x() != 0 || __builtin_amdgcn_workgroup_id_x() != 0)
    return;
  out[0] = hidden<uint32_t>(groupCounts);
  out[1] = hidden<uint16_t>(groupSizes);
  out[2] = hidden<uint16_t>(dimensions);
  out[3] = hidden<uint64_t>(queue) != 0;
  uint64_t sum = 0;
  for (unsigned i = 0; i < 131072 / 8; ++i)
    sum |= hidden<const uint64_t *>(heap)[i];
  out[4] = sum;
}
}
