// SPDX-License-Identifier: MIT
// Opens shared libraries with kernels again and again, and calls into them.
#include "check.h"

#include <dlfcn.h>

int main(int count, char **arguments) {
  for (int round = 0; round < 3; ++round)
    for (int i = 1; i < count; ++i) {
      void *library = dlopen(arguments[i], RTLD_NOW | RTLD_LOCAL);
      if (!library)
        std::fprintf(stderr, "%s\n", dlerror());
      REQUIRE(library);
      using Function = int (*)(int);
      const Function compute = reinterpret_cast<Function>(dlsym(library, "compute"));
      REQUIRE(compute);
      REQUIRE(compute(10) == 10 * i);
      REQUIRE(dlclose(library) == 0);
    }
  return 0;
}
