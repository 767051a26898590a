// SPDX-License-Identifier: MIT
// Programs that are compiled at the same time, good and bad ones, and one program that several threads use.
#include "tests/device/rtc.h"

#include <atomic>
#include <thread>
#include <unistd.h>

int main() {
  constexpr int kThreads = 4, kRounds = 4;
  std::atomic<int> wrong{0};
  // The process id makes the sources new, so that they do not come from the cache.
  const std::string own = "/* " + std::to_string(getpid()) + " */\n";
  std::vector<std::vector<char>> codes(kThreads * kRounds);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread)
    threads.emplace_back([&, thread] {
      for (int round = 0; round < kRounds; ++round) {
        const std::string number = std::to_string(thread * 100 + round);
        RtcProgram bad(own + "error" + number + ";", "bad.hip");
        wrong += bad.compile() != HIPRTC_ERROR_COMPILATION || !contains(bad.log(), ("error" + number).c_str());
        RtcProgram crash(own + "#pragma clang __debug crash\n");
        if (thread == 0)
          wrong += crash.compile() != HIPRTC_ERROR_INTERNAL_ERROR;
        RtcProgram good(own + "template <int n> __global__ void k(int *r) { *r = n; }");
        const std::string expression = "k<" + number + ">";
        wrong += hiprtcAddNameExpression(good.handle, expression.c_str()) != HIPRTC_SUCCESS;
        wrong += good.compile(thread % 2 ? std::vector<const char *>{"-std=c++14"} : std::vector<const char *>{}) !=
                 HIPRTC_SUCCESS;
        codes[thread * kRounds + round] = good.code();
        wrong += good.lowered(expression.c_str()) != "_Z1kILi" + number + "EEvPi";
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK_EQ(wrong.load(), 0);
  for (int i = 0; i < kThreads * kRounds; ++i) {
    const int number = i / kRounds * 100 + i % kRounds;
    CHECK_EQ(runOne(codes[i].data(), ("_Z1kILi" + std::to_string(number) + "EEvPi").c_str()), number);
  }

  RtcProgram one(own + "extern \"C\" __global__ void k(int *r) { *r = 9; }");
  std::vector<std::thread> users;
  for (int thread = 0; thread < kThreads; ++thread)
    users.emplace_back([&] {
      wrong += one.compile() != HIPRTC_SUCCESS;
      wrong += !one.log().empty();
      wrong += one.code().empty();
    });
  for (std::thread &thread : users)
    thread.join();
  CHECK_EQ(wrong.load(), 0);
  CHECK_EQ(runOne(one.code().data(), "k"), 9);
  return testResult();
}
