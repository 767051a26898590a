// SPDX-License-Identifier: MIT
// Kernels that leave their memory, each in a process of its own: the device is lost, the process goes on, and one line on standard
// error says which kernel, what kind of fault it was and what lies near. On a GPU such kernels may hang the machine's display,
// so the test is for devices in the host's memory.
#include "check.h"

#include <hip/hip_cooperative_groups.h>

#include <string>
#include <sys/wait.h>

namespace {

__global__ void bump(float *values, size_t count) {
  const size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    values[i] += 1;
}
constexpr int kBumpLine = __LINE__ - 2;
template <class T> __global__ void readOne(const T *from, T *to) { *to = *from; }
__global__ void readVector(const float4 *from, float4 *to) { *to = *from; }
__device__ int depth(int *seen, int level) {
  volatile int frame[64];
  frame[level & 63] = level;
  if (level < 0)
    return 0;
  return depth(seen, level + 1) + frame[level & 31];
}
__global__ void recur(int *seen) { *seen = depth(seen, *seen); }
__global__ void meet(int *to) {
  cooperative_groups::this_grid().sync();
  *to = 1;
}
__global__ void leavePrivate(int *to, int count) {
  int values[16];
  for (int i = 0; i < count; ++i)
    values[i] = i + *to;
  *to = values[count & 15];
}
__device__ int table[16];
__global__ void leaveVariable(int begin, int count) {
  for (int i = begin; i < count; ++i)
    table[i] += 1;
}

// In blocks that are executed side by side: the row `height` has no memory. One work-item alone goes there, because of several any may be first.
__global__ void leaveImage(int *to, int width, int height, int column) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y < height || (y == height && x == column))
    to[y * width + x] = x;
}

// One work-item of the second block leaves its memory behind steps in which nobody can.
__global__ void leaveBehindTree(const int *in, int *to) {
  __shared__ int part[64];
  part[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int width = 32; width > 0; width /= 2) {
    if (threadIdx.x < width)
      part[threadIdx.x] += part[threadIdx.x + width];
    __syncthreads();
  }
  if (blockIdx.x == 1 && threadIdx.x == 32)
    *to = part[0];
}

template <class T> T *allocate(size_t count) {
  T *memory;
  HIP_CHECK(hipMalloc(reinterpret_cast<void **>(&memory), count * sizeof(T)));
  return memory;
}

struct Fault {
  const char *name;
  void (*launch)();
  const char *says, *saysToo; ///< parts of the line
  hipError_t error = hipErrorIllegalAddress;
};
const Fault kFaults[] = {
    {"behindTheEnd",
     [] {
       float *image = allocate<float>(990);
       bump<<<56, 64>>>(image, 990 + 2560);
     },
     "kernel (anonymous namespace)::bump at fault_reports.hip:",
     " behind the end of an allocation of 3960 bytes at 0x"},
    {"farBehindTheEnd",
     [] {
       float *image = allocate<float>(990);
       bump<<<1, 64>>>(image + 990 + 2560, 64);
     },
     "(read)", "10240 bytes behind the end of an allocation of 3960 bytes"},
    {"beforeTheBeginning",
     [] {
       float *image = allocate<float>(990);
       bump<<<1, 64>>>(image - 256, 64);
     },
     "an invalid memory access at address 0x", "1024 bytes before an allocation of 3960 bytes"},
    {"freed",
     [] {
       int *from = allocate<int>(100), *to = allocate<int>(1);
       HIP_CHECK(hipFree(from));
       readOne<<<1, 1>>>(from, to);
     },
     "kernel (anonymous namespace)::readOne<int>", "in an allocation of 400 bytes at 0x"},
    {"null", [] { readOne<<<1, 1>>>(static_cast<int *>(nullptr) + 3, allocate<int>(1)); },
     "an invalid memory access at address 0xc (", "near a null pointer"},
    {"impossible", [] { readOne<<<1, 1>>>(reinterpret_cast<int *>(0x1234567812345678), allocate<int>(1)); },
     "an invalid memory access at address 0x1234567812345678, which cannot exist", ""},
    {"misaligned",
     [] {
       float *from = allocate<float>(64);
       readVector<<<1, 1>>>(reinterpret_cast<float4 *>(from + 1), reinterpret_cast<float4 *>(allocate<float>(64)));
     },
     "a misaligned vector access at address 0x", "04 ("},
    {"recursion", [] { recur<<<1, 1>>>(allocate<int>(1)); }, "a stack overflow at address 0x",
     "functions call each other too deeply", hipErrorLaunchFailure},
    {"privateArray", [] { leavePrivate<<<1, 1>>>(allocate<int>(1), 1 << 20); }, "the device is lost", ""},
    {"variable", [] { leaveVariable<<<1, 1>>>(0, 1 << 20); }, "kernel (anonymous namespace)::leaveVariable",
     "the device is lost"},
    {"rowOfBlocks", [] { leaveImage<<<dim3(16, 3), dim3(32, 8)>>>(allocate<int>(512 * 16), 512, 16, 300); },
     "kernel (anonymous namespace)::leaveImage", "in work-group (9, 2, 0), work-item (12, 0, 0)"},
    {"behindTree", [] { leaveBehindTree<<<2, 64>>>(allocate<int>(64), nullptr); }, "in work-group (1, 0, 0)",
     "(32, 0, 0)"},
    {"gridSync", [] { meet<<<1, 32>>>(allocate<int>(1)); }, "kernel (anonymous namespace)::meet",
     "grid.sync() in a launch that is not cooperative", hipErrorLaunchFailure},
};

std::string program; // this one

std::string outputOf(const std::string &command, int &status) {
  std::string text;
  FILE *pipe = ::popen(command.c_str(), "r");
  CHECK(pipe != nullptr);
  for (int c; pipe && (c = std::fgetc(pipe)) != EOF;)
    text += static_cast<char>(c);
  status = pipe ? ::pclose(pipe) : -1;
  return text;
}

int fault(const std::string &name) {
  for (const Fault &fault : kFaults)
    if (fault.name == name) {
      fault.launch();
      const hipError_t error = hipDeviceSynchronize();
      std::printf("%s\n", hipGetErrorName(error));
      return error == hipSuccess ? 1 : 0;
    }
  return 2;
}

} // namespace

TEST(theLineIsThatOfTheAccess) {
  int status = -1;
  const std::string text = outputOf("HIPLZ_MALLOC_CACHE=0 '" + program + "' --fault=behindTheEnd 2>&1", status);
  CHECK(text.find("fault_reports.hip:" + std::to_string(kBumpLine) + ": an invalid memory access") != text.npos);
}

TEST(theDeviceIsLostAndOneLineSaysWhy) {
  for (const Fault &fault : kFaults) {
    int status = -1;
    const std::string text = outputOf("HIPLZ_MALLOC_CACHE=0 '" + program + "' --fault=" + fault.name + " 2>&1", status);
    const bool isGood = WIFEXITED(status) && WEXITSTATUS(status) == 0 && text.find(fault.says) != text.npos &&
                        text.find(fault.saysToo) != text.npos && text.find(hipGetErrorName(fault.error)) != text.npos;
    CHECK(isGood);
    if (!isGood)
      std::fprintf(stderr, "%s: status %#x: %s\n", fault.name, status, text.c_str());
  }
}

int main(int argc, char **argv) {
  program = argv[0];
  if (argc == 2 && !std::strncmp(argv[1], "--fault=", 8))
    return fault(argv[1] + 8);
  hipDeviceProp_t properties;
  HIP_CHECK(hipGetDeviceProperties(&properties, 0));
  if (!properties.pageableMemoryAccess) {
    std::printf("skipped: the device does not share the host's memory\n");
    return 77;
  }
  return runTests(argc, argv);
}
