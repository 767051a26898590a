// SPDX-License-Identifier: MIT
// Exchanges without a barrier at addresses with quotients, remainders and rows, which meet in blocks of some shapes and not in others.
#include "warp_model.h"

namespace {

// Quotients and remainders, and rows of tiles: whether two lanes come to one word depends on the block's shape.
#define INDICES(name, first, second)                                                                                   \
  KERNEL(name##Read) {                                                                                                 \
    [[maybe_unused]] const int x = threadIdx.x, y = threadIdx.y;                                                       \
    m.data[first] = 3 * t;                                                                                             \
    m.out[t] = m.data[second];                                                                                         \
  }                                                                                                                    \
  HOST(name##Read) {                                                                                                   \
    EACH([[maybe_unused]] const int x = t % h.width, y = t / h.width; data[first] = 3 * t)                             \
    EACH([[maybe_unused]] const int x = t % h.width, y = t / h.width; out[t] = data[second])                           \
  }                                                                                                                    \
  KERNEL(name##Write) {                                                                                                \
    [[maybe_unused]] const int x = threadIdx.x, y = threadIdx.y;                                                       \
    m.data[first] = 1000 + int(first); /* lanes that share a word write the same */                                    \
    m.data[second] = -int(second);                                                                                     \
  }                                                                                                                    \
  HOST(name##Write) {                                                                                                  \
    EACH([[maybe_unused]] const int x = t % h.width, y = t / h.width; data[first] = 1000 + int(first))                 \
    EACH([[maybe_unused]] const int x = t % h.width, y = t / h.width; data[second] = -int(second))                     \
  }
INDICES(halves, t / 2, t / 2 + 3)
INDICES(eighths, t % 8, t % 8 + 8)
INDICES(gaps, t / 4 * 8 + t % 4, t / 4 * 8 + t % 4 + 4)
INDICES(gapsAbove, t / 4 * 8 + t % 4, t / 4 * 8 + t % 4 + 8)
INDICES(transposedWords, t % 16 * 16 + t / 16, t % 16 * 16 + t / 16 + 1)
INDICES(transposedTiles, t % 16 * 16 + t / 16, t % 16 * 16 + t / 16 + 256)
INDICES(rowsOfEight, y * 8 + x, y * 8 + x + 64)
INDICES(rowsBelow, y * 8 + x, y * 8 + x + 128)
INDICES(columnsOfFour, x * 4 + y, x * 4 + y + 16)
INDICES(roundedUp, t / 2, (t + 1) / 2)
INDICES(roundedUpTwice, (t + 3) / 4 * 4, (t + 1) / 4 * 4)
INDICES(belowZero, (t - 1) / 2, (t + 1) / 2)
INDICES(belowZeroRest, 8 + (t - 5) % 4, 8 + (t + 1) % 4)
INDICES(bits, (t >> 3 << 3) + (t & 3), (t >> 3 << 3) + (t & 3) + 4)
INDICES(bitsAbove, (t >> 3 << 3) + (t & 3), (t >> 3 << 3) + (t & 3) + 8)
INDICES(linearTile, (y * 16 + x) / 16 * 16 + (y * 16 + x) % 16, (y * 16 + x) / 16 * 16 + (y * 16 + x) % 16 + 16)
INDICES(turnedTile, (y * 16 + x) % 16 * 16 + (y * 16 + x) / 16, (y * 16 + x) % 16 * 16 + (y * 16 + x) / 16 + 16)
INDICES(turnedTileFar, (y * 16 + x) % 16 * 16 + (y * 16 + x) / 16, (y * 16 + x) % 16 * 16 + (y * 16 + x) / 16 + 4)
INDICES(threeParts, t / 8 * 3 + t / 4 + t, t / 8 * 3 + t / 4 + t + 1)
INDICES(quarterOfColumn, x / 4 + y * 16, x / 4 + y * 16 + 4)
INDICES(unsignedParts, unsigned(t) / 3 * 4 + unsigned(t) % 3, unsigned(t) / 3 * 4 + unsigned(t) % 3 + 3)
INDICES(unsignedPartsFar, unsigned(t) / 3 * 4 + unsigned(t) % 3, unsigned(t) / 3 * 4 + unsigned(t) % 3 + 4)
KERNEL(tileInRounds) {
#pragma unroll 1
  for (int i = 0; i < m.rounds - 1; ++i) {
    const int index = t + i * 16;
    m.data[index % 16 * 16 + index / 16] = t;
    m.out[t] += m.data[index % 8 * 16 + index / 16];
  }
}
HOST(tileInRounds) {
  for (int i = 0; i < 4; ++i) {
    EACH(data[(t + i * 16) % 16 * 16 + (t + i * 16) / 16] = t)
    EACH(out[t] += data[(t + i * 16) % 8 * 16 + (t + i * 16) / 16])
  }
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
