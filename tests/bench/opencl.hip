// SPDX-License-Identifier: MIT
// The cost of HIP on OpenCL over OpenCL itself: the same kernels on the same device in one process. Both do 200 launches, or 200 graphs,
// or one long kernel, in turns of 0.1 to 10 ms, 101 or 41 each, and every other time the other one begins: where the system runs the
// threads of the implementation, and what else the machine does, is then the same for both. For each line the medians of both, their
// difference and their ratio.
//
// Launch and wait is clEnqueueNDRangeKernel and clFinish in OpenCL, and a launch is clEnqueueNDRangeKernel alone. A launch of HIP begins
// without anybody waiting for it, which OpenCL promises for commands that have been flushed; so that is a line, too.
//
// Run it with HIPLZ_DEVICES=opencl; HIPLZ_OPENCL_PLATFORM should leave one platform. Arguments are the lines to run, by their first words.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <hip/hip_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

constexpr int kRounds = 101, kLongRounds = 41, kLaunches = 200;
constexpr size_t kElements = 4 << 20; // of 8 bytes; three arrays are more than most caches
constexpr size_t kBlock = 256;

void check(bool good, const char *what) {
  if (!good) {
    std::fprintf(stderr, "%s failed\n", what);
    std::exit(1);
  }
}
#define HIP(call) check((call) == hipSuccess, #call)
#define CL(call) check((call) == CL_SUCCESS, #call)

__global__ void empty() {}
__global__ void copy(double *c, const double *a) {
  const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  c[i] = a[i];
}
__global__ void triad(double *a, const double *b, const double *c, double scalar) {
  const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  a[i] = b[i] + scalar * c[i];
}

/// OpenCL without HIP, on the device of that name.
struct Raw {
  cl_platform_id platform = nullptr;
  cl_context context;
  cl_command_queue queue;
  cl_kernel empty, copy, triad;
  clSetKernelArgMemPointerINTEL_fn setPointer;
  clEnqueueCommandBufferKHR_fn enqueueBuffer = nullptr;
  double *arrays[3];

  explicit Raw(const std::string &name) {
    cl_device_id device = nullptr;
    find(name, platform, device);
    check(device, "finding HIP's device in OpenCL");
    cl_int code;
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    CL(code);
    queue = clCreateCommandQueueWithProperties(context, device, nullptr, &code);
    CL(code);
    std::ifstream file(OPENCL_SPV, std::ios::binary);
    const std::vector<char> spirv((std::istreambuf_iterator<char>(file)), {});
    cl_program program = clCreateProgramWithIL(context, spirv.data(), spirv.size(), &code);
    CL(code);
    CL(clBuildProgram(program, 1, &device, "-cl-std=CL3.0", nullptr, nullptr));
    empty = clCreateKernel(program, "empty", &code);
    CL(code);
    copy = clCreateKernel(program, "copy", &code);
    CL(code);
    triad = clCreateKernel(program, "triad", &code);
    CL(code);
    const auto allocate = reinterpret_cast<clDeviceMemAllocINTEL_fn>(
        clGetExtensionFunctionAddressForPlatform(platform, "clDeviceMemAllocINTEL"));
    setPointer = reinterpret_cast<clSetKernelArgMemPointerINTEL_fn>(
        clGetExtensionFunctionAddressForPlatform(platform, "clSetKernelArgMemPointerINTEL"));
    const auto fill = reinterpret_cast<clEnqueueMemFillINTEL_fn>(
        clGetExtensionFunctionAddressForPlatform(platform, "clEnqueueMemFillINTEL"));
    check(allocate && setPointer && fill, "unified shared memory");
    for (double *&array : arrays) {
      array = static_cast<double *>(allocate(context, device, nullptr, kElements * sizeof *array, 64, &code));
      CL(code);
      const double one = 1;
      CL(fill(queue, array, &one, sizeof one, kElements * sizeof *array, 0, nullptr, nullptr));
    }
    CL(clFinish(queue));
  }

  static void find(const std::string &name, cl_platform_id &platform, cl_device_id &device) {
    cl_uint count = 0;
    CL(clGetPlatformIDs(0, nullptr, &count));
    std::vector<cl_platform_id> platforms(count);
    CL(clGetPlatformIDs(count, platforms.data(), nullptr));
    for (cl_platform_id one : platforms) {
      cl_device_id candidate;
      char text[256] = "";
      if (clGetDeviceIDs(one, CL_DEVICE_TYPE_ALL, 1, &candidate, nullptr) != CL_SUCCESS)
        continue;
      CL(clGetDeviceInfo(candidate, CL_DEVICE_NAME, sizeof text, text, nullptr));
      if (name == text) {
        platform = one;
        device = candidate;
        return;
      }
    }
  }

  /// A command buffer of empty kernels that may be enqueued while it executes; null if the device has none.
  cl_command_buffer_khr commandBuffer(int kernels) {
    const auto create = function<clCreateCommandBufferKHR_fn>("clCreateCommandBufferKHR");
    const auto append = function<clCommandNDRangeKernelKHR_fn>("clCommandNDRangeKernelKHR");
    const auto finalize = function<clFinalizeCommandBufferKHR_fn>("clFinalizeCommandBufferKHR");
    enqueueBuffer = function<clEnqueueCommandBufferKHR_fn>("clEnqueueCommandBufferKHR");
    if (!create || !append || !finalize || !enqueueBuffer)
      return nullptr;
    const cl_command_buffer_properties_khr properties[] = {CL_COMMAND_BUFFER_FLAGS_KHR,
                                                           CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR, 0};
    cl_int code;
    cl_command_buffer_khr buffer = create(1, &queue, properties, &code);
    if (code != CL_SUCCESS)
      return nullptr;
    const size_t one = 1;
    for (int kernel = 0; kernel < kernels; ++kernel)
      CL(append(buffer, nullptr, nullptr, empty, 1, nullptr, &one, &one, 0, nullptr, nullptr, nullptr));
    CL(finalize(buffer));
    return buffer;
  }
  template <class Function> Function function(const char *name) const {
    return reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(platform, name));
  }

  void launch(cl_kernel kernel, size_t global, size_t local) {
    CL(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr));
  }
};

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

std::vector<std::string> chosen; // lines, by their first words; empty: all

bool isChosen(const std::string &name) {
  return chosen.empty() ||
         std::any_of(chosen.begin(), chosen.end(), [&](const std::string &one) { return name.rfind(one, 0) == 0; });
}

/// Runs both in turns. Each returns the time that counts, in microseconds for one of what the line is about.
template <class Hip, class OpenCl> void compare(const char *name, int rounds, Hip hip, OpenCl openCl) {
  if (!isChosen(name))
    return;
  hip();
  openCl();
  std::vector<double> ours, theirs;
  for (int round = 0; round < rounds; ++round) {
    const bool begins = round % 2 == 0;
    if (begins)
      ours.push_back(hip());
    theirs.push_back(openCl());
    if (!begins)
      ours.push_back(hip());
  }
  const double mine = median(ours), other = median(theirs);
  std::printf("%-24s %10.2f %10.2f %10.2f %8.3f\n", name, mine, other, mine - other, mine / other);
}

template <class Function> double microseconds(Function function) {
  const auto begin = std::chrono::steady_clock::now();
  function();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

/// Of launches each by itself: on a machine with other work the mean is that of the few that lose their processor.
template <class Launch> double medianOfLaunches(Launch launch) {
  std::vector<double> times;
  for (int i = 0; i < kLaunches; ++i)
    times.push_back(microseconds(launch));
  return median(std::move(times));
}

/// Of the calls alone, each of which begins so long after the one before.
template <class Launch> double pacedMedian(Launch launch) {
  constexpr auto kPause = std::chrono::microseconds(20);
  std::vector<double> times;
  auto next = std::chrono::steady_clock::now();
  for (int i = 0; i < kLaunches; ++i) {
    while (std::chrono::steady_clock::now() < next)
      ;
    next += kPause;
    times.push_back(microseconds(launch));
  }
  return median(std::move(times));
}

} // namespace

int main(int count, char **arguments) {
  chosen.assign(arguments + 1, arguments + count);
  hipDeviceProp_t properties;
  HIP(hipGetDeviceProperties(&properties, 0));
  Raw raw(properties.name);
  hipStream_t stream;
  HIP(hipStreamCreate(&stream));
  double *arrays[3];
  for (double *&array : arrays) {
    HIP(hipMalloc(&array, kElements * sizeof *array));
    HIP(hipMemset(array, 0, kElements * sizeof *array));
  }
  std::printf("%s\n%-24s %10s %10s %10s %8s\n", properties.name, "us", "HIP", "OpenCL", "more", "ratio");

  compare(
      "launch and wait", kRounds,
      [&] {
        return medianOfLaunches([&] {
          empty<<<1, 1, 0, stream>>>();
          HIP(hipStreamSynchronize(stream));
        });
      },
      [&] {
        return medianOfLaunches([&] {
          raw.launch(raw.empty, 1, 1);
          CL(clFinish(raw.queue));
        });
      });
  // The time of the calls alone.
  const auto launches = [&] {
    const double time = microseconds([&] {
      for (int i = 0; i < kLaunches; ++i)
        empty<<<1, 1, 0, stream>>>();
    });
    HIP(hipStreamSynchronize(stream));
    return time / kLaunches;
  };
  const auto rawLaunches = [&](bool flushes) {
    const double time = microseconds([&] {
      for (int i = 0; i < kLaunches; ++i) {
        raw.launch(raw.empty, 1, 1);
        if (flushes)
          CL(clFlush(raw.queue));
      }
    });
    CL(clFinish(raw.queue));
    return time / kLaunches;
  };
  compare("launch", kRounds, launches, [&] { return rawLaunches(false); });
  compare("launch, flushed", kRounds, launches, [&] { return rawLaunches(true); });
  // A launch at a time, so that the thread that executes them sleeps in between and each call has to wake it, on both sides.
  compare(
      "launch, every 20 us", kLongRounds, [&] { return pacedMedian([&] { empty<<<1, 1, 0, stream>>>(); }); },
      [&] {
        return pacedMedian([&] {
          raw.launch(raw.empty, 1, 1);
          CL(clFlush(raw.queue));
        });
      });
  HIP(hipStreamSynchronize(stream));
  CL(clFinish(raw.queue));
  // A graph is a closed list for the driver, which enqueues its commands one by one. OpenCL's own way is a command buffer.
  constexpr int kNodes = 20;
  hipGraph_t graph;
  hipGraphExec_t executable;
  HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  for (int node = 0; node < kNodes; ++node)
    empty<<<1, 1, 0, stream>>>();
  HIP(hipStreamEndCapture(stream, &graph));
  HIP(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  if (cl_command_buffer_khr buffer = raw.commandBuffer(kNodes))
    compare(
        "graph of 20 kernels", kLongRounds,
        [&] {
          return medianOfLaunches([&] {
            HIP(hipGraphLaunch(executable, stream));
            HIP(hipStreamSynchronize(stream));
          });
        },
        [&] {
          return medianOfLaunches([&] {
            CL(raw.enqueueBuffer(0, nullptr, buffer, 0, nullptr, nullptr));
            CL(clFinish(raw.queue));
          });
        });
  compare(
      "copy kernel", kLongRounds,
      [&] {
        return microseconds([&] {
          copy<<<kElements / kBlock, kBlock, 0, stream>>>(arrays[0], arrays[1]);
          HIP(hipStreamSynchronize(stream));
        });
      },
      [&] {
        return microseconds([&] {
          CL(raw.setPointer(raw.copy, 0, raw.arrays[0]));
          CL(raw.setPointer(raw.copy, 1, raw.arrays[1]));
          raw.launch(raw.copy, kElements, kBlock);
          CL(clFinish(raw.queue));
        });
      });
  const double scalar = 0.4;
  compare(
      "triad kernel", kLongRounds,
      [&] {
        return microseconds([&] {
          triad<<<kElements / kBlock, kBlock, 0, stream>>>(arrays[0], arrays[1], arrays[2], scalar);
          HIP(hipStreamSynchronize(stream));
        });
      },
      [&] {
        return microseconds([&] {
          for (cl_uint i = 0; i < 3; ++i)
            CL(raw.setPointer(raw.triad, i, raw.arrays[i]));
          CL(clSetKernelArg(raw.triad, 3, sizeof scalar, &scalar));
          raw.launch(raw.triad, kElements, kBlock);
          CL(clFinish(raw.queue));
        });
      });
  return 0;
}
