// SPDX-License-Identifier: MIT
// The program that hiplz-prof is tried with: profiled HOW, where HOW is the way it works or ends.
#include <hip/hip_runtime.h>
#include <rocprofiler-sdk-roctx/roctx.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#define CHECK(call)                                                                                                    \
  do {                                                                                                                 \
    if (const hipError_t error = (call); error != hipSuccess) {                                                        \
      std::fprintf(stderr, "%s: %s\n", #call, hipGetErrorName(error));                                                 \
      std::exit(1);                                                                                                    \
    }                                                                                                                  \
  } while (0)

__global__ void scale(float *values, float by, int count) {
  const int index = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (index < count)
    values[index] *= by;
}

template <class Value> __global__ void increase(Value *values, int count) {
  const int index = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (index < count)
    values[index] += 1;
}

namespace {

constexpr int kCount = 64 * 1024;
constexpr size_t kBytes = kCount * sizeof(float);

// Ten kernels of two kinds, a copy in each direction, a fill, a host function.
void work(const char *range) {
  roctxRangePush(range);
  hipStream_t stream;
  CHECK(hipStreamCreate(&stream));
  float *onDevice = nullptr, *pinned = nullptr;
  CHECK(hipMalloc(&onDevice, kBytes));
  CHECK(hipHostMalloc(&pinned, kBytes));
  for (int index = 0; index < kCount; ++index)
    pinned[index] = 1;
  CHECK(hipMemsetAsync(onDevice, 0, kBytes, stream));
  CHECK(hipMemcpyAsync(onDevice, pinned, kBytes, hipMemcpyHostToDevice, stream));
  for (int round = 0; round < 5; ++round) {
    scale<<<kCount / 256, 256, 0, stream>>>(onDevice, 2, kCount);
    increase<float><<<kCount / 128, 128, 0, stream>>>(onDevice, kCount);
  }
  CHECK(hipMemcpyAsync(pinned, onDevice, kBytes, hipMemcpyDeviceToHost, stream));
  CHECK(hipLaunchHostFunc(
      stream, [](void *) { ::usleep(1000); }, nullptr));
  CHECK(hipStreamSynchronize(stream));
  roctxMark("results are there");
  if (pinned[7] != 63)
    std::exit(2);
  CHECK(hipStreamDestroy(stream));
  CHECK(hipHostFree(pinned));
  CHECK(hipFree(onDevice));
  roctxRangePop();
}

void graph() {
  hipStream_t stream;
  CHECK(hipStreamCreate(&stream));
  float *values = nullptr;
  CHECK(hipMalloc(&values, kBytes));
  CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  CHECK(hipMemsetAsync(values, 0, kBytes, stream));
  for (int round = 0; round < 3; ++round)
    increase<float><<<kCount / 256, 256, 0, stream>>>(values, kCount);
  hipGraph_t recorded;
  CHECK(hipStreamEndCapture(stream, &recorded));
  hipGraphExec_t executable;
  CHECK(hipGraphInstantiate(&executable, recorded, nullptr, nullptr, 0));
  for (int launch = 0; launch < 4; ++launch)
    CHECK(hipGraphLaunch(executable, stream));
  CHECK(hipStreamSynchronize(stream));
  float value = 0;
  CHECK(hipMemcpy(&value, values + 5, sizeof value, hipMemcpyDeviceToHost));
  if (value != 3)
    std::exit(2);
  CHECK(hipGraphExecDestroy(executable));
  CHECK(hipGraphDestroy(recorded));
}

// A kernel of one stream waits for a function of the host in another.
void waits() {
  hipStream_t first, second;
  CHECK(hipStreamCreate(&first));
  CHECK(hipStreamCreate(&second));
  hipEvent_t event;
  CHECK(hipEventCreate(&event));
  CHECK(hipLaunchHostFunc(
      first, [](void *) { ::usleep(20'000); }, nullptr));
  CHECK(hipEventRecord(event, first));
  CHECK(hipStreamWaitEvent(second, event, 0));
  increase<float><<<1, 1, 0, second>>>(nullptr, 0);
  CHECK(hipStreamSynchronize(second));
}

// The results of the functions of roctx, and the names that they give.
bool marksAndNames() {
  hipStream_t stream;
  CHECK(hipStreamCreate(&stream));
  roctx_thread_id_t thread = 0;
  bool good = roctxGetThreadId(&thread) == 0 && thread == static_cast<roctx_thread_id_t>(::gettid());
  good &= roctxRangePop() < 0;
  good &= roctxRangePush("outer") == 0 && roctxRangePush("inner") == 1;
  good &= roctxRangePop() == 1 && roctxRangePop() == 0 && roctxRangePop() < 0;
  const roctx_range_id_t one = roctxRangeStart("one"), two = roctxRangeStart("two");
  good &= one != 0 && two != 0 && one != two;
  std::thread([&] { roctxRangeStop(one); }).join(); // any thread may
  roctxRangeStop(two);
  good &= roctxNameOsThread("the first thread") == 0 && roctxNameHipDevice("the first device", 0) == 0;
  good &= roctxNameHipStream("the only stream", stream) == 0 && roctxNameHipStream("no stream", nullptr) == 0;
  good &= roctxProfilerPause(thread) != 0 && roctxProfilerResume(thread) != 0; // all threads or none
  good &= roctx_version_major() == ROCTX_VERSION_MAJOR && roctx_version_minor() == ROCTX_VERSION_MINOR;
  increase<float><<<1, 1, 0, stream>>>(nullptr, 0);
  CHECK(hipStreamSynchronize(stream));
  increase<float><<<1, 1>>>(nullptr, 0);
  CHECK(hipDeviceSynchronize());
  return good;
}

} // namespace

int main(int, char **arguments) {
  const char *how = arguments[1];
  auto is = [&](const char *word) { return std::strcmp(how, word) == 0; };
  if (is("fork")) { // before the first call of HIP
    const pid_t child = ::fork();
    work(child ? "parent" : "child");
    int status = 0;
    if (child && (::waitpid(child, &status, 0) != child || status != 0))
      return 3;
    return 0;
  }
  const roctx_range_id_t whole = roctxRangeStart("whole run");
  work("first");
  if (is("again"))
    for (int round = 0;; ++round) {
      work("again");
      if (round == 3) // the test ends the program when it sees this file
        std::fclose(std::fopen("at_work", "w"));
    }
  if (is("kill"))
    std::raise(SIGKILL);
  if (is("segv"))
    std::raise(SIGSEGV);
  if (is("abort"))
    std::abort();
  if (is("late fork")) { // the child may not use HIP, but it may have markers
    const pid_t child = ::fork();
    if (child == 0) {
      roctxMark("in the child");
      std::exit(0);
    }
    ::waitpid(child, nullptr, 0);
  }
  if (is("exec")) {
    const char *next[] = {arguments[0], "once", nullptr};
    ::execv(arguments[0], const_cast<char *const *>(next));
    return 4;
  }
  if (is("threads")) {
    std::vector<std::thread> threads;
    for (int number = 0; number < 4; ++number)
      threads.emplace_back([] {
        roctxNameOsThread("worker of the test");
        work("thread");
      });
    for (std::thread &thread : threads)
      thread.join();
  }
  if (is("graph"))
    graph();
  if (is("pause")) {
    CHECK(hipProfilerStop());
    work("not to be seen");
    CHECK(hipProfilerStart());
    work("to be seen");
  }
  if (is("waits"))
    waits();
  if (is("names") && !marksAndNames())
    return 5;
  if (is("fail"))
    return hipMemcpy(nullptr, nullptr, 8, hipMemcpyHostToDevice) == hipSuccess;
  roctxRangeStop(whole);
  return is("exit 7") ? 7 : 0;
}
