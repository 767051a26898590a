// SPDX-License-Identifier: MIT
// The launches of a recorded graph, so that other parameters of its kernel nodes can be written into the closed lists. Recording the
// lists again would take hundreds of times as long.
#pragma once
#include "lz/core/mutable_lists.h"
#include "lz/graph/graph_node.h"

#include <cstdint>
#include <vector>

namespace hiplz {

class LZDriver;

/// The functions of the extension; empty if the driver does not have them.
struct ZeMutableLists {
  ZeMutableLists() = default;
  explicit ZeMutableLists(const LZDriver &driver);
  explicit operator bool() const { return getNextCommandId && updateMutableCommands; }

  ZeFunction<ZeGetNextCommandId> getNextCommandId;
  ZeFunction<ZeUpdateMutableCommands> updateMutableCommands;
};

/// Belongs to a recording and is guarded like it.
class LZMutableLaunches {
public:
  /// Call right before the launch of the node is appended to the list, which is mutable: receives the command's identifier.
  ze_result_t announce(const ZeMutableLists &functions, ze_command_list_handle_t list, const LZGraphNode &node);
  /// Instead, for a launch that cannot be changed.
  void addFixed(const LZGraphNode &node);

  /// Writes what the nodes say now into the lists, none of which may be executing, and closes these. False if that cannot be
  /// done; then the lists must not be executed any more.
  bool update(const ZeMutableLists &functions);

private:
  struct Launch {
    const LZGraphNode *node;
    KernelNode recorded;           // what the list has
    ze_command_list_handle_t list; // non-owning; null: it cannot be changed
    uint64_t command;
  };
  class Changes;
  std::vector<Launch> launches_; // those of a list follow each other
};

} // namespace hiplz
