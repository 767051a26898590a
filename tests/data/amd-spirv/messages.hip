// SPDX-License-Identifier: MIT
// Messages of printf whose parts AMD's compiler moves apart: strings that it measures in a loop, the same call in both branches of a
// condition, results that are used.
#include <hip/hip_runtime.h>

extern "C" __global__ void strings(const char *text, int number) {
  printf("[%s] %d [%10s] [%.3s] %p %%\n", text, number, text, text, (void *)0x1234);
  if (number & 1)
    printf("odd %s %d %g\n", text, number, number / 2.0);
  else
    printf("even %s %d %g\n", text, number, number / 2.0);
}

extern "C" __global__ void numbers(int n) {
  printf("%d %u %hhd %hd %lld %zu %x %o %c\n", -n, 3000000000u, (char)-2, (short)-3, -5000000000ll, (size_t)n << 33,
         255, 8, 'A' + n);
  printf("%f %.3e %g %a %5.1f|%-8d|%+d|%08.3f\n", n * 0.1, 12345.678, 1e-10, 0.5, 2.25, n, n, 3.14159);
  printf("%*d|%-*d|%.*f\n", 6, n, 6, n, 2, 1.5);
}

extern "C" __global__ void results(int *characters, const char *text, int n) {
  characters[0] = printf("%s\n", text);
  characters[1] = printf("%d %d %d %d %d %d %d %d %d\n", n, n, n, n, n, n, n, n, n);
  characters[2] = printf("plain\n");
}

extern "C" __global__ void loops(int rounds, const char *const *names) {
  for (int i = 0; i < rounds; ++i) {
    if (i == 2)
      continue;
    printf("thread %d round %d %s\n", (int)threadIdx.x, i, names[i % 2]);
  }
}
