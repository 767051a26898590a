# SPDX-License-Identifier: MIT
# libhiplz is opened by a program whose other libraries have used up the static thread-local memory.
cat >much.c <<'C'
__thread char much[SIZE] __attribute__((tls_model("initial-exec"))) = {1};
char *address(int i) { return &much[i]; }
C
cat >late.c <<'C'
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
int main(int count, char **names) {
  int taken = 0;
  for (int i = 2; i < count; ++i)
    taken += dlopen(names[i], RTLD_NOW) != NULL;
  fprintf(stderr, "%d of %d\n", taken, count - 2);
  void *library = dlopen(names[1], RTLD_NOW | RTLD_LOCAL), *memory;
  int (*allocate)(void **, size_t) = library ? (int (*)(void **, size_t))dlsym(library, "hipMalloc") : NULL;
  if (!allocate)
    puts(dlerror());
  return allocate ? allocate(&memory, 64) : 100;
}
C
$clang -x c late.c $clang_link -ldl -o late
set --
for number in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24; do
  $clang -x c -fPIC -shared -DSIZE=64 much.c -o much$number.so
  set -- "$@" ./much$number.so
done
# libstdc++ and the loader have their share before.
runs ./late "$stage/lib/libhiplz.so.1"
HIPLZ_DEVICES=cpu runs ./late "$stage/lib/libhiplz.so.1" "$@"
readelf -dW "$stage/lib/libze_hiplz_cpu.so.1" >dynamic
lacks dynamic STATIC_TLS
