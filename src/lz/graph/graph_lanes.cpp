// SPDX-License-Identifier: MIT
// Queues, threads and kernel handles of an executable graph.
#include "lz/graph/graph_lanes.h"
#include "lz/device/device.h"
#include "lz/module/kernel.h"
#include "lz/module/module.h"
#include "lz/stream/queue.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <exception>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

namespace hiplz {
namespace {

/// Calls makeOne() in this many threads until it returns false, and waits for them. The application's signals go to its own threads.
template <class MakeOne> void compileSideBySide(size_t threads, const MakeOne &makeOne) {
  sigset_t all, previous;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &previous);
  std::vector<std::thread> others;
  try {
    while (others.size() < threads)
      others.emplace_back([&] {
        while (makeOne()) {
        }
      });
  } catch (const std::system_error &) { // the caller does what remains
  }
  pthread_sigmask(SIG_SETMASK, &previous, nullptr);
  for (std::thread &other : others)
    other.join();
}

} // namespace

LZGraphLanes::LZGraphLanes(LZDevice &main) : mutableLists_(main.driver()) {
  Lane &stream = lanes_.emplace_back();
  stream.device = &main;
  stream.ordinal = main.nextHardwareQueue().ordinal;
  const LZDriver &driver = main.driver();
  if (driver.inOrderLists() && driver.hasExtension(kZeAppendCommandListsExtension))
    appendLists_ = driver.function<ZeAppendCommandLists>("zeCommandListImmediateAppendCommandListsExp",
                                                         kZeAppendCommandListsExtension);
}

LZGraphLanes::~LZGraphLanes() = default;

void LZGraphLanes::provide(const std::vector<LZDevice *> &devices) {
  for (size_t index = lanes_.size(); index < devices.size(); ++index) {
    Lane lane;
    lane.device = devices[index];
    const ze_command_queue_desc_t description = lane.device->nextHardwareQueue();
    lane.ordinal = description.ordinal;
    zeCheck(lane.queue.create(zeCommandQueueCreate, lane.device->zeContext(), lane.device->ze(), &description),
            "zeCommandQueueCreate");
    lanes_.push_back(std::move(lane));
  }
}

LZCallbackThread &LZGraphLanes::callbacksOf(uint32_t lane) {
  std::unique_ptr<LZCallbackThread> &thread = lanes_[lane].callbacks;
  if (!thread)
    thread = std::make_unique<LZCallbackThread>();
  return *thread;
}

void LZGraphLanes::finishCallbacks() {
  for (Lane &lane : lanes_)
    lane.callbacks.reset();
}

LZGraphLanes::Handle LZGraphLanes::makeHandle(const Launch &launch) {
  Handle handle{launch.kernel->createHandle(*launch.device)};
  // As in LZQueue::launch: some drivers compile when the properties are asked for, and go by the group size.
  zeKernelSetGroupSize(handle.ze.get(), launch.block[0], launch.block[1], launch.block[2]);
  ze_kernel_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES;
  LZ_CALL(zeKernelGetProperties, (handle.ze.get(), &properties));
  handle.sharedBytes = properties.localMemSize;
  return handle;
}

KernelInstance &LZGraphLanes::add(const Launch &launch, Handle handle) {
  KernelInstance &instance = kernels_[launch.device].add(*launch.kernel, std::move(handle.ze));
  instance.fixedSharedBytes = handle.sharedBytes;
  return instance;
}

KernelInstance &LZGraphLanes::kernel(const Launch &launch) {
  KernelInstance *known = kernels_[launch.device].find(launch.kernel);
  return known ? *known : add(launch, makeHandle(launch));
}

void LZGraphLanes::prepareKernels(std::span<const Launch> launches) {
  std::vector<Launch> missing;
  std::set<std::pair<LZDevice *, const LZKernel *>> seen;
  for (const Launch &launch : launches)
    if (!kernels_[launch.device].find(launch.kernel) && seen.emplace(launch.device, launch.kernel).second)
      missing.push_back(launch);
  // The order decides how modules are divided, so it is that of the graph.
  try {
    for (const Launch &launch : missing)
      launch.kernel->module().want(*launch.device, *launch.kernel);
  } catch (const HipError &) { // kernel() will meet it again
    return;
  }
  std::vector<Handle> handles(missing.size());
  std::atomic<size_t> next{0};
  const auto makeOne = [&] {
    const size_t index = next.fetch_add(1);
    if (index >= missing.size())
      return false;
    try {
      handles[index] = makeHandle(missing[index]);
    } catch (const std::exception &) { // kernel() will meet it again
    }
    return true;
  };
  // Threads are worth their start only where somebody compiles.
  constexpr auto kCompiled = std::chrono::milliseconds(3);
  for (auto begin = std::chrono::steady_clock::now(); makeOne(); begin = std::chrono::steady_clock::now()) {
    if (std::chrono::steady_clock::now() - begin < kCompiled)
      continue;
    compileSideBySide(std::min<size_t>(missing.size() - std::min(missing.size(), next.load()),
                                       std::max(1u, std::thread::hardware_concurrency())),
                      makeOne);
  }
  for (size_t index = 0; index < missing.size(); ++index)
    if (handles[index].ze)
      add(missing[index], std::move(handles[index]));
}

void LZGraphLanes::forgetModule(const LZModule &module) {
  for (auto &[device, cache] : kernels_)
    cache.forgetModule(module);
}

LZQueue &LZGraphLanes::homeQueue() {
  if (!home_)
    home_ = std::make_unique<LZQueue>(main(), LZQueue::Kind::internal, hipStreamDefault, 0);
  return *home_;
}

} // namespace hiplz
