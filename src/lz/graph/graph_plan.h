// SPDX-License-Identifier: MIT
// How a graph is spread over lanes, before anything of Level Zero is touched.
#pragma once
#include "lz/graph/graph.h"

#include <cstdint>
#include <vector>

namespace hiplz {

/// A graph with its child graphs dissolved into it, each node assigned to a lane. A plain value; it refers to the nodes.
struct GraphPlan {
  /// Lane 0 is the stream.
  static constexpr uint32_t kStream = 0;

  struct Item {
    const LZGraphNode *node;      // null: joins the ends of a child graph
    std::vector<uint32_t> before; // items that must have completed; smaller than the item's own index
    uint32_t lane = 0;
    uint32_t segment = 0;
    bool awaited = false; // needs an event: an item of another list waits for it, or it is an end
    bool end = false;     // nothing depends on it, and it is not in the stream
  };

  /// Items of one lane that follow each other; only the first depends on anything else than its predecessor.
  struct Segment {
    uint32_t lane;
    std::vector<uint32_t> items;
    uint32_t list = 0; // segments of a lane in a row are one list
  };

  /// In an order in which each comes after those that it depends on.
  std::vector<Item> items;
  /// In an order in which they can be submitted: each after those that it depends on, and of one lane in a row if possible.
  std::vector<Segment> segments;
  /// The device of each lane.
  std::vector<LZDevice *> lanes;

  struct Rules {
    /// True if the stream takes recorded lists, so that lane 0 executes nodes of the main device. Otherwise it
    /// executes the nodes for events alone.
    bool streamTakesLists;
    LZDevice *main; // the device of lane 0
    size_t mostLanesOfDevice;
  };
  static GraphPlan make(const LZGraph &graph, const Rules &rules);

  /// True if the one item has to wait for an event of the other. A stream and a list keep the order of their items; the
  /// lists of a command queue need not.
  bool mustWait(const Item &item, const Item &before) const;
};

/// The device that most of the nodes run on; null for an empty graph.
LZDevice *mainDeviceOf(const LZGraph &graph);

} // namespace hiplz
