// The child process that compiles: whole requests and answers, and everything that can go wrong with it.
#include "cpu/program/child_process.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

using namespace hiplz::cpu;

namespace {

ChildResult run(const char *path, const std::string &request) {
  const std::span<const std::byte> pieces[] = {std::as_bytes(std::span(request))};
  return runProgram(path, pieces);
}

} // namespace

TEST(ChildProcess, aLargeRequestComesBackWhole) {
  std::string request(3 << 20, '\0');
  for (size_t i = 0; i < request.size(); ++i)
    request[i] = static_cast<char>(i * 2654435761u >> 13);
  ChildResult result = run("/bin/cat", request);
  EXPECT_TRUE(result.started);
  EXPECT_EQ(result.signal, 0);
  EXPECT_TRUE(result.answer == request);
  EXPECT_EQ(result.messages, "");
}

TEST(ChildProcess, aMissingProgramIsNamed) {
  ChildResult result = run("/nonexistent/compiler", "x");
  EXPECT_FALSE(result.started);
  EXPECT_EQ(result.messages, "/nonexistent/compiler: No such file or directory");
}

TEST(ChildProcess, messagesAndSignalsAreTold) {
  ChildResult result = run("/bin/sh", "echo an answer; echo a message >&2; kill -SEGV $$");
  EXPECT_TRUE(result.started);
  EXPECT_EQ(result.answer, "an answer\n");
  EXPECT_NE(result.messages.find("a message"), std::string::npos);
  EXPECT_EQ(result.signal, SIGSEGV);
}

TEST(ChildProcess, signalsThatTheProgramIgnoresOrBlocksAreDefaultInTheChild) {
  auto previous = std::signal(SIGTERM, SIG_IGN);
  ChildResult result = run("/bin/sh", "kill -TERM $$; echo alive");
  std::signal(SIGTERM, previous);
  EXPECT_EQ(result.signal, SIGTERM);
  EXPECT_EQ(result.answer, "");
}

TEST(ChildProcess, manyAtOnceDoNotHoldEachOthersPipesOpen) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([i] {
      for (int round = 0; round < 10; ++round) {
        std::string text = std::to_string(i) + "/" + std::to_string(round);
        EXPECT_EQ(run("/bin/cat", text).answer, text);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}
