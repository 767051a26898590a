// SPDX-License-Identifier: MIT
// Descriptions of kernels and variables: the compiler makes them, the driver keeps them.
#pragma once
#include "cpu/abi/compiled_code.h"
#include "cpu/abi/group_shape.h"

#include <atomic>
#include <string>
#include <vector>

namespace hiplz::cpu {

/// Facts about a kernel before it is compiled. Immutable.
struct KernelInfo {
  std::string name;
  std::vector<ArgInfo> args;
  uint32_t argBlockBytes = 0;
  uint32_t staticLocalBytes = 0;      ///< local memory of the kernel's own variables
  uint32_t requiredGroupSize[3] = {}; ///< zeros: any
  uint32_t requiredSubgroupSize = 0;  ///< zero: any
  bool gainsFromSize = false;         ///< its code is better if it is made for one size of work-groups
  std::string sourceAttributes; ///< those of the source that the module has kept, as text, with spaces between them
};

/// The compiled code of a kernel for launches of some shapes, or of one size. Immutable but for `better`.
struct KernelCode {
  KernelFunction function = nullptr;
  /// The same, but one work-item after the other with WorkerState::localId kept up to date, to find out which one has
  /// faulted. Null if executing work-items again would have other effects than stores.
  KernelFunction oneByOne = nullptr;
  GroupShapes shapes = 0;            ///< the launches that it serves as well as any other code for all sizes would
  std::optional<GroupSize> onlySize; ///< it serves launches of this size and no others
  uint32_t privateBytes = 0;         ///< stack that `function` needs, or each fiber of it, as far as it is known
  bool yields = false;               ///< lets other work-groups run where it waits for them
  uint32_t frameBytes =
      0; ///< of a large kernel: stack that its variables in registers need besides, in all functions together
  bool isQuick = false; ///< compiled without optimisation because a launch waited for it
  /// The code that replaces this one: the same results, sooner. Null until it is there. Written once, by one thread.
  mutable const KernelCode *better = nullptr;
};

/// The best code that there is at the moment. It may change from one work-group to the next.
inline const KernelCode &latest(const KernelCode &code) {
  const KernelCode *better = std::atomic_ref(code.better).load(std::memory_order_acquire);
  return better ? *better : code;
}

/// A program-scope variable that the host can find by name.
struct GlobalInfo {
  std::string name;
  size_t size = 0;
  void *address = nullptr;
};

/// A symbol that a module imports, or has for others.
struct LinkSymbol {
  std::string name;
  bool isFunction = false;
};

} // namespace hiplz::cpu
