// SPDX-License-Identifier: MIT
// Memory that another process fills, by handles.
#include "check.h"
#include <sys/wait.h>
#include <unistd.h>

__global__ void fill(int *data, int value) { data[threadIdx.x] = value + threadIdx.x; }

int main() {
  int toChild[2], toParent[2];
  EXPECT(pipe(toChild) == 0 && pipe(toParent) == 0);
  const pid_t child = fork(); // before either has a device
  if (child == 0) {
    cudaIpcMemHandle_t handle;
    EXPECT(read(toChild[0], &handle, sizeof(handle)) == sizeof(handle));
    void *data = nullptr;
    CALL(cudaIpcOpenMemHandle(&data, handle, cudaIpcMemLazyEnablePeerAccess));
    fill<<<1, 64>>>((int *)data, 500);
    CALL(cudaDeviceSynchronize());
    CALL(cudaIpcCloseMemHandle(data));
    EXPECT(write(toParent[1], "x", 1) == 1);
    char end;
    EXPECT(read(toChild[0], &end, 1) == 1);
    return 0;
  }
  int *data = onDevice(std::vector<int>(64));
  cudaIpcMemHandle_t handle;
  CALL(cudaIpcGetMemHandle(&handle, data));
  EXPECT(write(toChild[1], &handle, sizeof(handle)) == sizeof(handle));
  close(toParent[1]); // so that the end of the child ends the wait
  char done;
  EXPECT(read(toParent[0], &done, 1) == 1);
  const std::vector<int> values = onHost(data, 64);
  for (int i = 0; i < 64; ++i)
    EXPECT(values[i] == 500 + i);
  EXPECT(write(toChild[1], "x", 1) == 1);
  int status = -1;
  EXPECT(waitpid(child, &status, 0) == child && status == 0);
  CALL(cudaFree(data));
}
