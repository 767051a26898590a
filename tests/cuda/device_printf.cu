// SPDX-License-Identifier: MIT
// printf in kernels. The output goes through a file, in which the lines are counted.
#include "check.h"
#include <string>
#include <unistd.h>

__global__ void hello(int *written) {
  if (threadIdx.x % 16)
    return;
  const int count =
      printf("block %d thread %2u: %5.2f %s %c\n", blockIdx.x, threadIdx.x, threadIdx.x / 32.0, "text", 'x');
  if (blockIdx.x == 0 && threadIdx.x == 0)
    *written = count;
}

int main() {
  size_t size = 0;
  CALL(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 20));
  CALL(cudaDeviceGetLimit(&size, cudaLimitPrintfFifoSize));
  EXPECT(size >= 1 << 20);
  int *written = onDevice(std::vector<int>(1));
  std::fflush(stdout);
  char path[] = "/tmp/cuda-printf-XXXXXX";
  const int file = mkstemp(path), console = dup(1);
  dup2(file, 1);
  hello<<<2, 32>>>(written);
  CALL(cudaDeviceSynchronize());
  std::fflush(stdout);
  dup2(console, 1);
  std::string text(lseek(file, 0, SEEK_END), '\0');
  EXPECT(pread(file, text.data(), text.size(), 0) == (ssize_t)text.size());
  unlink(path);
  for (const char *line : {"block 0 thread  0:  0.00 text x\n", "block 0 thread 16:  0.50 text x\n",
                           "block 1 thread  0:  0.00 text x\n", "block 1 thread 16:  0.50 text x\n"})
    EXPECT(text.find(line) != text.npos);
  EXPECT(text.size() == 4 * 32);
  EXPECT(onHost(written, 1)[0] == 32); // characters, as on the host; CUDA counts arguments
}
