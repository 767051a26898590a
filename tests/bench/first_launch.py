# SPDX-License-Identifier: MIT
"""first_launch.py HIPCC [PRODUCT]: processor time until the first kernels have run, of programs with 1, 50 and 500 instances
of a kernel template.

Each program launches one, three or fifty of them, with an empty and with a warm cache. With a PRODUCT (skl, pvc ...) it is
Intel's driver in capture mode that compiles for that GPU and takes the calls, and nothing is executed."""
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

HEAD = """#include <hip/hip_runtime.h>
#include <cstdlib>
template <int N> __global__ void kernel(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float a = x[i];
    for (int j = 0; j < n % 7 + N % 5; ++j)
      a = a * 1.5f + x[(i + j * N) % n];
    x[i] = a + sinf(a * N);
  }
}
int main(int, char **arguments) {
  const int wanted = atoi(arguments[1]);
  float *x;
  if (hipMalloc(&x, 4096) != hipSuccess || hipMemset(x, 0, 4096) != hipSuccess)
    return 1;
"""


def program(instances):
    launches = "".join(f"  if (wanted > {i}) kernel<{i}><<<4, 64>>>(x, 1000);\n" for i in range(instances))
    return HEAD + launches + "  return hipDeviceSynchronize() != hipSuccess;\n}\n"


SHAPES = {"skl": "1x3x8", "adls": "1x2x16", "tgllp": "1x6x16", "pvc": "1x8x8"}


def intel(product):
    """The environment for Intel's driver without a GPU."""
    return {"NEOReadDebugKeys": "1", "SetCommandStreamReceiver": "1", "AUBDumpSubCaptureMode": "2", "UseAubStream": "0",
            "ZE_ENABLE_ALT_DRIVERS": "libze_intel_gpu.so.1", "NEO_CACHE_PERSISTENT": "0", "HIPLZ_DEVICES": "gpu",
            "ProductFamilyOverride": product, "HardwareInfoOverride": SHAPES[product]}


def run(path, wanted, cache, driver):
    """Milliseconds of the processor, of the program and of the compilers that it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([path, str(wanted)], env=dict(os.environ, **driver, HIPLZ_CACHE_DIR=cache), check=True,
                   cwd=os.path.dirname(path))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1e3 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def main():
    hipcc = os.path.abspath(sys.argv[1])
    driver = intel(sys.argv[2]) if len(sys.argv) > 2 else {}
    with tempfile.TemporaryDirectory(prefix="hiplz-first-launch-") as folder:
        cache = os.path.join(folder, "cache")
        print(f"{'kernels':>8} {'launched':>9} {'cold, ms':>10} {'warm, ms':>10}")
        for instances in (1, 50, 500):
            source, path = os.path.join(folder, "program.hip"), os.path.join(folder, "program")
            with open(source, "w", encoding="utf-8") as file:
                file.write(program(instances))
            subprocess.run([hipcc, "-O2", source, "-o", path], check=True)
            for wanted in (1, 3, 50) if instances > 1 else (1,):
                cold = []
                for _ in range(3):
                    shutil.rmtree(cache, ignore_errors=True)
                    cold.append(run(path, wanted, cache, driver))
                warm = [run(path, wanted, cache, driver) for _ in range(9)]
                print(f"{instances:8} {wanted:9} {statistics.median(cold):10.1f} {statistics.median(warm):10.1f}")


if __name__ == "__main__":
    main()
