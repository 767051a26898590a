// SPDX-License-Identifier: MIT
// Memory and events between processes. The program starts itself for the other side; the two talk through pipes.
#include "check.h"

#include <array>
#include <csignal>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {

constexpr size_t kCount = 100000, kBytes = kCount * sizeof(unsigned);

__global__ void fill(unsigned *data, unsigned value, size_t count) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    data[i] = value + static_cast<unsigned>(i);
}

bool holds(const unsigned *data, unsigned value) {
  std::vector<unsigned> host(kCount);
  HIP_CHECK(hipMemcpy(host.data(), data, kBytes, hipMemcpyDeviceToHost));
  for (size_t i = 0; i < kCount; ++i)
    if (host[i] != value + i)
      return false;
  return true;
}

/// Both directions to the other process.
struct Channel {
  int in = -1, out = -1;
  template <class T> void send(const T &value) {
    if (write(out, &value, sizeof value) != static_cast<ssize_t>(sizeof value))
      std::exit(3);
  }
  template <class T = char> T receive() {
    T value{};
    if (read(in, &value, sizeof value) != static_cast<ssize_t>(sizeof value))
      std::exit(4); // the other one has ended
    return value;
  }
};

struct Child {
  pid_t process = -1;
  Channel channel;
  explicit Child(const char *role) {
    int down[2], up[2];
    if (pipe(down) || pipe(up))
      std::exit(5);
    process = fork();
    if (process == 0) {
      dup2(down[0], 100);
      dup2(up[1], 101);
      for (int end : {down[0], down[1], up[0], up[1]})
        close(end);
      execl("/proc/self/exe", "ipc", role, nullptr);
      _exit(127);
    }
    close(down[0]);
    close(up[1]);
    channel = {up[0], down[1]};
  }
  int wait() {
    int status = -1;
    waitpid(process, &status, 0);
    close(channel.in);
    close(channel.out);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
};

// ---- memory

struct Handles {
  hipIpcMemHandle_t large, small, async;
};

// Handles that say something else than what they lead to must not reach memory of this process.
void forgedHandles(const hipIpcMemHandle_t &genuine) {
  constexpr size_t kOffsetAt = 8, kBytesAt = 16;
  unsigned long long offset, bytes;
  std::memcpy(&offset, genuine.reserved + kOffsetAt, sizeof offset);
  std::memcpy(&bytes, genuine.reserved + kBytesAt, sizeof bytes);
  CHECK_EQ(bytes, kBytes);
  const std::array<unsigned long long, 2> forgeries[] = {{offset + (1ull << 40), bytes},
                                                         {0ull - 4096, 8192},
                                                         {offset, 1ull << 40},
                                                         {offset, ~0ull},
                                                         {~0ull, 1},
                                                         {offset, 0},
                                                         {offset + 4, ~0ull - 7},
                                                         {1ull << 63, 1ull << 63}};
  for (const auto &[place, size] : forgeries) {
    hipIpcMemHandle_t forged = genuine;
    std::memcpy(forged.reserved + kOffsetAt, &place, sizeof place);
    std::memcpy(forged.reserved + kBytesAt, &size, sizeof size);
    void *memory = nullptr;
    CHECK_EQ(hipIpcOpenMemHandle(&memory, forged, 0), hipErrorInvalidValue);
    CHECK(memory == nullptr);
  }
}

int memoryChild(Channel channel) {
  const auto handles = channel.receive<Handles>();
  forgedHandles(handles.large);
  unsigned *large = nullptr, *again = nullptr, *small = nullptr, *async = nullptr;
  HIP_CHECK(hipIpcOpenMemHandle(reinterpret_cast<void **>(&large), handles.large, hipIpcMemLazyEnablePeerAccess));
  HIP_CHECK(hipIpcOpenMemHandle(reinterpret_cast<void **>(&again), handles.large, hipIpcMemLazyEnablePeerAccess));
  HIP_CHECK(hipIpcOpenMemHandle(reinterpret_cast<void **>(&small), handles.small, hipIpcMemLazyEnablePeerAccess));
  HIP_CHECK(hipIpcOpenMemHandle(reinterpret_cast<void **>(&async), handles.async, 0));
  CHECK(again == large);
  CHECK(memoryType(large) == hipMemoryTypeDevice && memoryType(small) == hipMemoryTypeDevice);
  CHECK(holds(large, 1000));
  CHECK(holds(async, 2000));
  forgedHandles(handles.large); // also of what is open already
  unsigned value = 0;
  HIP_CHECK(hipMemcpy(&value, small, sizeof value, hipMemcpyDeviceToHost));
  CHECK_EQ(value, 77u);
  void *base = nullptr;
  size_t size = 0;
  HIP_CHECK(hipMemGetAddressRange(&base, &size, large + 10));
  CHECK(base == large);
  CHECK_EQ(size, kBytes);
  CHECK_EQ(hipMemset(reinterpret_cast<char *>(large) + kBytes, 0, 1), hipErrorInvalidValue);
  CHECK_EQ(hipFree(large), hipErrorInvalidValue);
  CHECK_EQ(hipFreeAsync(large, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipIpcCloseMemHandle(large + 1), hipErrorInvalidValue);
  hipIpcMemHandle_t other;
  CHECK_EQ(hipIpcGetMemHandle(&other, large), hipErrorInvalidValue); // not this process's to give away

  // Closed once, it is still there for the other opening; closed with work pending, the work is waited for.
  HIP_CHECK(hipIpcCloseMemHandle(large));
  fill<<<64, 64>>>(large, 3000, kCount);
  HIP_CHECK(hipIpcCloseMemHandle(large));
  CHECK_EQ(hipIpcCloseMemHandle(large), hipErrorInvalidValue);
  CHECK_EQ(hipMemset(large, 0, 4), hipErrorInvalidValue);
  channel.send('w');
  channel.receive();

  // The exporter goes on, frees, and ends; what is open stays.
  HIP_CHECK(hipMemset(async, 0, 4));
  HIP_CHECK(hipIpcCloseMemHandle(small));
  HIP_CHECK(hipIpcCloseMemHandle(async));
  channel.send('c');
  return testResult();
}

TEST(memoryParent) {
  Child child("memory");
  unsigned *large = nullptr, *small = nullptr, *between = nullptr, *async = nullptr;
  HIP_CHECK(hipMalloc(reinterpret_cast<void **>(&large), kBytes));
  HIP_CHECK(hipMalloc(reinterpret_cast<void **>(&between), 100)); // so that the next one is inside of a segment
  HIP_CHECK(hipMalloc(reinterpret_cast<void **>(&small), sizeof(unsigned)));
  HIP_CHECK(hipMallocAsync(reinterpret_cast<void **>(&async), kBytes, nullptr));
  const unsigned value = 77;
  HIP_CHECK(hipMemcpy(small, &value, sizeof value, hipMemcpyHostToDevice));
  fill<<<64, 64>>>(large, 1000, kCount);
  fill<<<64, 64>>>(async, 2000, kCount);
  HIP_CHECK(hipDeviceSynchronize());
  Handles handles;
  HIP_CHECK(hipIpcGetMemHandle(&handles.large, large));
  HIP_CHECK(hipIpcGetMemHandle(&handles.small, small));
  HIP_CHECK(hipIpcGetMemHandle(&handles.async, async));
  // Making a handle changes nothing for its owner.
  CHECK(holds(large, 1000));
  child.channel.send(handles);
  child.channel.receive();
  CHECK(holds(large, 3000));
  child.channel.send('g');
  child.channel.receive();
  CHECK_EQ(child.wait(), 0);
  for (unsigned *memory : {large, small, between})
    HIP_CHECK(hipFree(memory));
  HIP_CHECK(hipFreeAsync(async, nullptr));
}

// ---- the exporter ends

int exporterChild(Channel channel) {
  unsigned *memory = nullptr;
  HIP_CHECK(hipMalloc(reinterpret_cast<void **>(&memory), kBytes));
  fill<<<64, 64>>>(memory, 5, kCount);
  HIP_CHECK(hipDeviceSynchronize());
  hipIpcMemHandle_t handle;
  HIP_CHECK(hipIpcGetMemHandle(&handle, memory));
  channel.send(handle);
  channel.receive();
  return 0; // nothing is freed
}

TEST(exporterEnds) {
  Child child("exporter");
  const auto handle = child.channel.receive<hipIpcMemHandle_t>();
  unsigned *memory = nullptr, *late = nullptr;
  HIP_CHECK(hipIpcOpenMemHandle(reinterpret_cast<void **>(&memory), handle, 0));
  child.channel.send('e');
  CHECK_EQ(child.wait(), 0);
  CHECK(holds(memory, 5));
  fill<<<64, 64>>>(memory, 6, kCount);
  CHECK(holds(memory, 6));
  HIP_CHECK(hipIpcCloseMemHandle(memory));
  CHECK_EQ(hipIpcOpenMemHandle(reinterpret_cast<void **>(&late), handle, 0), hipErrorInvalidValue);
  CHECK_EQ(hipIpcCloseMemHandle(memory), hipErrorInvalidValue);
}

// ---- events

struct Round {
  hipIpcMemHandle_t memory;
  hipIpcEventHandle_t filled, read;
};

constexpr unsigned kRounds = 100; // more than the recordings of an event that can be pending

// Reads what the parent has filled, in stream order alone: each side waits for the other's event.
int consumerChild(Channel channel) {
  const auto round = channel.receive<Round>();
  unsigned *data = nullptr;
  hipEvent_t filled, read, own;
  hipStream_t stream;
  HIP_CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  HIP_CHECK(hipIpcOpenMemHandle(reinterpret_cast<void **>(&data), round.memory, 0));
  HIP_CHECK(hipIpcOpenEventHandle(&filled, round.filled));
  HIP_CHECK(hipIpcOpenEventHandle(&read, round.read));
  HIP_CHECK(hipEventQuery(filled)); // never recorded
  HIP_CHECK(hipStreamWaitEvent(stream, filled, 0));
  HIP_CHECK(hipStreamSynchronize(stream));
  channel.send('r');
  unsigned *seen = nullptr;
  HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&seen), kBytes, 0));
  for (unsigned i = 0; i < kRounds; ++i) {
    channel.receive(); // the parent has recorded; its kernel may still run
    HIP_CHECK(hipStreamWaitEvent(stream, filled, 0));
    HIP_CHECK(hipMemcpyAsync(seen, data, kBytes, hipMemcpyDeviceToHost, stream));
    HIP_CHECK(hipEventRecord(read, stream));
    channel.send('d');
    HIP_CHECK(hipStreamSynchronize(stream));
    size_t wrong = 0;
    for (size_t j = 0; j < kCount; ++j)
      wrong += seen[j] != i * 1000 + j;
    CHECK_EQ(wrong, 0u);
    HIP_CHECK(hipEventQuery(read));
    HIP_CHECK(hipEventSynchronize(filled));
  }
  float elapsed;
  CHECK_EQ(hipEventElapsedTime(&elapsed, filled, read), hipErrorInvalidHandle);
  hipIpcEventHandle_t handle;
  CHECK_EQ(hipIpcGetEventHandle(&handle, filled), hipErrorInvalidValue); // only the process that made it can
  HIP_CHECK(hipEventCreateWithFlags(&own, hipEventInterprocess | hipEventDisableTiming));
  HIP_CHECK(hipIpcGetEventHandle(&handle, own));
  for (hipEvent_t event : {filled, read, own})
    HIP_CHECK(hipEventDestroy(event));
  HIP_CHECK(hipIpcCloseMemHandle(data));
  HIP_CHECK(hipHostFree(seen));
  HIP_CHECK(hipStreamDestroy(stream));
  return testResult();
}

TEST(producer) {
  Child child("consumer");
  unsigned *data = nullptr;
  hipEvent_t filled, read;
  hipStream_t stream;
  HIP_CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  HIP_CHECK(hipMalloc(reinterpret_cast<void **>(&data), kBytes));
  HIP_CHECK(hipEventCreateWithFlags(&filled, hipEventInterprocess | hipEventDisableTiming));
  HIP_CHECK(hipEventCreateWithFlags(&read, hipEventInterprocess | hipEventDisableTiming));
  Round round;
  HIP_CHECK(hipIpcGetMemHandle(&round.memory, data));
  HIP_CHECK(hipIpcGetEventHandle(&round.filled, filled));
  HIP_CHECK(hipIpcGetEventHandle(&round.read, read));
  child.channel.send(round);
  child.channel.receive();
  for (unsigned i = 0; i < kRounds; ++i) {
    fill<<<16, 64, 0, stream>>>(data, i * 1000, kCount);
    HIP_CHECK(hipEventRecord(filled, stream));
    child.channel.send('f');
    child.channel.receive();                        // the child has recorded
    HIP_CHECK(hipStreamWaitEvent(stream, read, 0)); // the next kernel overwrites what the child copies
  }
  CHECK_EQ(child.wait(), 0);
  HIP_CHECK(hipEventSynchronize(read));
  HIP_CHECK(hipEventDestroy(filled));
  HIP_CHECK(hipEventDestroy(read));
  HIP_CHECK(hipFree(data));
  HIP_CHECK(hipStreamDestroy(stream));
}

// A host function holds the event back: the other process sees it as not ready, and its wait lasts.
int waiterChild(Channel channel) {
  hipEvent_t event;
  HIP_CHECK(hipIpcOpenEventHandle(&event, channel.receive<hipIpcEventHandle_t>()));
  CHECK_EQ(hipEventQuery(event), hipErrorNotReady);
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  HIP_CHECK(hipStreamWaitEvent(stream, event, 0));
  CHECK_EQ(hipStreamQuery(stream), hipErrorNotReady);
  channel.send('n');
  HIP_CHECK(hipEventSynchronize(event));
  channel.receive(); // sent before the event was let go
  HIP_CHECK(hipStreamSynchronize(stream));
  HIP_CHECK(hipStreamDestroy(stream));
  HIP_CHECK(hipEventDestroy(event));
  return testResult();
}

TEST(heldBack) {
  Child child("waiter");
  hipEvent_t event;
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  HIP_CHECK(hipEventCreateWithFlags(&event, hipEventInterprocess | hipEventDisableTiming));
  HIP_CHECK(hipLaunchHostFunc(
      stream,
      [](void *data) {
        auto *channel = static_cast<Channel *>(data);
        channel->receive();
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        channel->send('g');
      },
      &child.channel));
  HIP_CHECK(hipEventRecord(event, stream));
  hipIpcEventHandle_t handle;
  HIP_CHECK(hipIpcGetEventHandle(&handle, event));
  child.channel.send(handle);
  HIP_CHECK(hipEventSynchronize(event));
  CHECK_EQ(child.wait(), 0);
  HIP_CHECK(hipEventDestroy(event));
  HIP_CHECK(hipStreamDestroy(stream));
}

// ---- bad input

TEST(badInput) {
  hipIpcMemHandle_t handle{};
  void *memory = nullptr, *opened = nullptr;
  int onStack = 0;
  HIP_CHECK(hipMalloc(&memory, 1000));
  CHECK_EQ(hipIpcGetMemHandle(nullptr, memory), hipErrorInvalidValue);
  CHECK_EQ(hipIpcGetMemHandle(&handle, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipIpcGetMemHandle(&handle, &onStack), hipErrorInvalidValue);
  CHECK_EQ(hipIpcGetMemHandle(&handle, static_cast<char *>(memory) + 1), hipErrorInvalidValue);
  CHECK_EQ(hipIpcOpenMemHandle(&opened, handle, 0), hipErrorInvalidValue); // zeros
  HIP_CHECK(hipIpcGetMemHandle(&handle, memory));
  CHECK_EQ(hipIpcOpenMemHandle(nullptr, handle, 0), hipErrorInvalidValue);
  CHECK_EQ(hipIpcOpenMemHandle(&opened, handle, 2), hipErrorInvalidValue);
  CHECK_EQ(hipIpcOpenMemHandle(&opened, handle, 0), hipErrorInvalidContext); // in the same process
  CHECK_EQ(hipIpcCloseMemHandle(nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipIpcCloseMemHandle(memory), hipErrorInvalidValue);
  HIP_CHECK(hipFree(memory));
  CHECK_EQ(hipIpcGetMemHandle(&handle, memory), hipErrorInvalidValue);
  void *host = nullptr;
  HIP_CHECK(hipHostMalloc(&host, 1000, 0));
  CHECK_EQ(hipIpcGetMemHandle(&handle, host), hipErrorInvalidValue);
  HIP_CHECK(hipHostFree(host));
  std::memset(&handle, 0x5a, sizeof handle);
  CHECK_EQ(hipIpcOpenMemHandle(&opened, handle, 0), hipErrorInvalidValue);

  hipEvent_t event, plain;
  hipIpcEventHandle_t eventHandle{};
  CHECK_EQ(hipEventCreateWithFlags(&event, hipEventInterprocess), hipErrorInvalidValue); // timed
  CHECK_EQ(hipIpcOpenEventHandle(&event, eventHandle), hipErrorInvalidValue);
  CHECK_EQ(hipIpcOpenEventHandle(nullptr, eventHandle), hipErrorInvalidValue);
  HIP_CHECK(hipEventCreate(&plain));
  CHECK_EQ(hipIpcGetEventHandle(&eventHandle, plain), hipErrorInvalidConfiguration);
  HIP_CHECK(hipEventDestroy(plain));
  HIP_CHECK(hipEventCreateWithFlags(&event, hipEventInterprocess | hipEventDisableTiming));
  CHECK_EQ(hipIpcGetEventHandle(nullptr, event), hipErrorInvalidValue);
  CHECK_EQ(hipIpcGetEventHandle(&eventHandle, nullptr), hipErrorInvalidValue);
  HIP_CHECK(hipIpcGetEventHandle(&eventHandle, event));
  CHECK_EQ(hipIpcOpenEventHandle(&plain, eventHandle), hipErrorInvalidContext);
  // In its own process it is an event like any other.
  HIP_CHECK(hipEventQuery(event));
  for (int i = 0; i < 100; ++i)
    HIP_CHECK(hipEventRecord(event, nullptr));
  HIP_CHECK(hipEventSynchronize(event));
  HIP_CHECK(hipEventDestroy(event));
  std::memset(&eventHandle, 0x5a, sizeof eventHandle);
  CHECK_EQ(hipIpcOpenEventHandle(&event, eventHandle), hipErrorInvalidValue);
}

} // namespace

int main(int argc, char **argv) {
  if (argc > 1 && argv[1][0] != '-') {
    const Channel channel{100, 101};
    const std::string role = argv[1];
    return role == "memory"     ? memoryChild(channel)
           : role == "exporter" ? exporterChild(channel)
           : role == "consumer" ? consumerChild(channel)
           : role == "waiter"   ? waiterChild(channel)
                                : 2;
  }
  return runTests(argc, argv);
}
