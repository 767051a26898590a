// SPDX-License-Identifier: MIT
// The child process that compiles: whole requests and answers, and everything that can go wrong with it.
#include "cpu/program/child_process.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <pthread.h>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace hiplz::cpu;

namespace {

/// A program that a test writes as a shell script. Descriptor 3 has the request and takes the answer.
class Script {
public:
  explicit Script(const std::string &lines) {
    static std::atomic<int> count{0};
    path_ = std::filesystem::temp_directory_path() /
            ("hiplz-child-" + std::to_string(::getpid()) + "-" + std::to_string(count++));
    std::ofstream(path_) << "#!/bin/sh\n" << lines << "\n";
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all);
  }
  ~Script() { std::filesystem::remove(path_); }
  Script(const Script &) = delete;

  ChildResult run(const std::string &request = "") const {
    const std::span<const std::byte> pieces[] = {std::as_bytes(std::span(request))};
    return runProgram(path_.string(), pieces);
  }

private:
  std::filesystem::path path_;
};

const char *const kEcho = "exec cat <&3 >&3";

} // namespace

TEST(ChildProcess, aLargeRequestComesBackWhole) {
  std::string request(3 << 20, '\0');
  for (size_t i = 0; i < request.size(); ++i)
    request[i] = static_cast<char>(i * 2654435761u >> 13);
  ChildResult result = Script(kEcho).run(request);
  EXPECT_TRUE(result.started);
  EXPECT_EQ(result.signal, 0);
  EXPECT_TRUE(result.answer == request);
  EXPECT_EQ(result.messages, "");
}

TEST(ChildProcess, aMissingProgramIsNamed) {
  ChildResult result = runProgram("/nonexistent/compiler", {});
  EXPECT_FALSE(result.started);
  EXPECT_EQ(0, result.shortage);
  EXPECT_EQ(result.messages, "/nonexistent/compiler: No such file or directory");
}

TEST(ChildProcess, messagesAndSignalsAreTold) {
  ChildResult result = Script("echo an answer >&3; echo a message >&2; kill -SEGV $$").run();
  EXPECT_TRUE(result.started);
  EXPECT_EQ(result.answer, "an answer\n");
  EXPECT_NE(result.messages.find("a message"), std::string::npos);
  EXPECT_EQ(result.signal, SIGSEGV);
}

// A library that is loaded into every program may print whatever it likes.
TEST(ChildProcess, whatIsPrintedIsNoPartOfTheAnswer) {
  ChildResult result = Script("echo profiling library; echo the answer >&3; echo profile: 0.1 s").run();
  EXPECT_EQ(result.answer, "the answer\n");
  EXPECT_EQ(result.messages, "profiling library\nprofile: 0.1 s");
}

TEST(ChildProcess, aChildThatDoesNotReadIsWaitedFor) {
  ChildResult result = Script("echo done >&3").run(std::string(3 << 20, 'x'));
  EXPECT_EQ(result.answer, "done\n");
  EXPECT_EQ(result.signal, 0);
}

TEST(ChildProcess, standardInputHasNothingToRead) {
  EXPECT_EQ(Script("read line || echo nothing >&3").run("request").answer, "nothing\n");
}

TEST(ChildProcess, signalsThatTheProgramIgnoresOrBlocksAreDefaultInTheChild) {
  auto previous = std::signal(SIGTERM, SIG_IGN);
  ChildResult result = Script("kill -TERM $$; echo alive >&3").run();
  std::signal(SIGTERM, previous);
  EXPECT_EQ(result.signal, SIGTERM);
  EXPECT_EQ(result.answer, "");
}

TEST(ChildProcess, aProgramThatHasItsChildrenReapedGetsTheAnswer) {
  auto previous = std::signal(SIGCHLD, SIG_IGN);
  ChildResult result = Script(kEcho).run("text");
  std::signal(SIGCHLD, previous);
  EXPECT_EQ(result.answer, "text");
}

TEST(ChildProcess, manyAtOnceDoNotHoldEachOthersDescriptorsOpen) {
  const Script echo(kEcho);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([i, &echo] {
      for (int round = 0; round < 10; ++round) {
        std::string text = std::to_string(i) + "/" + std::to_string(round);
        EXPECT_EQ(echo.run(text).answer, text);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

// They have copies of the descriptors, also of those that are closed on exec.
TEST(ChildProcess, forkedProcessesThatLiveOnAreNotWaitedFor) {
  const Script echo("sleep 0.05; exec cat <&3 >&3");
  std::atomic<bool> stop{false};
  std::vector<pid_t> forked;
  std::thread forking([&] {
    for (int i = 0; i < 30 && !stop; ++i) {
      pid_t child = ::fork();
      if (child == 0) {
        for (;;)
          ::pause();
      }
      forked.push_back(child);
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  });
  for (int round = 0; round < 5; ++round)
    EXPECT_EQ(echo.run("text").answer, "text"); // the test's time limit would end a wait
  stop = true;
  forking.join();
  for (pid_t child : forked) {
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
}

TEST(ChildProcess, runningOutOfDescriptorsPasses) {
  const Script echo(kEcho);
  rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit few = before;
  few.rlim_cur = 4;
  ::setrlimit(RLIMIT_NOFILE, &few);
  ChildResult result = echo.run("text");
  ::setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_FALSE(result.started);
  EXPECT_NE(0, result.shortage);
  EXPECT_NE(result.messages.find("Too many open files"), std::string::npos) << result.messages;
  EXPECT_EQ(echo.run("text").answer, "text");
}

TEST(ChildProcess, limitsOfTheSizeOfFilesDoNotConcernIt) {
  const Script echo(kEcho);
  rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit none = before;
  none.rlim_cur = 0;
  ::setrlimit(RLIMIT_FSIZE, &none);
  ChildResult result = echo.run("text");
  ::setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(result.answer, "text");
}

TEST(ChildProcess, aThreadWithASmallStackGetsTheAnswer) {
  // Below the stack and a guard page lies data of the application.
  constexpr size_t kData = 1 << 20, kGuard = 4096, kStack = 48 << 10;
  auto *memory = static_cast<char *>(
      ::mmap(nullptr, kData + kGuard + kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(memory, MAP_FAILED);
  std::fill_n(memory, kData, 'a');
  ASSERT_EQ(::mprotect(memory + kData, kGuard, PROT_NONE), 0);
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  ASSERT_EQ(::pthread_attr_setstack(&attributes, memory + kData + kGuard, kStack), 0);
  static const Script large("cat <&3 >/dev/null; head -c 200000 /dev/zero >&3");
  static ChildResult result;
  pthread_t thread;
  ASSERT_EQ(::pthread_create(
                &thread, &attributes,
                [](void *) -> void * {
                  result = large.run("text");
                  return nullptr;
                },
                nullptr),
            0);
  ::pthread_join(thread, nullptr);
  ::pthread_attr_destroy(&attributes);
  EXPECT_EQ(result.answer.size(), 200000u);
  EXPECT_EQ(std::count(memory, memory + kData, 'a'), static_cast<ptrdiff_t>(kData));
  ::munmap(memory, kData + kGuard + kStack);
}

TEST(ChildProcess, aThreadIsNotCancelledWhileItWaits) {
  static const Script echo("sleep 0.1; exec cat <&3 >&3");
  static std::string answer;
  pthread_t thread;
  ASSERT_EQ(::pthread_create(
                &thread, nullptr,
                [](void *) -> void * {
                  answer = echo.run("text").answer;
                  ::pthread_testcancel();
                  return nullptr;
                },
                nullptr),
            0);
  ::pthread_cancel(thread);
  void *result = nullptr;
  ::pthread_join(thread, &result);
  EXPECT_EQ(result, PTHREAD_CANCELED);
  EXPECT_EQ(answer, "text");
}
