// SPDX-License-Identifier: MIT
// Calls of the API with a planted defect each, and with "clean" the same calls without. calls.py knows what must be found.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <hip/hip_runtime.h>

static void *allocate(size_t bytes) {
  void *memory = nullptr;
  if (hipMalloc(&memory, bytes) != hipSuccess)
    std::exit(3);
  return memory;
}

/// Freed after everything else.
static struct Last {
  void *memory = nullptr;
  ~Last() {
    if (memory)
      (void)hipFree(memory);
  }
} last;

int main(int, char **arguments) {
  const bool bad = !std::strcmp(arguments[1], "bad");
  char host[256] = {};
  void *none = nullptr;
  void *p = allocate(128), *q = allocate(64), *r = allocate(100);
  last.memory = allocate(48);
  (void)hipMemcpy(p, host, bad ? 129 : 128, hipMemcpyHostToDevice);
  (void)hipMemcpy(host, static_cast<char *>(q) + 1, bad ? 64 : 63, hipMemcpyDeviceToHost);
  (void)hipMemset(r, 0, bad ? 101 : 100);
  if (hipMalloc(&none, size_t(1) << 60) != hipErrorOutOfMemory) // which it takes care of
    return 3;
  (void)hipFree(p);
  if (bad)
    (void)hipFree(p);
  (void)hipFree(bad ? static_cast<char *>(q) + 8 : q);
  void *pinned = nullptr;
  if (hipHostMalloc(&pinned, 64, 0) != hipSuccess)
    return 3;
  (void)hipHostFree(bad ? host : pinned);
  hipPointerAttribute_t attributes;
  (void)hipPointerGetAttributes(&attributes, host); // a question
  if (bad)
    (void)hipSetDevice(1000);
  else
    (void)hipFree(r);
  void *ordered = nullptr; // of a pool
  if (hipMallocAsync(&ordered, 80, nullptr) != hipSuccess)
    return 3;
  if (!bad)
    (void)hipFreeAsync(ordered, nullptr);
}
