// SPDX-License-Identifier: MIT
// Kernels for grids whose numbers of blocks or threads do not fit into 31 or 32 bits. Each statement is for the few threads whose
// number lies in a window, so the reference only looks there.
#include "device.h"
#include "random.h"

#include <algorithm>

namespace fuzz {
namespace {

class HugeGenerator : Random {
public:
  explicit HugeGenerator(uint64_t seed) : Random(seed, 0x7654321) {}

  Huge make() {
    shape();
    huge_.source = "extern \"C\" __global__ void k0(unsigned *slots) {\n"
                   "  const size_t block = (size_t(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;\n"
                   "  const size_t thread = block * blockDim.x + threadIdx.x;\n";
    for (unsigned i = 0; i < 3; ++i)
      statement();
    huge_.source += "}\n";
    return huge_;
  }

private:
  void shape() {
    const unsigned rest = 1000 + below(100000);
    struct Shape {
      unsigned block;
      uint64_t blocks[2];
    };
    const Shape kShapes[] = {{1, {(1ull << 31) + rest, 1}},  {1, {(1ull << 31) + rest, 1}},
                             {1, {32768 + below(9), 65537}}, {2, {(1ull << 30) + rest, 1}},
                             {4, {(1ull << 29) + rest, 1}},  {33, {65100000 + rest, 1}},
                             {64, {(1ull << 25) + rest, 1}}, {256, {(1ull << 23) + rest % 1000, 1}}};
    const Shape &shape = kShapes[below(8)];
    blocks_[0] = shape.blocks[0];
    blocks_[1] = shape.blocks[1];
    huge_.launch.huge = true;
    huge_.launch.block[0] = shape.block;
    huge_.launch.block[1] = huge_.launch.block[2] = huge_.launch.grid[2] = 1;
    huge_.launch.grid[0] = unsigned(blocks_[0] * shape.block);
    huge_.launch.grid[1] = unsigned(blocks_[1]);
  }

  /// A statement for the threads whose number is in a window that begins near a power of two or the end.
  void statement() {
    const uint64_t size = huge_.launch.block[0], threads = blocks_[0] * blocks_[1] * size;
    enum { blockX, blockAll, thread, short_ };
    static const char *const kNumbers[] = {"blockIdx.x", "block", "thread", "(blockIdx.x * blockDim.x + threadIdx.x)"};
    unsigned number = below(4);
    if (blocks_[1] != 1 && (number == blockX || number == short_))
      number = blockAll; // there each column would have many blocks
    const uint64_t end = number == blockX || number == blockAll ? threads / size : threads;
    const uint64_t width = 1 + below(3000);
    uint64_t begin = 0;
    switch (below(4)) {
    case 0: begin = end - std::min(end, width); break;
    case 1: begin = (1ull << 31) - below(50); break;
    case 2: begin = (1ull << (20 + below(11))) - below(50); break;
    default: begin = next() % end;
    }
    begin = std::min(begin, end - 1);
    const uint64_t stop = std::min(begin + width, end);
    const std::string name = kNumbers[number], suffix = number == blockAll || number == thread ? "ull" : "u";
    const std::string first = std::to_string(begin) + suffix, last = std::to_string(begin + width) + suffix;
    std::string condition;
    switch (below(3)) {
    case 0: condition = name + " >= " + first + " && " + name + " < " + last; break;
    case 1: condition = name + " - " + first + " < " + std::to_string(width); break;
    default: condition = "!(" + name + " < " + first + " || " + last + " <= " + name + ")";
    }
    if (stop < begin + width && end == stop && below(2))
      condition = name + " >= " + first;
    const unsigned factor = below(1000) * 2 + 1, slot = used_++;
    huge_.source += "  if (" + condition + ") { atomicAdd(&slots[" + std::to_string(2 * slot) +
                    "], 1u); atomicAdd(&slots[" + std::to_string(2 * slot + 1) + "], (unsigned)(" + name + " * " +
                    std::to_string(factor) + "u)); }\n";
    const uint64_t each = number == blockX || number == blockAll ? size : 1;
    for (uint64_t value = begin; value < stop; ++value) {
      huge_.slots[2 * slot] += uint32_t(each);
      huge_.slots[2 * slot + 1] += uint32_t(each * uint32_t(value) * factor);
    }
  }

  Huge huge_;
  uint64_t blocks_[2];
  unsigned used_ = 0;
};

} // namespace

Huge makeHuge(uint64_t seed) { return HugeGenerator(seed).make(); }

} // namespace fuzz
