// SPDX-License-Identifier: MIT
// Shared by the tests of hipRTC: a program that is compiled, and its results.
#pragma once
#include "tests/device/check.h"

#include <hip/hiprtc.h>

#include <string>
#include <vector>

#define RTC_CHECK(call) CHECK_EQ(int(call), int(HIPRTC_SUCCESS))

struct RtcProgram {
  hiprtcProgram handle = nullptr;

  explicit RtcProgram(const std::string &source, const char *name = "test.hip", std::vector<const char *> headers = {},
                      std::vector<const char *> names = {}) {
    RTC_CHECK(hiprtcCreateProgram(&handle, source.c_str(), name, int(headers.size()), headers.data(), names.data()));
  }
  RtcProgram(const RtcProgram &) = delete;
  ~RtcProgram() { hiprtcDestroyProgram(&handle); }

  hiprtcResult compile(std::vector<const char *> options = {}) {
    return hiprtcCompileProgram(handle, int(options.size()), options.data());
  }
  std::string log() const {
    size_t size = 0;
    RTC_CHECK(hiprtcGetProgramLogSize(handle, &size));
    CHECK(size > 0);
    std::string text(size, 'x');
    RTC_CHECK(hiprtcGetProgramLog(handle, &text[0]));
    CHECK_EQ(text[size - 1], '\0');
    text.pop_back();
    return text;
  }
  std::vector<char> code() const {
    size_t size = 0;
    RTC_CHECK(hiprtcGetCodeSize(handle, &size));
    std::vector<char> bytes(size);
    RTC_CHECK(hiprtcGetCode(handle, bytes.data()));
    return bytes;
  }
  std::vector<char> bitcode() const {
    size_t size = 0;
    RTC_CHECK(hiprtcGetBitcodeSize(handle, &size));
    std::vector<char> bytes(size);
    RTC_CHECK(hiprtcGetBitcode(handle, bytes.data()));
    return bytes;
  }
  std::string lowered(const char *expression) const {
    const char *name = nullptr;
    RTC_CHECK(hiprtcGetLoweredName(handle, expression, &name));
    return name ? name : "";
  }
};

inline bool contains(const std::string &text, const char *part) { return text.find(part) != std::string::npos; }

/// Runs one thread of a kernel that writes an int to its only parameter.
inline int runOne(const void *code, const char *kernel) {
  hipModule_t module;
  HIP_CHECK(hipModuleLoadData(&module, code));
  hipFunction_t function;
  HIP_CHECK(hipModuleGetFunction(&function, module, kernel));
  int *result;
  HIP_CHECK(hipMalloc(reinterpret_cast<void **>(&result), sizeof(int)));
  void *arguments[] = {&result};
  HIP_CHECK(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  int value = 0;
  HIP_CHECK(hipMemcpy(&value, result, sizeof value, hipMemcpyDeviceToHost));
  HIP_CHECK(hipFree(result));
  HIP_CHECK(hipModuleUnload(module));
  return value;
}
