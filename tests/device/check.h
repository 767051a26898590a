// SPDX-License-Identifier: MIT
// The checks of the device tests. A failed check prints where and what, and the program goes on, so that one run shows
// every failure; main returns testResult(). A failed HIP call ends the program: what follows would mean nothing.
// A program with several scenarios makes each a TEST and returns runTests(argc, argv) from main.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <limits>
#include <vector>

#include <fnmatch.h>

#include <hip/hip_runtime.h>

static int checkFailures = 0;
static const char *currentTest = nullptr; // the scenario that is running

/// Where a check failed: "file:line: [scenario] ", for the beginning of a message.
inline void printPlace(const char *file, int line) {
  std::cout.flush();
  std::fflush(stdout);
  std::fprintf(stderr, currentTest ? "%s:%d: [%s] " : "%s:%d: ", file, line, currentTest);
}

#define HIP_CHECK(call)                                                                                                \
  do {                                                                                                                 \
    hipError_t status_ = (call);                                                                                       \
    if (status_ != hipSuccess) {                                                                                       \
      printPlace(__FILE__, __LINE__);                                                                                  \
      std::fprintf(stderr, "%s: %s\n", #call, hipGetErrorName(status_));                                               \
      std::exit(1);                                                                                                    \
    }                                                                                                                  \
  } while (0)

#define CHECK(condition)                                                                                               \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      ++checkFailures;                                                                                                 \
      printPlace(__FILE__, __LINE__);                                                                                  \
      std::fprintf(stderr, "failed: %s\n", #condition);                                                                \
    }                                                                                                                  \
  } while (0)

template <class A, class B>
void checkEqual(const A &actual, const B &expected, const char *what, const char *file, int line) {
  if (actual == expected)
    return;
  ++checkFailures;
  printPlace(file, line);
  std::cerr << what << " is " << +actual << ", expected " << +expected << '\n';
}
#define CHECK_EQ(actual, expected) checkEqual((actual), (expected), #actual, __FILE__, __LINE__)

inline void checkNear(double actual, double expected, double tolerance, const char *what, const char *file, int line) {
  if (actual == expected || std::fabs(actual - expected) <= tolerance)
    return;
  ++checkFailures;
  printPlace(file, line);
  std::fprintf(stderr, "%s is %.17g, expected %.17g within %g\n", what, actual, expected, tolerance);
}
#define CHECK_NEAR(actual, expected, tolerance)                                                                        \
  checkNear((actual), (expected), (tolerance), #actual, __FILE__, __LINE__)

/// The exit code of the test, and its last line of output.
inline int testResult() {
  std::printf(checkFailures ? "FAILED: %d checks\n" : "passed\n", checkFailures);
  return checkFailures ? 1 : 0;
}

/// One scenario of a program; TEST makes them. They form a list in the order of their definitions.
struct TestCase {
  TestCase(const char *itsName, void (*itsBody)()) : name(itsName), body(itsBody) {
    *end() = this;
    end() = &next;
  }
  static TestCase *&first() {
    static TestCase *list = nullptr;
    return list;
  }
  static TestCase **&end() {
    static TestCase **last = &first();
    return last;
  }

  const char *name;
  void (*body)();
  TestCase *next = nullptr;
};

/// The result in HIP 7 where HIP 6, whose headers AMD's compilers have as well, returned something else.
inline hipError_t since7(hipError_t error, hipError_t before) { return HIP_VERSION_MAJOR >= 7 ? error : before; }

/// TEST(name) { ... }: a scenario, which must also pass when it is the only one that runs.
#define TEST(name)                                                                                                     \
  static void test_##name();                                                                                           \
  static TestCase case_##name(#name, test_##name);                                                                     \
  static void test_##name()

/// Runs the program's scenarios, or those that `--test=PATTERN` names (the shell's wildcards); `--list` prints their names.
/// Returns the exit code for main.
inline int runTests(int argc, char **argv) {
  const char *pattern = "*";
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], "--test=", 7) == 0) {
      pattern = argv[i] + 7;
    } else if (std::strcmp(argv[i], "--list") == 0) {
      for (const TestCase *test = TestCase::first(); test; test = test->next)
        std::puts(test->name);
      return 0;
    } else {
      std::fprintf(stderr, "usage: %s [--list] [--test=PATTERN]\n", argv[0]);
      return 2;
    }
  }
  int tests = 0;
  for (const TestCase *test = TestCase::first(); test; test = test->next) {
    if (::fnmatch(pattern, test->name, 0) != 0)
      continue;
    ++tests;
    currentTest = test->name;
    std::printf("[%s]\n", test->name); // so that the output of a crash ends with the scenario
    std::fflush(stdout);
    test->body();
  }
  currentTest = nullptr;
  if (tests == 0) {
    std::fprintf(stderr, "no scenario is named %s; --list prints the names\n", pattern);
    return 2;
  }
  return testResult();
}

/// True if the environment chooses the scalar path of the CPU device's compiler.
inline bool usesScalarPath() {
  const char *vectorize = std::getenv("HIPLZ_CPU_VECTORIZE");
  return vectorize && !std::strcmp(vectorize, "0");
}

/// The kind of memory that HIP takes it for.
inline hipMemoryType memoryType(const void *pointer) {
  hipPointerAttribute_t attributes{};
  HIP_CHECK(hipPointerGetAttributes(&attributes, pointer));
  return attributes.type;
}
inline bool isUnregistered(const void *pointer) { return memoryType(pointer) == hipMemoryTypeUnregistered; }

/// Device memory that is freed at the end of the scope, with copies from and to vectors.
template <class T> class DeviceArray {
public:
  explicit DeviceArray(size_t count) : count_(count) {
    HIP_CHECK(hipMalloc(reinterpret_cast<void **>(&data_), count * sizeof(T)));
    HIP_CHECK(hipMemset(data_, 0, count * sizeof(T)));
    HIP_CHECK(hipStreamSynchronize(nullptr)); // streams that do not wait for the null stream may use it at once
  }
  DeviceArray(const std::vector<T> &host) : DeviceArray(host.size()) {
    HIP_CHECK(hipMemcpy(data_, host.data(), count_ * sizeof(T), hipMemcpyHostToDevice));
  }
  DeviceArray(const DeviceArray &) = delete;
  DeviceArray &operator=(const DeviceArray &) = delete;
  ~DeviceArray() { HIP_CHECK(hipFree(data_)); }

  operator T *() { return data_; }
  size_t size() const { return count_; }
  std::vector<T> host() const {
    std::vector<T> copy(count_);
    HIP_CHECK(hipMemcpy(copy.data(), data_, count_ * sizeof(T), hipMemcpyDeviceToHost));
    return copy;
  }

private:
  T *data_ = nullptr;
  size_t count_;
};
