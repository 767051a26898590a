// SPDX-License-Identifier: MIT
// The variables by which libhiplz asks something of Intel's driver are gone afterwards, for the sake of child processes; what
// the user has set stays.
#include <hip/hip_runtime_api.h>

#include <cstdio>
#include <cstdlib>

int main() {
  int count = 0;
  (void)hipGetDeviceCount(&count);
  const char *value = std::getenv("NEO_FP64_EMULATION");
  std::printf("program: %s\n", value ? value : "none");
}
