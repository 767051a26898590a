// SPDX-License-Identifier: MIT
// See opencl.h. Memory is shared by CL_MEM_USE_HOST_PTR: runtimes for processors then work on the host's pages.
#define CL_TARGET_OPENCL_VERSION 120
#include "opencl.h"

#include <CL/cl.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <map>

extern const char *const kOpenClSource; // compute.cl, made into a string by the build

namespace bench {
namespace {

#define HIPLZ_CL_FUNCTIONS(F)                                                                                          \
  F(clGetPlatformIDs)                                                                                                  \
  F(clGetDeviceIDs)                                                                                                    \
  F(clGetDeviceInfo)                                                                                                   \
  F(clCreateContext)                                                                                                   \
  F(clCreateCommandQueue)                                                                                              \
  F(clCreateProgramWithSource)                                                                                         \
  F(clBuildProgram)                                                                                                    \
  F(clGetProgramBuildInfo)                                                                                             \
  F(clCreateKernel)                                                                                                    \
  F(clSetKernelArg) F(clEnqueueNDRangeKernel) F(clFinish) F(clCreateBuffer) F(clReleaseMemObject) F(clReleaseKernel)

struct Functions {
#define F(name) decltype(&::name) name = nullptr;
  HIPLZ_CL_FUNCTIONS(F)
#undef F
  bool load() {
    const char *file = std::getenv("HIPLZ_BENCH_OPENCL");
    void *library = dlopen(file ? file : "libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
      return false;
    bool all = true;
#define F(name)                                                                                                        \
  name = reinterpret_cast<decltype(name)>(dlsym(library, #name));                                                      \
  all = all && name;
    HIPLZ_CL_FUNCTIONS(F)
#undef F
    return all;
  }
};

} // namespace

struct OpenCl::State {
  Functions cl;
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_program program = nullptr;
  std::string text = "not available";

  struct Prepared {
    cl_kernel kernel;
    std::vector<size_t> global, local;
  };
  std::vector<Prepared> launches;
  std::map<void *, cl_mem> buffers;

  bool open() {
    cl_platform_id platforms[8];
    cl_uint count = 0;
    if (!cl.load() || cl.clGetPlatformIDs(8, platforms, &count) != CL_SUCCESS)
      return false;
    for (cl_uint i = 0; i < count && i < 8 && !device; ++i)
      if (cl.clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &device, nullptr) != CL_SUCCESS)
        device = nullptr;
    if (!device)
      return false;
    char name[256] = "", version[256] = "";
    cl.clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, nullptr);
    cl.clGetDeviceInfo(device, CL_DRIVER_VERSION, sizeof version, version, nullptr);
    cl_int error = CL_SUCCESS;
    context = cl.clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
    queue = error == CL_SUCCESS ? cl.clCreateCommandQueue(context, device, 0, &error) : nullptr;
    if (!queue)
      return false;
    const char *source = kOpenClSource;
    program = cl.clCreateProgramWithSource(context, 1, &source, nullptr, &error);
    if (cl.clBuildProgram(program, 1, &device, "-cl-std=CL1.2 -cl-fast-relaxed-math", nullptr, nullptr) != CL_SUCCESS) {
      std::vector<char> log(1 << 16);
      cl.clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, log.size() - 1, log.data(), nullptr);
      std::fprintf(stderr, "OpenCL: %s\n", log.data());
      return false;
    }
    text = std::string(name) + ", driver " + version;
    return true;
  }

  void release() {
    for (Prepared &launch : launches)
      cl.clReleaseKernel(launch.kernel);
    for (auto &buffer : buffers)
      cl.clReleaseMemObject(buffer.second);
    launches.clear();
    buffers.clear();
  }
};

OpenCl::OpenCl() : state_(std::make_unique<State>()) {
  if (!state_->open())
    state_->queue = nullptr;
}
OpenCl::~OpenCl() = default; // the runtime's own objects live until the process ends
bool OpenCl::available() const { return state_->queue; }
std::string OpenCl::description() const { return state_->text; }

bool OpenCl::prepare(const std::vector<ClLaunch> &launches) {
  State &s = *state_;
  s.release();
  for (const ClLaunch &launch : launches) {
    cl_int error = CL_SUCCESS;
    cl_kernel kernel = s.cl.clCreateKernel(s.program, launch.kernel, &error);
    for (cl_uint i = 0; i < launch.args.size() && error == CL_SUCCESS; ++i) {
      const ClArg &arg = launch.args[i];
      if (!arg.memory) {
        error = s.cl.clSetKernelArg(kernel, i, arg.value.size(), arg.value.data());
        continue;
      }
      cl_mem &buffer = s.buffers[arg.memory];
      if (!buffer)
        buffer = s.cl.clCreateBuffer(s.context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, arg.bytes, arg.memory, &error);
      if (error == CL_SUCCESS)
        error = s.cl.clSetKernelArg(kernel, i, sizeof buffer, &buffer);
    }
    if (error != CL_SUCCESS) {
      std::fprintf(stderr, "OpenCL: %s: error %d\n", launch.kernel, error);
      return false;
    }
    s.launches.push_back({kernel, launch.global, launch.local});
  }
  return true;
}

void OpenCl::run() {
  State &s = *state_;
  for (const State::Prepared &launch : s.launches)
    s.cl.clEnqueueNDRangeKernel(s.queue, launch.kernel, cl_uint(launch.global.size()), nullptr, launch.global.data(),
                                launch.local.data(), 0, nullptr, nullptr);
  s.cl.clFinish(s.queue);
}

} // namespace bench
