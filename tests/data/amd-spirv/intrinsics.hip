// SPDX-License-Identifier: MIT
// Dot products of the headers and intrinsics of the compiler.
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

extern "C" __global__ void dots(const int *x, const int *y, int *result) {
  const int i = threadIdx.x, a = x[i], b = y[i];
  const char4 ca = __builtin_bit_cast(char4, a), cb = __builtin_bit_cast(char4, b);
  const short2 sa = __builtin_bit_cast(short2, a), sb = __builtin_bit_cast(short2, b);
  int *mine = result + 7 * i;
  mine[0] = amd_mixed_dot(ca, cb, 5, false);
  mine[1] = (int)amd_mixed_dot(__builtin_bit_cast(uchar4, a), __builtin_bit_cast(uchar4, b), 5u, true);
  mine[2] = amd_mixed_dot(sa, sb, 7, false);
  mine[3] = (int)amd_mixed_dot(__builtin_bit_cast(ushort2, a), __builtin_bit_cast(ushort2, b), 7u, true);
  mine[4] = amd_mixed_dot(a, b, 9, true);
  mine[5] = (int)amd_mixed_dot((unsigned)a, (unsigned)b, 9u, false);
  mine[6] = __builtin_bit_cast(
      int, amd_mixed_dot(__builtin_bit_cast(__half2, a), __builtin_bit_cast(__half2, b), 1.5f, false));
}

extern "C" __global__ void integers(const unsigned *x, unsigned *result) {
  const int i = threadIdx.x;
  const unsigned a = x[3 * i], b = x[3 * i + 1], c = x[3 * i + 2];
  unsigned *mine = result + 8 * i;
  mine[0] = __builtin_amdgcn_alignbit(a, b, c);
  mine[1] = __builtin_amdgcn_alignbyte(a, b, c & 3);
  mine[2] = __builtin_amdgcn_perm(a, b, c & 0x07070707);
  mine[3] = __builtin_amdgcn_sad_u8(a, b, c);
  mine[4] = __builtin_amdgcn_ubfe(a, b & 31, c & 31);
  mine[5] = __builtin_amdgcn_sbfe(a, b & 31, c & 31);
  mine[6] = __builtin_amdgcn_lerp(a, b, c);
  mine[7] = __builtin_amdgcn_sad_u16(a, b, c);
}
