# SPDX-License-Identifier: MIT
"""large_kernels.py HIPCC [KIND...] [--sizes=1000,5000,20000]: processor time until a large kernel has run for the first time.

Kernels as generators of code write them: rates of chemical reactions without a loop, a sorting network in registers, a radix sort
whose rounds are unrolled with their barriers, and a state machine of many branches. A size is a number of LLVM instructions, which the
generated kernels meet within a fifth or so; what is printed is the number that the CPU device's compiler gets. The time is the
processor's, of the compilers as well, with an empty cache, less that with a
warm one. It is that of quick code, without optimisation; of optimised code with HIPLZ_CPU_QUICK=0. The last column is that time for 1,000
instructions: it should not grow with the size."""
import argparse
import os
import random
import resource
import shutil
import subprocess
import tempfile

HEAD = "#include <hip/hip_runtime.h>\n"
MAIN = """
int main() {
  float *x;
  if (hipMalloc(&x, 1 << 20) != hipSuccess || hipMemset(x, 0, 1 << 20) != hipSuccess)
    return 1;
  kernel<<<4, 64>>>(x, 1000);
  return hipDeviceSynchronize() != hipSuccess;
}
"""


def chemistry(size):
    """Rates of reactions: an Arrhenius term each, and sums over species."""
    chance = random.Random(1)
    species = 32
    lines = ["__global__ void kernel(float *x, int n) {", "  int i = blockIdx.x * blockDim.x + threadIdx.x;",
             "  if (i >= n) return;", "  double t = x[i] + 300.0, l = log(t), u = 1.0 / t;"]
    lines += [f"  double c{k} = x[i + {k} * n], r{k} = 0;" for k in range(species)]
    for number in range(size // 22):
        a, b, c, d = (chance.randrange(species) for _ in range(4))
        lines.append(f"  {{ double f = exp({chance.uniform(1, 30):.6f} + {chance.uniform(-2, 2):.6f} * l - "
                     f"{chance.uniform(100, 9000):.6f} * u) * c{a} * c{b}, g = {chance.uniform(0, 1):.6f} * f * c{c};")
        lines.append(f"    r{a} -= f - g; r{b} -= f - g; r{c} += f - g; r{d} += f - g; }}")
        if number % 8 == 7:
            lines.append(f"  if (r{a} > 1e30) c{d} += 1e-3 * r{b}; else c{d} *= 0.5;")
    lines += [f"  x[i + {k} * n] = r{k};" for k in range(species)]
    return "\n".join(lines) + "\n}\n"


def network(size):
    """Batcher's odd-even merge sort of numbers in registers, again and again with other keys."""
    count = 64
    lines = ["__global__ void kernel(float *x, int n) {", "  int i = blockIdx.x * blockDim.x + threadIdx.x;", f"  float v[{count}];"]
    lines += [f"  v[{k}] = x[i + {k} * 256];" for k in range(count)]
    made = 0
    while made * 3 < size:
        p = 1
        while p < count:
            k = p
            while k >= 1:
                for j in range(k % p, count - k, 2 * k):
                    for m in range(min(k, count - j - k)):
                        if (j + m) // (p * 2) == (j + m + k) // (p * 2):
                            lines.append(f"  {{ float a = v[{j + m}], b = v[{j + m + k}]; v[{j + m}] = a < b ? a : b; "
                                         f"v[{j + m + k}] = a < b ? b : a; }}")
                            made += 1
                k //= 2
            p *= 2
        lines += [f"  v[{k}] = v[{k}] * {1 + k % 7}.0f - v[{(k * 5 + 3) % count}];" for k in range(count)]
        made += count
    lines += [f"  x[i + {k} * 256] = v[{k}];" for k in range(count)]
    return "\n".join(lines) + "\n}\n"


def radix(size):
    """A radix sort of a block whose rounds are unrolled: counters in shared memory, scans, barriers."""
    lines = ["__global__ void kernel(float *x, int n) {", "  __shared__ unsigned count[16 * 64], key[256];",
             "  int t = threadIdx.x; unsigned v[4];", "  for (int k = 0; k < 4; ++k) v[k] = ((unsigned *)x)[t * 4 + k];"]
    for number in range(max(1, size // 430)):
        lines.append("#pragma unroll\n  for (int d = 0; d < 16; ++d) count[d * 64 + t] = 0;\n  __syncthreads();")
        lines.append(f"#pragma unroll\n  for (int k = 0; k < 4; ++k) count[(v[k] >> {number * 4 % 32} & 15) * 64 + t]++;\n"
                     "  __syncthreads();")
        lines.append("  { unsigned sum = 0;\n#pragma unroll\n  for (int d = 0; d < 16; ++d) { unsigned c = count[t * 16 + d]; "
                     "count[t * 16 + d] = sum; sum += c; }")
        lines.append("  key[t] = sum; __syncthreads();\n#pragma unroll\n  for (int s = 1; s < 64; s *= 2) { unsigned a = t >= s ? "
                     "key[t - s] : 0; __syncthreads(); key[t] += a; __syncthreads(); }")
        lines.append("  unsigned before = t ? key[t - 1] : 0; __syncthreads();\n#pragma unroll\n  for (int d = 0; d < 16; ++d) "
                     "count[t * 16 + d] += before; } __syncthreads();")
        lines.append(f"#pragma unroll\n  for (int k = 0; k < 4; ++k) {{ unsigned p = count[(v[k] >> {number * 4 % 32} & 15) * 64 + t]++; "
                     "key[p & 255] = v[k]; }\n  __syncthreads();")
        lines.append("#pragma unroll\n  for (int k = 0; k < 4; ++k) v[k] = key[t * 4 + k];\n  __syncthreads();")
    lines += ["  for (int k = 0; k < 4; ++k) ((unsigned *)x)[t * 4 + k] = v[k];"]
    return "\n".join(lines) + "\n}\n"


def states(size):
    """A state machine: each state reads, computes and chooses the next by what it has read."""
    chance = random.Random(2)
    count = max(4, size // 26)
    lines = ["__global__ void kernel(float *x, int n) {", "  int i = blockIdx.x * blockDim.x + threadIdx.x, state = i % 4;",
             "  float a = x[i], b = 1;", "  for (int step = 0; step < 10; ++step)", "    switch (state) {"]
    for number in range(count):
        lines.append(f"    case {number}: b = a * {chance.uniform(0, 2):.4f}f + x[(i + {chance.randrange(1000)}) % n];")
        lines.append(f"      if (b > {chance.uniform(0, 9):.4f}f) {{ a -= b; state = {chance.randrange(count)}; }}")
        lines.append(f"      else if (a < b) {{ x[(i + {chance.randrange(1000)}) % n] = a; state = {chance.randrange(count)}; }}")
        lines.append(f"      else state = (state + {chance.randrange(1, 9)}) % {count}; break;")
    lines += ["    }", "  x[i] = a + b;"]
    return "\n".join(lines) + "\n}\n"


KINDS = {"chemistry": chemistry, "network": network, "radix": radix, "states": states}


def seconds(path, cache):
    """Of the processor, of the program and of the compilers that it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([path], env=dict(os.environ, HIPLZ_CACHE_DIR=cache), check=True, cwd=os.path.dirname(path))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def instructions(hipcc, source, folder):
    """How many LLVM instructions the kernel has behind hipcc's optimization."""
    path = os.path.join(folder, "kernel.ll")
    subprocess.run([hipcc, "-O2", "--cuda-device-only", "-emit-llvm", "-S", source, "-o", path], check=True)
    count, inside = 0, False
    with open(path, encoding="utf-8") as file:
        for line in file:
            inside = (inside or (line.startswith("define") and "@_Z6kernelPfi" in line)) and not line.startswith("}")
            count += inside and line.startswith("  ")
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("hipcc")
    parser.add_argument("kinds", nargs="*", default=list(KINDS))
    parser.add_argument("--sizes", default="1000,5000,20000")
    arguments = parser.parse_args()
    hipcc = os.path.abspath(arguments.hipcc)
    with tempfile.TemporaryDirectory(prefix="hiplz-large-kernels-") as folder:
        cache = os.path.join(folder, "cache")
        print(f"{'kind':>10} {'instructions':>13} {'seconds':>9} {'for 1,000':>10}")
        for kind in arguments.kinds:
            for size in map(int, arguments.sizes.split(",")):
                source, path = os.path.join(folder, "program.hip"), os.path.join(folder, "program")
                with open(source, "w", encoding="utf-8") as file:
                    file.write(HEAD + KINDS[kind](size) + MAIN)
                subprocess.run([hipcc, "-O2", source, "-o", path], check=True)
                count = instructions(hipcc, source, folder)
                shutil.rmtree(cache, ignore_errors=True)
                cold = seconds(path, cache)
                took = cold - seconds(path, cache)
                print(f"{kind:>10} {count:13} {took:9.2f} {1000 * took / count:10.3f}", flush=True)


if __name__ == "__main__":
    main()
