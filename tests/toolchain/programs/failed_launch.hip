// SPDX-License-Identifier: MIT
// Launches with blocks that are too large. The argument says what the program does about it.
#include <hip/hip_runtime.h>

#include <cstring>

namespace demo {
__global__ void large(int *to) { *to = 1; }
__global__ __launch_bounds__(128) void bounded(int *to) { *to = 1; }
} // namespace demo

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  void *arguments[] = {nullptr};
  if (!std::strcmp(what, "bounded"))
    demo::bounded<<<1, 512>>>(nullptr);
  else if (!std::strcmp(what, "returned"))
    return hipLaunchKernel(reinterpret_cast<const void *>(demo::large), 1, 4096, arguments, 0, nullptr) == hipSuccess;
  else
    demo::large<<<1, 4096>>>(nullptr);
  if (!std::strcmp(what, "asked"))
    return hipGetLastError() == hipSuccess;
  return hipDeviceSynchronize() != hipSuccess;
}
