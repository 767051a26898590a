// SPDX-License-Identifier: MIT
// Shared libraries with kernels that come and go while the program runs: same names in several libraries, unloading with
// work pending, many times over, from several threads at once. The libraries lie beside the program.
#include "tests/device/check.h"
#include "tests/device/plugins/plugin.h"

#include <atomic>
#include <dlfcn.h>
#include <fstream>
#include <string>
#include <thread>
#include <unistd.h>

class Library {
public:
  explicit Library(const std::string &path, int flags = RTLD_LOCAL)
      : handle_(::dlopen(path.c_str(), RTLD_NOW | flags)) {
    if (!handle_) {
      std::fprintf(stderr, "%s\n", ::dlerror());
      std::exit(1);
    }
    plugin = reinterpret_cast<Plugin (*)()>(::dlsym(handle_, "plugin"))();
  }
  ~Library() { ::dlclose(handle_); }
  Library(const Library &) = delete;
  Library &operator=(const Library &) = delete;
  Plugin plugin;

private:
  void *handle_;
};

/// A copy of a library under a name of its own, so that the system loads it as another one.
class Copy {
public:
  Copy(const std::string &path, int number)
      : path_("./plugin_copy_" + std::to_string(::getpid()) + "_" + std::to_string(number) + ".so") {
    std::ofstream(path_, std::ios::binary) << std::ifstream(path, std::ios::binary).rdbuf();
  }
  ~Copy() { std::remove(path_.c_str()); }
  const std::string &path() const { return path_; }

private:
  std::string path_;
};

__global__ void ownKernel(int *data) { data[threadIdx.x] += 1; }

static void checkShared(const Plugin &plugin) {
  DeviceArray<int> data(std::vector<int>(100, 3));
  HIP_CHECK(plugin.shared(data, 100, nullptr));
  CHECK_EQ(data.host()[99], 13);
}
static void checkPlugin(const Plugin &plugin, int factor) {
  DeviceArray<int> data(std::vector<int>(100, 3));
  HIP_CHECK(plugin.scale(data, 100, nullptr));
  CHECK_EQ(data.host()[99], 3 * factor);
  checkShared(plugin);
}

static void checkOwn() {
  DeviceArray<int> data(std::vector<int>(64, 5));
  ownKernel<<<1, 64>>>(data);
  HIP_CHECK(hipGetLastError());
  addTen<int><<<1, 64>>>(data, 64);
  HIP_CHECK(hipGetLastError());
  CHECK_EQ(data.host()[63], 16);
}

static std::string two, three; // the libraries: each multiplies by its number

// In two libraries and the program.
TEST(sameNames) {
  {
    Library first(two), second(three);
    checkPlugin(first.plugin, 2);
    checkPlugin(second.plugin, 3);
    checkPlugin(second.plugin, 3);
    CHECK_EQ(first.plugin.launches(), 1);
    CHECK_EQ(second.plugin.launches(), 2);
    checkOwn();
  }
  checkOwn();
}

TEST(aLibraryThatReturnsStartsAnew) {
  for (int round = 0; round < 30; ++round) {
    Library library(round % 2 ? two : three);
    checkPlugin(library.plugin, round % 2 ? 2 : 3);
    CHECK_EQ(library.plugin.launches(), 1);
  }
}

// Unloading a library whose copy of a shared kernel may serve everybody.
TEST(sharedKernelsOutliveALibrary) {
  auto *global = new Library(two, RTLD_GLOBAL);
  Library other(three, RTLD_GLOBAL);
  checkShared(global->plugin);
  checkShared(other.plugin);
  delete global;
  checkShared(other.plugin);
  checkOwn();
}

TEST(unloadingWaitsForRunningKernels) {
  DeviceArray<int> data(std::vector<int>(1 << 20, 1));
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  {
    Library library(two);
    for (int i = 0; i < 5; ++i)
      HIP_CHECK(library.plugin.scale(data, 1 << 20, stream));
  }
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK_EQ(data.host()[(1 << 20) - 1], 32);
  HIP_CHECK(hipStreamDestroy(stream));
}

TEST(loadedAndNeverUsed) {
  for (int round = 0; round < 20; ++round)
    Library library(two);
}

// Threads that load, use and unload libraries of their own, while this one launches and another builds graphs.
TEST(threads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      Copy copy(t % 2 ? two : three, t);
      for (int round = 0; round < 5; ++round) {
        Library library(copy.path());
        checkPlugin(library.plugin, t % 2 ? 2 : 3);
      }
    });
  std::atomic<bool> done{false};
  std::thread builder([&] {
    DeviceArray<int> data(64);
    int *to = data;
    void *arguments[] = {&to};
    hipKernelNodeParams parameters{};
    parameters.func = reinterpret_cast<void *>(ownKernel);
    parameters.gridDim = dim3(1);
    parameters.blockDim = dim3(64);
    parameters.kernelParams = arguments;
    while (!done) {
      hipGraph_t graph;
      hipGraphNode_t node;
      HIP_CHECK(hipGraphCreate(&graph, 0));
      for (int i = 0; i < 300; ++i)
        HIP_CHECK(hipGraphAddKernelNode(&node, graph, nullptr, 0, &parameters));
      HIP_CHECK(hipGraphDestroy(graph));
    }
  });
  for (int i = 0; i < 50; ++i)
    checkOwn();
  for (std::thread &thread : threads)
    thread.join();
  done = true;
  builder.join();
}

int main(int argc, char **argv) {
  const std::string program = argv[0];
  const std::string folder = program.substr(0, program.rfind('/') + 1);
  two = folder + "libplugin_2.so";
  three = folder + "libplugin_3.so";
  return runTests(argc, argv);
}
