// SPDX-License-Identifier: MIT
// Names and texts of errors, for every enumerator that the table lists, and which calls change what the thread remembers.
#include "tests/device/check.h"

#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <thread>

TEST(everyEnumerator) {
  const char *table = std::getenv("HIPLZ_TEST_ENUMS");
  CHECK(table != nullptr);
  std::ifstream file(table ? table : "");
  std::map<int, std::set<std::string>> names;
  for (std::string line; std::getline(file, line);) {
    std::stringstream fields(line);
    std::string kind, name, value;
    std::getline(fields, kind, ',');
    std::getline(fields, name, ',');
    std::getline(fields, value, ',');
    if (kind == "hipError_t")
      names[std::stoi(value)].insert(name);
  }
  CHECK(names.size() > 70);
  for (const auto &entry : names) {
    const hipError_t error = static_cast<hipError_t>(entry.first);
    const char *name = nullptr, *text = nullptr;
    CHECK_EQ(hipDrvGetErrorName(error, &name), hipSuccess);
    CHECK_EQ(hipDrvGetErrorString(error, &text), hipSuccess);
    CHECK(name && entry.second.count(name) == 1);
    CHECK(text && std::strlen(text) > 3);
    CHECK(std::string(hipGetErrorName(error)) == std::string(name ? name : ""));
    CHECK(std::string(hipGetErrorString(error)) == std::string(text ? text : ""));
  }
  const char *name = "kept";
  CHECK_EQ(hipDrvGetErrorName(static_cast<hipError_t>(4321), &name), hipErrorInvalidValue);
  CHECK_EQ(hipDrvGetErrorString(static_cast<hipError_t>(-1), &name), hipErrorInvalidValue);
  CHECK(std::string(name) == std::string("kept"));
  CHECK_EQ(hipDrvGetErrorName(hipSuccess, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipDrvGetErrorString(hipSuccess, nullptr), hipErrorInvalidValue);
  CHECK(std::string(hipGetErrorName(static_cast<hipError_t>(4321))) == std::string("hipErrorUnknown"));
  CHECK(hipGetErrorString(static_cast<hipError_t>(4321)) != nullptr);
}

// Programs compare the texts that AMD's library gives (AMD's own tests do), also where two errors have the same.
TEST(textsOfAmdsLibrary) {
  const std::map<hipError_t, std::string> texts = {
      {hipSuccess, "no error"},
      {hipErrorInvalidValue, "invalid argument"},
      {hipErrorOutOfMemory, "out of memory"},
      {hipErrorNotInitialized, "initialization error"},
      {hipErrorInvalidConfiguration, "invalid configuration argument"},
      {hipErrorInvalidSymbol, "invalid device symbol"},
      {hipErrorInvalidDevicePointer, "invalid device pointer"},
      {hipErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"},
      {hipErrorInvalidDeviceFunction, "invalid device function"},
      {hipErrorNoDevice, "no ROCm-capable device is detected"},
      {hipErrorInvalidDevice, "invalid device ordinal"},
      {hipErrorInvalidImage, "device kernel image is invalid"},
      {hipErrorInvalidSource, "device kernel image is invalid"},
      {hipErrorInvalidContext, "invalid device context"},
      {hipErrorNoBinaryForGpu, "no kernel image is available for execution on the device"},
      {hipErrorFileNotFound, "file not found"},
      {hipErrorInvalidHandle, "invalid resource handle"},
      {hipErrorNotFound, "named symbol not found"},
      {hipErrorNotReady, "device not ready"},
      {hipErrorIllegalAddress, "an illegal memory access was encountered"},
      {hipErrorPeerAccessAlreadyEnabled, "peer access is already enabled"},
      {hipErrorContextIsDestroyed, "context is destroyed"},
      {hipErrorAssert, "device-side assert triggered"},
      {hipErrorLaunchFailure, "unspecified launch failure"},
      {hipErrorNotSupported, "operation not supported"},
      {hipErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing"},
      {hipErrorUnknown, "unknown error"},
  };
  for (const auto &[error, expected] : texts) {
    const char *text = nullptr;
    HIP_CHECK(hipDrvGetErrorString(error, &text));
    CHECK(text && text == expected);
    CHECK(hipGetErrorString(error) == expected);
  }
}

TEST(whatIsRemembered) {
  (void)hipGetLastError();
  (void)hipExtGetLastError();
  CHECK_EQ(hipPeekAtLastError(), hipSuccess);

  CHECK_EQ(hipMalloc(nullptr, 4), hipErrorInvalidValue);
  CHECK_EQ(hipSetDevice(9999), hipErrorInvalidDevice);
  HIP_CHECK(hipSetDevice(0));
  // The last error, although a call has succeeded since, which hides it in HIP 6; looking does not change it, taking does.
  const hipError_t last = HIP_VERSION_MAJOR < 7 ? hipSuccess : hipErrorInvalidDevice;
  CHECK_EQ(hipPeekAtLastError(), last);
  CHECK_EQ(hipPeekAtLastError(), last);
  // The last result is that of the call that succeeded.
  CHECK_EQ(hipExtGetLastError(), hipSuccess);
  CHECK_EQ(hipGetLastError(), last);
  CHECK_EQ(hipGetLastError(), hipSuccess);
  CHECK_EQ(hipMalloc(nullptr, 4), hipErrorInvalidValue);
  CHECK_EQ(hipExtGetLastError(), hipErrorInvalidValue);
  CHECK_EQ(hipExtGetLastError(), hipSuccess);
  CHECK_EQ(hipPeekAtLastError(), hipErrorInvalidValue); // two memories

  // Each thread has its own.
  std::thread([] {
    CHECK_EQ(hipPeekAtLastError(), hipSuccess);
    CHECK_EQ(hipSetDevice(9999), hipErrorInvalidDevice);
    CHECK_EQ(hipGetLastError(), hipErrorInvalidDevice);
  }).join();
  CHECK_EQ(hipGetLastError(), hipErrorInvalidValue);

  // Texts neither set nor clear anything.
  CHECK_EQ(hipMalloc(nullptr, 4), hipErrorInvalidValue);
  (void)hipGetErrorString(hipErrorUnknown);
  (void)hipGetErrorName(hipErrorUnknown);
  CHECK_EQ(hipGetLastError(), hipErrorInvalidValue);
}

int main(int argc, char **argv) { return runTests(argc, argv); }
