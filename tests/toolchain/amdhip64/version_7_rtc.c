// SPDX-License-Identifier: MIT
// Opens a library and asks the runtime behind it which HIP it follows: version_7_rtc LIBRARY MAJOR
#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void *find(void *library, const char *name) {
  void *function = dlsym(library, name);
  if (!function) {
    printf("%s\n", dlerror());
    exit(1);
  }
  return function;
}

int main(int count, char **arguments) {
  void *rtc = count == 3 ? dlopen(arguments[1], RTLD_NOW | RTLD_GLOBAL) : NULL;
  void *runtime = rtc ? dlopen("libamdhip64.so.6", RTLD_NOW) : NULL;
  if (!runtime) {
    printf("%s\n", dlerror());
    return 1;
  }
  int major = 0, minor = 0, version = 0;
  if (((hiprtcResult(*)(int *, int *))find(rtc, "hiprtcVersion"))(&major, &minor) != HIPRTC_SUCCESS)
    return 1;
  if (((hipError_t(*)(int *))find(runtime, "hipRuntimeGetVersion"))(&version) != hipSuccess)
    return 1;
  printf("%s: %d\n", arguments[1], version);
  return version / 10000000 == atoi(arguments[2]) ? 0 : 1;
}
