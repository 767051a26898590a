// SPDX-License-Identifier: MIT
// Shared by the SYCL programs: scenarios that run one after the other, each of which says whether it has passed.
#pragma once
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#define CHECK(condition)                                                                                               \
  do {                                                                                                                 \
    if (!(condition))                                                                                                  \
      throw std::runtime_error(std::string(__FILE__ ":") + std::to_string(__LINE__) + ": " #condition);                \
  } while (false)

/// Runs the scenarios whose names contain the first argument, and says how many have failed.
inline int runScenarios(int argc, char **argv,
                        const std::vector<std::pair<const char *, std::function<void()>>> &scenarios) {
  int passed = 0, failed = 0;
  for (const auto &[name, body] : scenarios) {
    if (argc > 1 && !std::strstr(name, argv[1]))
      continue;
    try {
      body();
      std::printf("ok     %s\n", name);
      ++passed;
    } catch (const std::exception &error) {
      std::printf("FAILED %s: %s\n", name, error.what());
      ++failed;
    }
    std::fflush(stdout);
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed || !passed;
}
