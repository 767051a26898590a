// SPDX-License-Identifier: MIT
// Copies between devices. With one device, as is usual here, what concerns the others is skipped and said so.
#include "check.h"

int main() {
  int devices = 0;
  CALL(cudaGetDeviceCount(&devices));
  EXPECT(devices > 0);
  const int last = devices - 1;
  int can = -1;
  EXPECT(cudaDeviceCanAccessPeer(&can, 0, 0) == cudaSuccess && can == 0);
  EXPECT(cudaSetDevice(devices) == cudaErrorInvalidDevice);
  std::vector<int> values(1000);
  for (int i = 0; i < 1000; ++i)
    values[i] = i * i;
  int *from = onDevice(values), *to = nullptr;
  CALL(cudaSetDevice(last));
  CALL(cudaMalloc(&to, 1000 * sizeof(int)));
  CALL(cudaMemcpyPeer(to, last, from, 0, 1000 * sizeof(int)));
  EXPECT(onHost(to, 1000) == values);
  CALL(cudaMemset(to, 0, 1000 * sizeof(int)));
  CALL(cudaMemcpyPeerAsync(to, last, from, 0, 1000 * sizeof(int), 0));
  CALL(cudaDeviceSynchronize());
  EXPECT(onHost(to, 1000) == values);
  if (devices == 1) {
    std::puts("one device: peer access is not tested");
    return 0;
  }
  CALL(cudaDeviceCanAccessPeer(&can, last, 0));
  if (can) {
    CALL(cudaDeviceEnablePeerAccess(0, 0));
    EXPECT(cudaDeviceEnablePeerAccess(0, 0) == cudaErrorPeerAccessAlreadyEnabled);
    CALL(cudaDeviceDisablePeerAccess(0));
  }
}
