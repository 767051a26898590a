// SPDX-License-Identifier: MIT
// Inline PTX that reaches memory and other lanes: loads, stores, atomics, copies into shared memory, addresses with 32 bits, shuffles,
// votes, barriers and special registers.
#include "check.h"

#include <cstdint>

const int kThreads = 96, kWords = 24;

__device__ uint32_t sharedAddress(const void *pointer) {
  uint32_t address;
  asm("{ .reg .u64 a; cvta.to.shared.u64 a, %1; cvt.u32.u64 %0, a; }" : "=r"(address) : "l"(pointer));
  return address;
}

__global__ void exchange(const uint32_t *in, uint32_t *out, uint32_t *counts, float *sum) {
  __shared__ alignas(16) uint32_t tile[kThreads * 4];
  __shared__ uint32_t total;
  const unsigned t = threadIdx.x;
  uint32_t *r = out + (blockIdx.x * blockDim.x + t) * kWords;
  if (t == 0)
    total = 0;

  // 16 bytes for each thread, through shared memory.
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(sharedAddress(tile + 4 * t)), "l"(in + 4 * t));
  asm volatile("cp.async.commit_group;\n\tcp.async.wait_group %0;" ::"n"(0));
  asm volatile("bar.sync 0;" ::: "memory");
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(sharedAddress(tile + 4 * ((t + 1) % kThreads))));
  asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(sharedAddress(&total)), "r"(t) : "memory");
  asm volatile("barrier.sync 0;" ::: "memory");
  asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(r[4]) : "r"(sharedAddress(&total)));

  // Global memory
  uint32_t old;
  asm volatile("atom.add.release.gpu.global.u32 %0, [%1], %2;" : "=r"(old) : "l"(counts), "r"(1u) : "memory");
  r[5] = old < gridDim.x * blockDim.x;
  asm volatile("atom.global.max.u32 %0, [%1+4], %2;" : "=r"(old) : "l"(counts), "r"(t) : "memory");
  asm volatile("red.global.add.f32 [%0], %1;" ::"l"(sum), "f"(0.5f) : "memory");
  asm volatile("st.global.cg.u32 [%0], %1;" ::"l"(r + 6), "r"(t) : "memory");
  asm volatile("st.release.sys.global.u32 [%0+4], %1;" ::"l"(r + 6), "r"(t + 1) : "memory");
  uint32_t byte;
  asm volatile("ld.global.nc.u8 %0, [%1];" : "=r"(byte) : "l"((const char *)(in + t) + 1));
  r[8] = byte;
  asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(r[9]) : "l"(in + t) : "memory");
  asm volatile(
      "{ .reg .pred p; setp.eq.u32 p, %1, 3; @p st.global.u32 [%0], 77; @!p st.global.u32 [%0], 78; }" ::"l"(r + 10),
      "r"(t)
      : "memory");

  // Lanes
  asm volatile("shfl.sync.down.b32 %0, %1, 3, 0x1f, 0xffffffff;" : "=r"(r[11]) : "r"(t));
  asm volatile("shfl.sync.bfly.b32 %0, %1, 5, 0x1f, 0xffffffff;" : "=r"(r[12]) : "r"(t));
  asm volatile("{ .reg .pred p; .reg .u32 v; mov.u32 v, %2; shfl.sync.up.b32 v|p, %2, 2, 0x1800, 0xffffffff;\n\t"
               "selp.u32 %1, 1, 0, p; mov.u32 %0, v; }"
               : "=r"(r[13]), "=r"(r[14])
               : "r"(t));
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 40; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
               : "=r"(r[15])
               : "r"(t));
  asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(r[16]) : "r"(t / 4));
  asm volatile("redux.sync.add.u32 %0, %1, 0xffffffff;" : "=r"(r[17]) : "r"(t));
  asm("mov.u32 %0, %%laneid;" : "=r"(r[18]));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(r[19]));
  asm("{ .reg .u32 a, b; mov.u32 a, %%ntid.x; mov.u32 b, %%ctaid.x; mad.lo.u32 %0, a, b, %1; }" : "=r"(r[20]) : "r"(t));
  long long start, end;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(start));
  asm volatile("membar.gl;" ::: "memory");
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(end));
  r[21] = end >= start;
  float power, tangent;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"((float)(t % 8)));
  asm("tanh.approx.f32 %0, %1;" : "=f"(tangent) : "f"(0.0f));
  r[22] = (uint32_t)(power + 0.25f) + (uint32_t)tangent;
  // Kinds of memory, and loads that name their caches
  __shared__ int flag;
  int own = (int)t;
  const void *kept = __cvta_shared_to_generic((uint32_t)__cvta_generic_to_shared(&flag));
  r[23] = __isShared(&flag) && __isGlobal(in) && !__isGlobal(&flag) && !__isLocal(in) && kept == &flag &&
          own == (int)t && __ldcg(in + t) == in[t] && __ldcs((const float2 *)in).x == ((const float2 *)in)->x &&
          __ldca(&in[1]) == in[1];
  if (t > 200)
    asm("trap;");
}

int main() {
  const unsigned blocks = 3, threads = blocks * kThreads;
  std::vector<uint32_t> in(4 * kThreads);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = (uint32_t)i * 2654435761u;
  uint32_t *out, *counts = onDevice(std::vector<uint32_t>(2));
  float *sum = onDevice(std::vector<float>(1));
  CALL(cudaMalloc(&out, threads * kWords * sizeof(uint32_t)));
  exchange<<<blocks, kThreads>>>(onDevice(in), out, counts, sum);
  CALL(cudaDeviceSynchronize());
  const std::vector<uint32_t> results = onHost(out, threads * kWords), counted = onHost(counts, 2);
  EXPECT(counted[0] == threads && counted[1] == kThreads - 1);
  EXPECT(onHost(sum, 1)[0] == 0.5f * threads);
  for (unsigned i = 0; i < threads; ++i) {
    const uint32_t *r = &results[i * kWords], t = i % kThreads, lane = t % 32, warp = t - lane;
    for (unsigned k = 0; k < 4; ++k)
      EXPECT(r[k] == in[4 * ((t + 1) % kThreads) + k]);
    EXPECT(r[4] == kThreads * (kThreads - 1) / 2);
    EXPECT(r[5] == 1 && r[6] == t && r[7] == t + 1);
    EXPECT(r[8] == (in[t] >> 8 & 255) && r[9] == in[t]);
    EXPECT(r[10] == (t == 3 ? 77 : 78));
    EXPECT(r[11] == (lane + 3 < 32 ? t + 3 : t) && r[12] == (t ^ 5));
    EXPECT(r[13] == (lane % 8 >= 2 ? t - 2 : t) && r[14] == (lane % 8 >= 2));
    EXPECT(r[15] == (warp == 0 ? ~0u : warp == 32 ? 0xffu : 0u));
    EXPECT(r[16] == 0xfu << (lane & ~3u) && r[17] == 32 * warp + 31 * 16);
    EXPECT(r[18] == lane && r[19] == (1u << lane) - 1 && r[20] == i);
    EXPECT(r[21] == 1 && r[22] == 1u << t % 8 && r[23] == 1);
  }
}
