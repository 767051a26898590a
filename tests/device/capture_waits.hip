// SPDX-License-Identifier: MIT
// Waits while a stream is captured: for other streams, for their events, for devices, and copies that the host waits for.
#include "capture_states.h"

#include <functional>
#include <thread>

#pragma clang diagnostic ignored "-Wdeprecated-declarations" // contexts, copies to whole arrays

namespace {

__device__ int variable;

__global__ void add(int *data, int value) { *data += value; }

// Waiting for one stream while another one is captured.
TEST(waitingForOtherStreams) {
  Stream stream(hipStreamNonBlocking), other(hipStreamNonBlocking);
  Event event, ofNull;
  DeviceArray<int> data(1);
  add<<<1, 1, 0, other>>>(data, 1);
  HIP_CHECK(hipEventRecord(event, other));
  HIP_CHECK(hipEventRecord(ofNull, nullptr));
  HIP_CHECK(hipDeviceSynchronize());
  const std::function<hipError_t()> calls[] = {
      [&] { return hipStreamSynchronize(other); },      [&] { return hipStreamQuery(other); },
      [&] { return hipEventSynchronize(event); },       [] { return hipStreamSynchronize(hipStreamPerThread); },
      [] { return hipStreamSynchronize_spt(nullptr); }, [] { return hipStreamQuery_spt(nullptr); },
  };
  for (const auto &call : calls) {
    for (hipStreamCaptureMode mode : {hipStreamCaptureModeGlobal, hipStreamCaptureModeThreadLocal}) {
      begin(stream, mode);
      CHECK_EQ(call(), hipErrorStreamCaptureUnsupported);
      endInvalid(stream, data);
      // Another thread may, unless the mode is global.
      begin(stream, mode);
      hipError_t elsewhere = hipErrorUnknown;
      std::thread([&] { elsewhere = call(); }).join();
      if (mode == hipStreamCaptureModeGlobal) {
        CHECK_EQ(elsewhere, hipErrorStreamCaptureUnsupported);
        endInvalid(stream, data);
      } else {
        CHECK_EQ(elsewhere, hipSuccess);
        endValid(stream);
      }
    }
    begin(stream, hipStreamCaptureModeRelaxed);
    HIP_CHECK(call());
    endValid(stream);
  }
  // The answers of these are known without a wait, or do not concern the capture.
  begin(stream);
  HIP_CHECK(hipStreamSynchronize(nullptr));
  HIP_CHECK(hipStreamQuery(nullptr));
  HIP_CHECK(hipEventSynchronize(ofNull));
  HIP_CHECK(hipMemcpyWithStream(data, data, 4, hipMemcpyDeviceToDevice, other));
  endValid(stream);
}

// Waits for a whole device are refused in every mode, from every thread.
TEST(waitingForDevices) {
  Stream stream(hipStreamNonBlocking), second(hipStreamNonBlocking);
  DeviceArray<int> data(1);
  for (hipStreamCaptureMode mode :
       {hipStreamCaptureModeGlobal, hipStreamCaptureModeThreadLocal, hipStreamCaptureModeRelaxed})
    for (bool inOtherThread : {false, true})
      for (auto call : {&hipDeviceSynchronize, &hipCtxSynchronize}) {
        begin(stream, mode);
        begin(second, hipStreamCaptureModeRelaxed);
        hipError_t error = hipErrorUnknown;
        if (inOtherThread)
          std::thread([&] { error = call(); }).join();
        else
          error = call();
        CHECK_EQ(error, hipErrorStreamCaptureUnsupported);
        endInvalid(stream, data);
        endInvalid(second, data);
      }
}

// Copies and fills that the host waits for are refused in every mode while a blocking stream is captured, for which the null
// stream would have to wait; or if they belong to a captured stream themselves.
TEST(synchronousCopies) {
  Stream stream, nonBlocking(hipStreamNonBlocking);
  DeviceArray<int> data(4);
  int host[4] = {};
  hipArray_t array;
  const hipChannelFormatDesc desc = hipCreateChannelDesc<int>();
  HIP_CHECK(hipMallocArray(&array, &desc, 4, 0));
  const std::function<hipError_t()> calls[] = {
      [&] { return hipMemcpy(host, data, 4, hipMemcpyDeviceToHost); },
      [&] { return hipMemcpyDtoD(data, static_cast<int *>(data) + 1, 4); },
      [&] { return hipMemcpy2D(data, 8, host, 8, 4, 2, hipMemcpyHostToDevice); },
      [&] { return hipMemcpyToArray(array, 0, 0, host, 16, hipMemcpyHostToDevice); },
      [&] { return hipMemcpyToSymbol(HIP_SYMBOL(variable), host, 4); },
      [&] { return hipMemcpyFromSymbol(host, HIP_SYMBOL(variable), 4); },
      [&] { return hipMemset(data, 0, 4); },
      [&] { return hipMemsetD32(static_cast<int *>(data), 0, 1); },
      [&] { return hipMemset2D(data, 8, 0, 4, 2); },
  };
  const std::function<hipError_t()> ofThread[] = {
      [&] { return hipMemcpy_spt(host, data, 4, hipMemcpyDeviceToHost); },
      [&] { return hipMemset_spt(data, 0, 4); },
  };
  for (hipStreamCaptureMode mode :
       {hipStreamCaptureModeGlobal, hipStreamCaptureModeThreadLocal, hipStreamCaptureModeRelaxed}) {
    for (const auto &call : calls) {
      begin(stream, mode);
      CHECK_EQ(call(), hipErrorStreamCaptureImplicit);
      endInvalid(stream, data);
      begin(nonBlocking, mode);
      HIP_CHECK(call());
      endValid(nonBlocking);
    }
    for (const auto &call : ofThread) {
      begin(hipStreamPerThread, mode);
      CHECK_EQ(call(), hipErrorStreamCaptureImplicit);
      endInvalid(hipStreamPerThread, data);
    }
  }
  HIP_CHECK(hipFreeArray(array));
}

// The host would wait for the copy.
TEST(copyWithStream) {
  Stream stream;
  DeviceArray<int> data(1);
  begin(stream);
  CHECK_EQ(hipMemcpyWithStream(data, data, 4, hipMemcpyDeviceToDevice, stream),
           since7(hipErrorStreamCaptureUnsupported, hipSuccess));
  if (HIP_VERSION_MAJOR >= 7)
    endInvalid(stream, data);
  else
    endValid(stream);
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
