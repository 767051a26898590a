// SPDX-License-Identifier: MIT
// See serving_thread.h.
#include "lz/module/serving_thread.h"
#include "lz/device/device.h"

#include <algorithm>
#include <csignal>
#include <system_error>

namespace hiplz {
namespace {
constexpr std::chrono::microseconds kFirstPause(20), kLongestPause(2000);
// A launch that has been announced may take a while to be counted by its stream.
constexpr std::chrono::seconds kAfterLaunch(1);
} // namespace

LZServingThread::Expected LZServingThread::expect(std::string &reason) {
  const auto state = state_.lock();
  state->expected = std::chrono::steady_clock::now();
  if (state->thread.joinable()) {
    if (state->sleeping)
      state->wake.notify_one();
    return Expected::running;
  }
  if (state->stop) {
    reason = "the process is ending";
    return Expected::impossible;
  }
  Expected outcome = Expected::begun;
  sigset_t all, previous; // signals are the application's business
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &previous);
  try {
    state->thread = std::thread([this] { run(); });
  } catch (const std::system_error &error) {
    reason = error.what();
    outcome = Expected::impossible;
  }
  pthread_sigmask(SIG_SETMASK, &previous, nullptr);
  return outcome;
}

void LZServingThread::run() {
  std::chrono::microseconds pause = kFirstPause;
  auto state = state_.lock();
  while (!state->stop) {
    state.unlock();
    const bool served = serve_();
    const bool idle = !served && device_.work().idle();
    pause = served ? kFirstPause : std::min(2 * pause, kLongestPause);
    state.lock();
    if (served || state->stop)
      continue;
    state->sleeping = idle && std::chrono::steady_clock::now() - state->expected > kAfterLaunch;
    if (state->sleeping)
      state.wait(state->wake);
    else
      state.waitFor(state->wake, pause);
    state->sleeping = false;
  }
}

bool LZServingThread::stop() {
  auto state = state_.lock();
  state->stop = true;
  if (!state->thread.joinable())
    return false;
  std::thread thread = std::move(state->thread);
  state->wake.notify_one();
  state.unlock();
  thread.join();
  return true;
}

} // namespace hiplz
