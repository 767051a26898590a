// SPDX-License-Identifier: MIT
// See stream_checks.h.
#include "cpu/check/stream_checks.h"
#include "cpu/abi/check_functions.h"
#include "cpu/check/global_races.h"
#include "cpu/check/launch_uses.h"
#include "cpu/check/memory.h"
#include "cpu/check/order.h"
#include "cpu/check/race_launch.h"
#include "cpu/check/tools.h"

#include <cstring>
#include <vector>

namespace hiplz::cpu::check {

struct StreamChecks::State {
  std::vector<CheckBounds> bounds;
  CheckedLaunch launch{};
  std::shared_ptr<RaceLaunch> races; // of the launch
  LaunchUses uses;                   // of the launch
  StreamOrder order;
};

StreamChecks::StreamChecks() : state_(std::make_unique<State>()) {}
StreamChecks::~StreamChecks() = default;

std::unique_ptr<StreamChecks> StreamChecks::create() {
  return tools().any() ? std::unique_ptr<StreamChecks>(new StreamChecks) : nullptr;
}

void StreamChecks::submitted(uint64_t command) { state_->order.submitted(command); }
void StreamChecks::begins(uint64_t command) { state_->order.begins(command); }
void StreamChecks::waited(const void *event) { state_->order.follows(event); }
void StreamChecks::waitedForAnything() { state_->order.followsEverything(); }
void StreamChecks::signals(const void *event) { state_->order.signals(event); }
void StreamChecks::beginsHostFunction() { state_->order.hostFollows(); }
void StreamChecks::endsHostFunction() { state_->order.followsHost(); }
void StreamChecks::hostWaited() { state_->order.hostFollows(); }

void StreamChecks::launches(LaunchState &launch, const KernelInfo &kernel, uint32_t submission) {
  State &state = *state_;
  state.bounds.assign(kernel.args.size(), {});
  for (size_t index = 0; index < state.bounds.size(); ++index) {
    const ArgInfo &argument = kernel.args[index];
    if (argument.kind == ArgKind::globalPointer) {
      const void *pointer;
      std::memcpy(&pointer, launch.args + argument.offset, sizeof pointer);
      state.bounds[index] = boundsOf(pointer);
    }
  }
  state.launch.bounds = state.bounds.data();
  launch.checked = &state.launch;
  state.races = beginLaunch(launch, state.launch, kernel.name, submission, state.order);
  state.launch.races = state.races.get();
  state.uses.begin(launch, kernel, state.bounds, state.launch, state.races.get());
}

void StreamChecks::copies(const Region &to, const Region *from, uint32_t submission) {
  checkCopy(to, from, submission, state_->order);
}

void StreamChecks::lives(const Region &memory, bool begins, uint32_t submission) {
  checkLifetime(memory, begins, submission, state_->order);
}

} // namespace hiplz::cpu::check
