// SPDX-License-Identifier: MIT
// The state of a module on a device: how it is divided, and the parts that have been compiled. For the two files of LZModule.
#pragma once
#include "lz/module/module.h"
#include "lz/module/module_plan.h"

#include <atomic>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace hiplz {

struct LZModule::Part {
  Part(size_t index, std::vector<size_t> groups) : index(index), groups(std::move(groups)) {}

  const size_t index;                              // of the choice
  const std::vector<size_t> groups;                // that are compiled together
  Mutex mutex{LockRank::modulePart};               // guards everything while the handle is null, later only the log
  std::atomic<ze_module_handle_t> handle{nullptr}; // stored (release) once everything below is final
  ZeModule module;
  std::unordered_map<std::string_view, Global> globals;
  std::unordered_map<std::string_view, Global> managed; // what their pointers hold, by the names that the pointers have
  std::optional<HipError> failure;
  std::string log;
};

struct LZModule::OnDevice {
  std::atomic<bool> planned{false}; // stored (release) once the plan is final
  bool hasPlan = false; // which is final unless somebody asks for the module whole before using anything of it
  ModulePlan plan;
  PartChoice choice;
  std::deque<Part> parts;                     // those of the choice
  std::deque<std::atomic<Part *>> ofGroup{1}; // stored (release) once it is certain that a group is taken from a part
  std::string partLines;               // the key of the lines that tell of parts in the cache; empty: there are none
  std::vector<ZeKernel> nativeKernels; // for the application or from it; destroyed before the parts
  std::unordered_map<const LZKernel *, ze_kernel_handle_t> nativeKernelOf; // the last one of each
  bool adopted = false;                                                    // the module is one of the application's
};

} // namespace hiplz
