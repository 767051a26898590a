// SPDX-License-Identifier: MIT
// Each call of Level Zero fails: the first use of the runtime, questions about devices, several devices, interprocess handles, native
// queues, the cache of modules.
#include "failures.h"
#include "objects.h"

#include "lz/core/error.h"
#include "lz/sync/event_pool.h"

#include <hiplz/interop.h>

#include <array>
#include <cstdlib>
#include <filesystem>

#include <unistd.h>

namespace failures {
namespace {

void copyAndLaunch() {
  Stream stream;
  Memory a, b;
  std::vector<int> back(kCount, -1);
  TRY(hipStreamCreate(&stream));
  TRY(hipMalloc(&a.handle, kCount * sizeof(int)));
  TRY(hipMalloc(&b.handle, kCount * sizeof(int)));
  TRY(hipMemcpyAsync(a, numbers(0).data(), kCount * sizeof(int), hipMemcpyHostToDevice, stream));
  TRY(launchAddTo(b, a, 4, stream));
  TRY(hipMemcpyAsync(back.data(), b, kCount * sizeof(int), hipMemcpyDeviceToHost, stream));
  TRY(hipStreamSynchronize(stream));
  CHECK(back == numbers(4));
}

void deviceQueries() {
  int devices = 0, value = -1;
  TRY(hipGetDeviceCount(&devices));
  CHECK(devices == 2);
  hipDeviceProp_t properties{};
  TRY(hipGetDeviceProperties(&properties, 1));
  CHECK(std::string_view(properties.name) == "fake");
  TRY(hipDeviceCanAccessPeer(&value, 0, 1));
  TRY(hipDeviceGetP2PAttribute(&value, hipDevP2PAttrNativeAtomicSupported, 0, 1));
  TRY(hipDeviceGetAttribute(&value, hipDeviceAttributeL2CacheSize, 0));
}

void severalDevices() {
  Memory a, b;
  Event done;
  std::vector<int> back(kCount, -1);
  TRY(hipMalloc(&a.handle, kCount * sizeof(int)));
  TRY(hipMemcpy(a, numbers(1).data(), kCount * sizeof(int), hipMemcpyHostToDevice));
  TRY(hipEventCreate(&done));
  TRY(hipEventRecord(done, nullptr));
  struct Back {
    ~Back() { CHECK(hipSetDevice(0) == hipSuccess); }
  } backToFirst;
  TRY(hipSetDevice(1));
  TRY(hipMalloc(&b.handle, kCount * sizeof(int)));
  TRY(hipStreamWaitEvent(nullptr, done, 0));
  TRY(hipMemcpyPeer(b, 1, a, 0, kCount * sizeof(int)));
  TRY(launchAddTo(b, b, 2));
  TRY(hipMemcpy(back.data(), b, kCount * sizeof(int), hipMemcpyDeviceToHost));
  CHECK(back == numbers(3));
}

/// A handle as it would have come from the parent process.
void fromParent(hipIpcMemHandle_t &handle) {
  const int32_t process = getppid();
  std::memcpy(reinterpret_cast<char *>(&handle) + sizeof(int32_t), &process, sizeof process);
}

void interprocessMemory() {
  Memory own;
  hipIpcMemHandle_t handle{};
  void *opened = nullptr;
  TRY(hipMalloc(&own.handle, kCount * sizeof(int)));
  TRY(hipIpcGetMemHandle(&handle, own));
  fromParent(handle);
  TRY(hipIpcOpenMemHandle(&opened, handle, hipIpcMemLazyEnablePeerAccess));
  const bool filled = noted(hipMemset(opened, 3, kCount * sizeof(int)), "hipMemset");
  int back = -1;
  if (filled && noted(hipMemcpy(&back, opened, sizeof back, hipMemcpyDeviceToHost), "hipMemcpy"))
    CHECK(back == 0x03030303);
  TRY(hipIpcCloseMemHandle(opened));
}

void interprocessEvents() {
  Event event;
  hipIpcEventHandle_t handle{};
  TRY(hipEventCreateWithFlags(&event, hipEventDisableTiming | hipEventInterprocess));
  TRY(hipIpcGetEventHandle(&handle, event));
  for (int round = 0; round < 3; ++round) {
    TRY(hipEventRecord(event, nullptr));
    TRY(hipEventSynchronize(event));
  }
  TRY(hipStreamSynchronize(nullptr)); // or it holds the events
}

/// A stream on a queue of the application's, which becomes the stream's.
void nativeQueues() {
  ze_context_handle_t context = nullptr;
  ze_device_handle_t device = nullptr;
  ze_command_queue_handle_t queue = nullptr;
  Stream stream;
  Memory a, b;
  std::vector<int> back(kCount, -1);
  TRY(hiplzGetNativeContext(0, &context));
  TRY(hiplzGetNativeDevice(0, &device));
  const ze_command_queue_desc_t description{};
  CHECK(fake_ze::calls::zeCommandQueueCreate(context, device, &description, &queue) == ZE_RESULT_SUCCESS);
  if (!noted(hiplzCreateStreamFromNativeQueue(&stream, 0, queue, 0, hipStreamDefault, hiplzOwnershipTransfer),
             "stream of a queue")) {
    CHECK(fake_ze::calls::zeCommandQueueDestroy(queue) == ZE_RESULT_SUCCESS); // still the application's
    return;
  }
  TRY(hipMalloc(&a.handle, kCount * sizeof(int)));
  TRY(hipMalloc(&b.handle, kCount * sizeof(int)));
  TRY(hipMemsetAsync(a, 2, kCount * sizeof(int), stream));
  TRY(launchAddTo(b, a, 1, stream));
  TRY(hipMemcpyAsync(back.data(), b, kCount * sizeof(int), hipMemcpyDeviceToHost, stream));
  TRY(hipStreamSynchronize(stream));
  CHECK(back == std::vector<int>(kCount, 0x02020203));
}

void loadModule() {
  LoadedModule module;
  int back = -1;
  TRY(hipModuleLoadData(&module, bundle()));
  TRY(readValueOf(module, &back));
  CHECK(back == 0);
}

SCENARIO(deviceQueries)
SCENARIO(severalDevices)
SCENARIO(interprocessMemory)
SCENARIO(interprocessEvents)
SCENARIO(nativeQueues)
TEST_P(Sweep, theBeginning) { sweep(copyAndLaunch, true); }

TEST(EventPool, anAttemptToGrowLeavesNothing) {
  fake_ze::stopFailing();
  {
    hiplz::LZEventPool pool(nullptr, false);
    for (int call = 1; call <= 2; ++call) { // the pool, its first event
      const auto before = fake_ze::liveObjects();
      fake_ze::failCall(call, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
      EXPECT_THROW(pool.acquire(), hiplz::HipError);
      EXPECT_TRUE(fake_ze::stopFailing());
      EXPECT_EQ(fake_ze::liveObjects(), before);
    }
    fake_ze::failCall(3, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    EXPECT_TRUE(pool.acquire()); // the event that there is
    EXPECT_STREQ(fake_ze::stopFailing(), "zeEventCreate");
    const hiplz::LZEventRef first = pool.acquire(), second = pool.acquire();
    EXPECT_NE(first.ze(), second.ze());
  }
  EXPECT_TRUE(fake_ze::liveObjects().empty());
  EXPECT_TRUE(fake_ze::takeMistakes().empty());
}

/// Native code comes from the cache on disk.
TEST_P(Sweep, cachedModules) {
  char folder[] = "/tmp/hiplz_failures_XXXXXX";
  ASSERT_TRUE(mkdtemp(folder));
  setenv("HIPLZ_CACHE_DIR", folder, 1);
  setenv("HIPLZ_CACHE", "1", 1);
  sweep(loadModule);
  EXPECT_FALSE(std::filesystem::is_empty(folder));
  setenv("HIPLZ_CACHE", "0", 1);
  std::filesystem::remove_all(folder);
}

} // namespace
} // namespace failures
