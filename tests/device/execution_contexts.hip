// SPDX-License-Identifier: MIT
// Execution contexts, or green contexts: compute units are divided, streams use the parts, events stand for all streams of a context, and
// streams outlive their context.
#include "check.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace {

__global__ void add(int *values, int number) { atomicAdd(&values[threadIdx.x], number); }

__global__ void waitsFor(volatile int *flag, int *out) {
  while (!*flag)
    ;
  *out = 1;
}

hipDevResource unitsOfDevice() {
  hipDevResource units{};
  HIP_CHECK(hipDeviceGetDevResource(0, &units, hipDevResourceTypeSm));
  return units;
}

hipExecutionCtx_t contextOf(hipDevResource units) {
  hipDevResourceDesc_t description = nullptr;
  HIP_CHECK(hipDevResourceGenerateDesc(&description, &units, 1));
  hipExecutionCtx_t context = nullptr;
  HIP_CHECK(hipGreenCtxCreate(&context, description, 0, 0));
  return context;
}

/// A stream on units of the context; null if the driver takes none but all.
hipStream_t streamOf(hipExecutionCtx_t context) {
  hipStream_t stream = nullptr;
  const hipError_t error = hipExecutionCtxStreamCreate(&stream, context, hipStreamNonBlocking, 0);
  CHECK(error == hipSuccess || error == hipErrorNotSupported);
  return stream;
}

std::vector<uint32_t> maskOf(hipStream_t stream) {
  std::vector<uint32_t> mask((unitsOfDevice().sm.smCount + 31) / 32);
  HIP_CHECK(hipExtStreamGetCUMask(stream, mask.size(), mask.data()));
  return mask;
}

} // namespace

TEST(splitsByCount) {
  hipDevResource all = unitsOfDevice();
  const unsigned units = all.sm.smCount;
  hipDeviceProp_t properties;
  HIP_CHECK(hipGetDeviceProperties(&properties, 0));
  CHECK(all.type == hipDevResourceTypeSm && units == static_cast<unsigned>(properties.multiProcessorCount));
  CHECK(all.sm.smCoscheduledAlignment == 1 && all.sm.minSmPartitionSize == 1);

  unsigned possible = 0;
  HIP_CHECK(hipDevSmResourceSplitByCount(nullptr, &possible, &all, nullptr, 0, 1));
  CHECK_EQ(possible, units);
  std::vector<hipDevResource> groups(units);
  hipDevResource rest{};
  unsigned count = units + 5; // as many as there are
  HIP_CHECK(hipDevSmResourceSplitByCount(groups.data(), &count, &all, &rest, 0, 1));
  CHECK(count == units && rest.type == hipDevResourceTypeInvalid);
  for (const hipDevResource &group : groups)
    CHECK(group.type == hipDevResourceTypeSm && group.sm.smCount == 1);
  count = 1;
  HIP_CHECK(hipDevSmResourceSplitByCount(groups.data(), &count, &all, &rest, 0, units));
  CHECK(count == 1 && groups[0].sm.smCount == units);
  HIP_CHECK(hipDevSmResourceSplitByCount(groups.data(), &(count = 1), &all, &rest, 0, units + 1));
  CHECK(count == 0 && rest.sm.smCount == units);

  CHECK_EQ(hipDevSmResourceSplitByCount(nullptr, nullptr, &all, nullptr, 0, 1), hipErrorInvalidValue);
  CHECK_EQ(hipDevSmResourceSplitByCount(nullptr, &count, nullptr, nullptr, 0, 1), hipErrorInvalidValue);
  CHECK_EQ(hipDevSmResourceSplitByCount(nullptr, &count, &all, nullptr, hipDevSmResourceSplitIgnoreSmCoscheduling, 1),
           hipErrorNotSupported);
  hipDevResource bad = all;
  bad.type = hipDevResourceTypeWorkqueue;
  CHECK_EQ(hipDevSmResourceSplitByCount(nullptr, &count, &bad, nullptr, 0, 1), hipErrorInvalidResourceType);
  bad = all;
  bad.sm.smCount = units + 1; // it says more than it has
  CHECK_EQ(hipDevSmResourceSplitByCount(nullptr, &count, &bad, nullptr, 0, 1), hipErrorInvalidResourceConfiguration);
  CHECK_EQ(hipDeviceGetDevResource(0, &bad, hipDevResourceTypeWorkqueueConfig), hipErrorInvalidResourceType);
  CHECK_EQ(hipDeviceGetDevResource(99, &bad, hipDevResourceTypeSm), hipErrorInvalidDevice);
  CHECK_EQ(hipDeviceGetDevResource(0, nullptr, hipDevResourceTypeSm), hipErrorInvalidValue);
}

TEST(splitsBySize) {
  const hipDevResource all = unitsOfDevice();
  const unsigned units = all.sm.smCount;
  hipDevSmResourceGroupParams parameters[2] = {};
  parameters[0].smCount = 1;
  hipDevResource groups[2] = {}, rest{};
  const hipError_t error = hipDevSmResourceSplit(groups, 2, &all, &rest, 0, parameters); // the second takes the others
  CHECK_EQ(error, units > 1 ? hipSuccess : hipErrorInvalidResourceConfiguration);
  if (units > 1) {
    CHECK(groups[0].sm.smCount == 1 && groups[1].sm.smCount == units - 1 && rest.type == hipDevResourceTypeInvalid);
    CHECK(parameters[1].smCount == units - 1 && parameters[1].coscheduledSmCount == 1);
    hipDevResourceDesc_t description = nullptr;
    HIP_CHECK(hipDevResourceGenerateDesc(&description, groups, 2));
    hipDevResource fromOtherSplit[2] = {groups[0], all};
    unsigned one = 1;
    HIP_CHECK(hipDevSmResourceSplitByCount(fromOtherSplit + 1, &one, &all, nullptr, 0, 1));
    CHECK_EQ(hipDevResourceGenerateDesc(&description, fromOtherSplit, 2), hipErrorInvalidResourceConfiguration);
  }
  parameters[0] = {units, 0, 0, 0, {}};
  parameters[1] = {1, 0, 0, 0, {}};
  CHECK_EQ(hipDevSmResourceSplit(groups, 2, &all, &rest, 0, parameters), hipErrorInvalidResourceConfiguration);
  parameters[0] = {units, units + 1, 0, 0, {}}; // fewer than must be together
  CHECK_EQ(hipDevSmResourceSplit(groups, 1, &all, &rest, 0, parameters), hipErrorInvalidResourceConfiguration);
  HIP_CHECK(hipDevSmResourceSplit(nullptr, 1, &all, nullptr, 0, parameters)); // nothing is made
  CHECK_EQ(hipDevSmResourceSplit(groups, 1, &all, &rest, 1, parameters), hipErrorInvalidValue);
  CHECK_EQ(hipDevSmResourceSplit(groups, 1, nullptr, &rest, 0, parameters), hipErrorInvalidValue);
  CHECK_EQ(hipDevSmResourceSplit(groups, 1, &all, &rest, 0, nullptr), hipErrorInvalidValue);

  hipDevResourceDesc_t description = nullptr;
  hipDevResource zero{};
  CHECK_EQ(hipDevResourceGenerateDesc(&description, &zero, 1), hipErrorInvalidResourceType);
  zero.type = hipDevResourceTypeSm;
  CHECK_EQ(hipDevResourceGenerateDesc(&description, &zero, 1), hipErrorInvalidResourceConfiguration);
  CHECK_EQ(hipDevResourceGenerateDesc(&description, &zero, 0), hipErrorInvalidValue);
  CHECK_EQ(hipDevResourceGenerateDesc(nullptr, &zero, 1), hipErrorInvalidValue);
}

// Streams of two parts run their kernels on their own units, side by side.
TEST(streamsUseParts) {
  hipDevResource all = unitsOfDevice();
  if (all.sm.smCount < 2)
    return;
  hipDevResource parts[2] = {}, rest{};
  unsigned count = 2;
  HIP_CHECK(hipDevSmResourceSplitByCount(parts, &count, &all, &rest, 0, all.sm.smCount / 2));
  CHECK_EQ(count, 2u);
  const hipExecutionCtx_t first = contextOf(parts[0]), second = contextOf(parts[1]);
  hipStream_t streams[2] = {streamOf(first), streamOf(second)};
  if (streams[0] && streams[1]) {
    const std::vector<uint32_t> masks[2] = {maskOf(streams[0]), maskOf(streams[1])};
    for (size_t word = 0; word < masks[0].size(); ++word)
      CHECK_EQ(masks[0][word] & masks[1][word], 0u);
    hipDevResource units{};
    HIP_CHECK(hipStreamGetDevResource(streams[1], &units, hipDevResourceTypeSm));
    CHECK_EQ(units.sm.smCount, parts[1].sm.smCount);
    // One waits for what the other one does.
    int *flag, *out;
    HIP_CHECK(hipHostMalloc(&flag, 64 * sizeof(int)));
    HIP_CHECK(hipMalloc(&out, sizeof(int)));
    std::memset(flag, 0, 64 * sizeof(int));
    (void)hipGetLastError(); // of other scenarios
    waitsFor<<<1, 1, 0, streams[0]>>>(flag, out);
    add<<<4, 64, 0, streams[1]>>>(flag, 1);
    HIP_CHECK(hipGetLastError());
    HIP_CHECK(hipExecutionCtxSynchronize(first));
    HIP_CHECK(hipExecutionCtxSynchronize(second));
    CHECK_EQ(flag[63], 4);
    HIP_CHECK(hipHostFree(flag));
    HIP_CHECK(hipFree(out));
  }
  hipDevResource units{};
  HIP_CHECK(hipExecutionCtxGetDevResource(first, &units, hipDevResourceTypeSm));
  CHECK_EQ(units.sm.smCount, parts[0].sm.smCount);
  HIP_CHECK(hipStreamGetDevResource(nullptr, &units, hipDevResourceTypeSm));
  CHECK_EQ(units.sm.smCount, all.sm.smCount);
  for (hipStream_t stream : streams)
    if (stream)
      HIP_CHECK(hipStreamDestroy(stream));
  HIP_CHECK(hipExecutionCtxDestroy(first));
  HIP_CHECK(hipExecutionCtxDestroy(second));
}

TEST(eventsOfContexts) {
  const hipExecutionCtx_t context = contextOf(unitsOfDevice());
  hipStream_t streams[3];
  for (hipStream_t &stream : streams)
    HIP_CHECK(hipExecutionCtxStreamCreate(&stream, context, hipStreamDefault, 0));
  int *flag, *out;
  HIP_CHECK(hipHostMalloc(&flag, 2 * sizeof(int)));
  HIP_CHECK(hipHostMalloc(&out, 64 * sizeof(int)));
  hipEvent_t event, start;
  HIP_CHECK(hipEventCreate(&event));
  HIP_CHECK(hipEventCreate(&start));
  HIP_CHECK(hipExecutionCtxRecordEvent(context, event)); // nothing runs
  HIP_CHECK(hipEventSynchronize(event));

  // The event stands for the stream that still works.
  *flag = 0;
  std::memset(out, 0, 64 * sizeof(int));
  add<<<1, 64, 0, streams[0]>>>(out, 1);
  waitsFor<<<1, 1, 0, streams[1]>>>(flag, flag + 1);
  HIP_CHECK(hipExecutionCtxRecordEvent(context, event));
  HIP_CHECK(hipStreamSynchronize(streams[0]));
  CHECK_EQ(hipEventQuery(event), hipErrorNotReady);
  add<<<1, 64, 0, streams[2]>>>(out, 1); // what comes later does not wait for it
  HIP_CHECK(hipStreamSynchronize(streams[2]));
  __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
  HIP_CHECK(hipEventSynchronize(event));
  HIP_CHECK(hipStreamQuery(streams[1]));

  // All streams wait, and one that is created later.
  hipStream_t other;
  HIP_CHECK(hipStreamCreateWithFlags(&other, hipStreamNonBlocking));
  *flag = 0;
  std::memset(out, 0, 64 * sizeof(int));
  waitsFor<<<1, 1, 0, other>>>(flag, flag + 1);
  HIP_CHECK(hipEventRecord(start, other));
  HIP_CHECK(hipExecutionCtxWaitEvent(context, start));
  hipStream_t later;
  HIP_CHECK(hipExecutionCtxStreamCreate(&later, context, hipStreamNonBlocking, 0));
  for (hipStream_t stream : {streams[0], streams[2], later})
    add<<<1, 32, 0, stream>>>(out + 32, 1);
  CHECK_EQ(hipStreamQuery(later), hipErrorNotReady);
  CHECK_EQ(hipStreamQuery(streams[0]), hipErrorNotReady);
  CHECK_EQ(out[32], 0);
  __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
  HIP_CHECK(hipExecutionCtxSynchronize(context));
  CHECK(out[32] == 3 && out[63] == 3);

  // A graph has no place for a whole context.
  hipGraph_t graph = nullptr;
  HIP_CHECK(hipStreamBeginCapture(streams[0], hipStreamCaptureModeRelaxed));
  CHECK_EQ(hipExecutionCtxRecordEvent(context, event), hipErrorStreamCaptureUnsupported);
  CHECK_EQ(hipStreamEndCapture(streams[0], &graph), hipErrorStreamCaptureInvalidated);
  HIP_CHECK(hipStreamBeginCapture(other, hipStreamCaptureModeRelaxed));
  HIP_CHECK(hipEventRecord(start, other));
  CHECK_EQ(hipExecutionCtxWaitEvent(context, start), hipErrorCapturedEvent);
  CHECK_EQ(hipStreamEndCapture(other, &graph), hipErrorStreamCaptureInvalidated);

  CHECK_EQ(hipExecutionCtxRecordEvent(nullptr, event), hipErrorInvalidValue);
  CHECK_EQ(hipExecutionCtxRecordEvent(context, nullptr), hipErrorInvalidHandle);
  CHECK_EQ(hipExecutionCtxWaitEvent(context, nullptr), hipErrorInvalidHandle);
  for (hipStream_t stream : {streams[0], streams[1], streams[2], later, other})
    HIP_CHECK(hipStreamDestroy(stream));
  for (hipEvent_t each : {event, start})
    HIP_CHECK(hipEventDestroy(each));
  HIP_CHECK(hipExecutionCtxDestroy(context));
  HIP_CHECK(hipHostFree(flag));
  HIP_CHECK(hipHostFree(out));
}

TEST(contextOfTheDevice) {
  hipExecutionCtx_t device = nullptr, again = nullptr;
  HIP_CHECK(hipDeviceGetExecutionCtx(&device, 0));
  HIP_CHECK(hipDeviceGetExecutionCtx(&again, 0));
  CHECK(device && device == again);
  int number = -1;
  HIP_CHECK(hipExecutionCtxGetDevice(&number, device));
  CHECK_EQ(number, 0);
  const hipExecutionCtx_t green = contextOf(unitsOfDevice());
  unsigned long long ids[2] = {};
  HIP_CHECK(hipExecutionCtxGetId(device, &ids[0]));
  HIP_CHECK(hipExecutionCtxGetId(green, &ids[1]));
  CHECK(ids[0] != 0 && ids[1] != 0 && ids[0] != ids[1]);

  // It stands for all streams of the device.
  int *flag, *out;
  HIP_CHECK(hipHostMalloc(&flag, sizeof(int)));
  HIP_CHECK(hipHostMalloc(&out, sizeof(int)));
  *flag = *out = 0;
  hipStream_t stream, ofDevice;
  HIP_CHECK(hipExecutionCtxStreamCreate(&stream, green, hipStreamNonBlocking, 0));
  HIP_CHECK(hipExecutionCtxStreamCreate(&ofDevice, device, hipStreamDefault, 0));
  unsigned flags = 9;
  HIP_CHECK(hipStreamGetFlags(ofDevice, &flags));
  CHECK_EQ(flags, unsigned{hipStreamDefault});
  hipEvent_t event;
  HIP_CHECK(hipEventCreateWithFlags(&event, hipEventDisableTiming));
  waitsFor<<<1, 1, 0, stream>>>(flag, out);
  HIP_CHECK(hipExecutionCtxRecordEvent(device, event));
  CHECK_EQ(hipEventQuery(event), hipErrorNotReady);
  __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
  HIP_CHECK(hipExecutionCtxSynchronize(device));
  CHECK_EQ(*out, 1);
  HIP_CHECK(hipEventSynchronize(event));

  CHECK_EQ(hipExecutionCtxDestroy(device), hipErrorInvalidValue);
  CHECK_EQ(hipDeviceGetExecutionCtx(nullptr, 0), hipErrorInvalidValue);
  CHECK_EQ(hipDeviceGetExecutionCtx(&again, -1), hipErrorInvalidDevice);
  CHECK_EQ(hipExecutionCtxGetDevice(nullptr, device), hipErrorInvalidValue);
  CHECK_EQ(hipExecutionCtxGetDevice(&number, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipExecutionCtxGetId(device, nullptr), hipErrorInvalidValue);
  HIP_CHECK(hipStreamDestroy(stream));
  HIP_CHECK(hipStreamDestroy(ofDevice));
  HIP_CHECK(hipExecutionCtxDestroy(green));
  CHECK_EQ(hipExecutionCtxDestroy(green), hipErrorInvalidValue);
  HIP_CHECK(hipEventDestroy(event));
  HIP_CHECK(hipHostFree(flag));
  HIP_CHECK(hipHostFree(out));
}

TEST(refusedContexts) {
  hipDevResource all = unitsOfDevice();
  hipDevResourceDesc_t description = nullptr;
  HIP_CHECK(hipDevResourceGenerateDesc(&description, &all, 1));
  hipExecutionCtx_t context = nullptr;
  CHECK_EQ(hipGreenCtxCreate(nullptr, description, 0, 0), hipErrorInvalidValue);
  CHECK_EQ(hipGreenCtxCreate(&context, nullptr, 0, 0), hipErrorInvalidValue);
  CHECK_EQ(hipGreenCtxCreate(&context, description, 0, 1), hipErrorInvalidValue);
  CHECK_EQ(hipGreenCtxCreate(&context, description, -1, 0), hipErrorInvalidDevice);
  CHECK_EQ(hipGreenCtxCreate(&context, reinterpret_cast<hipDevResourceDesc_t>(&all), 0, 0), hipErrorInvalidValue);
  context = contextOf(all);
  hipStream_t stream = nullptr;
  CHECK_EQ(hipExecutionCtxStreamCreate(nullptr, context, hipStreamNonBlocking, 0), hipErrorInvalidValue);
  CHECK_EQ(hipExecutionCtxStreamCreate(&stream, nullptr, hipStreamNonBlocking, 0), hipErrorInvalidValue);
  CHECK_EQ(hipExecutionCtxStreamCreate(&stream, context, 0xff, 0), hipErrorInvalidValue);
  CHECK_EQ(hipStreamGetDevResource(nullptr, nullptr, hipDevResourceTypeSm), hipErrorInvalidValue);
  CHECK_EQ(hipStreamGetDevResource(nullptr, &all, hipDevResourceTypeWorkqueue), hipErrorInvalidResourceType);
  CHECK_EQ(hipStreamGetDevResource(reinterpret_cast<hipStream_t>(&all), &all, hipDevResourceTypeSm),
           hipErrorInvalidHandle);
  HIP_CHECK(hipExecutionCtxDestroy(context));
}

// Work that a stream has been given is still done; it takes nothing more, answers questions and can be destroyed.
TEST(streamsOutliveTheirContext) {
  const hipExecutionCtx_t context = contextOf(unitsOfDevice());
  hipStream_t stream, captured;
  HIP_CHECK(hipExecutionCtxStreamCreate(&stream, context, hipStreamNonBlocking, 0));
  HIP_CHECK(hipExecutionCtxStreamCreate(&captured, context, hipStreamNonBlocking, 0));
  int *flag, *out;
  HIP_CHECK(hipHostMalloc(&flag, sizeof(int)));
  HIP_CHECK(hipHostMalloc(&out, 64 * sizeof(int)));
  *flag = *out = 0;
  hipEvent_t event;
  HIP_CHECK(hipEventCreate(&event));
  HIP_CHECK(hipStreamBeginCapture(captured, hipStreamCaptureModeRelaxed));
  waitsFor<<<1, 1, 0, stream>>>(flag, out);
  HIP_CHECK(hipExecutionCtxDestroy(context));

  (void)hipGetLastError(); // of other scenarios
  for (hipStream_t each : {stream, captured}) {
    add<<<1, 1, 0, each>>>(out, 1);
    CHECK_EQ(hipGetLastError(), hipErrorStreamDetached);
    CHECK_EQ(hipMemsetAsync(out, 0, sizeof(int), each), hipErrorStreamDetached);
    CHECK_EQ(hipMemcpyAsync(out, flag, sizeof(int), hipMemcpyDefault, each), hipErrorStreamDetached);
    CHECK_EQ(hipEventRecord(event, each), hipErrorStreamDetached);
    CHECK_EQ(hipStreamWaitEvent(each, event, 0), hipErrorStreamDetached);
    CHECK_EQ(hipStreamQuery(each), hipErrorStreamDetached);
    CHECK_EQ(hipStreamSynchronize(each), hipErrorStreamDetached);
    CHECK_EQ(hipLaunchHostFunc(
                 each, [](void *) {}, nullptr),
             hipErrorStreamDetached);
    void *memory = nullptr;
    CHECK_EQ(hipMallocAsync(&memory, 16, each), hipErrorStreamDetached);
    unsigned flags = 9;
    int priority = 9;
    unsigned long long id = 0;
    HIP_CHECK(hipStreamGetFlags(each, &flags));
    HIP_CHECK(hipStreamGetPriority(each, &priority));
    HIP_CHECK(hipStreamGetId(each, &id));
    CHECK(flags == hipStreamNonBlocking && priority == 0 && id != 0);
    CHECK(!maskOf(each).empty());
  }
  hipGraph_t graph = nullptr;
  CHECK_EQ(hipStreamEndCapture(captured, &graph), hipErrorStreamDetached);
  HIP_CHECK(hipStreamDestroy(captured)); // which ends the capture
  CHECK_EQ(*out, 0);
  __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_EQ(*out, 1);
  HIP_CHECK(hipStreamDestroy(stream));
  HIP_CHECK(hipEventDestroy(event));
  HIP_CHECK(hipHostFree(flag));
  HIP_CHECK(hipHostFree(out));
}

int main(int argc, char **argv) { return runTests(argc, argv); }
