// SPDX-License-Identifier: MIT
// Memory that each thread walks by itself, row after row: the largest number of a row, rows of sixteen that are unrolled, and the edges
// of a frontier of a graph.
#include "suite.h"

#include <algorithm>

namespace {
using namespace bench;

constexpr int kRows = 1 << 17, kRowLength = 100, kShortRows = 1 << 20, kShortLength = 16;

__global__ void rowMaxima(const int *in, int *out, int length) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  int most = in[size_t(row) * length];
  for (int k = 1; k < length; ++k)
    most = max(most, in[size_t(row) * length + k]);
  out[row] = most;
}

Case makeMaxima() {
  struct Data {
    HostArray<int> in{size_t(kRows) * kRowLength}, out{kRows};
    DeviceArray<int> dIn{in}, dOut{out};
  };
  auto d = std::make_shared<Data>();
  for (size_t i = 0; i < size_t(kRows) * kRowLength; ++i)
    d->in[i] = int(unsigned(i) * 2654435761u);
  d->dIn.set(d->in);
  Case c;
  c.name = "row maxima";
  c.work = double(d->in.bytes()) / 1e9;
  c.unit = "GB/s";
  c.hip = [=] { rowMaxima<<<kRows / 256, 256>>>(d->dIn.get(), d->dOut.get(), kRowLength); };
  c.native = [=] { nativeRowMaxima(d->in.get(), d->out.get(), kRows, kRowLength); };
  c.check = [=] { return agree(d->dOut.values(), d->out.get(), 0); };
  return c;
}

__global__ void shortRows(const float *in, float *out) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < kShortLength; ++k)
    sum += in[row * kShortLength + k];
  out[row] = sum;
}

Case makeShortRows() {
  struct Data {
    HostArray<float> in{size_t(kShortRows) * kShortLength}, out{kShortRows};
    DeviceArray<float> dIn{in}, dOut{out};
  };
  auto d = std::make_shared<Data>();
  fillRandom(d->in, 51);
  d->dIn.set(d->in);
  Case c;
  c.name = "rows of 16 unrolled";
  c.work = double(d->in.bytes()) / 1e9;
  c.unit = "GB/s";
  c.hip = [=] { shortRows<<<kShortRows / 256, 256>>>(d->dIn.get(), d->dOut.get()); };
  c.native = [=] { nativeRowSums(d->in.get(), d->out.get(), kShortRows, kShortLength); };
  c.check = [=] { return agree(d->dOut.values(), d->out.get(), 1e-5); };
  return c;
}

// A step of a breadth-first search: the vertices of one level mark the neighbours that have none.
constexpr int kVertices = 1 << 19, kLevel = 3;

__global__ void edges(const int *begin, const int *to, const int *level, int *next, int vertices) {
  const int vertex = blockIdx.x * blockDim.x + threadIdx.x;
  if (vertex >= vertices || level[vertex] != kLevel)
    return;
  for (int k = begin[vertex]; k < begin[vertex + 1]; ++k)
    if (level[to[k]] < 0)
      next[to[k]] = kLevel + 1;
}

Case makeEdges() {
  constexpr int kMost = 28;
  struct Data {
    HostArray<int> begin{kVertices + 1}, to{size_t(kVertices) * kMost}, level{kVertices}, next{kVertices};
    DeviceArray<int> dBegin{begin}, dTo{to}, dLevel{level}, dNext{next};
  };
  auto d = std::make_shared<Data>();
  int edgesSoFar = 0, walked = 0;
  for (int vertex = 0; vertex < kVertices; ++vertex) {
    d->begin[vertex] = edgesSoFar;
    d->level[vertex] = (unsigned(vertex) * 2654435761u >> 28) < 4 ? kLevel : -1;
    d->next[vertex] = 0;
    const int many = 4 + (vertex * 7919u) % (kMost - 4);
    for (int k = 0; k < many; ++k)
      d->to[edgesSoFar++] = (vertex + (k * k * 37) % 5000) % kVertices;
    walked += d->level[vertex] == kLevel ? many : 0;
  }
  d->begin[kVertices] = edgesSoFar;
  d->dBegin.set(d->begin);
  d->dTo.set(d->to);
  d->dLevel.set(d->level);
  d->dNext.set(d->next);
  Case c;
  c.name = "edges of a frontier";
  c.work = walked / 1e9;
  c.unit = "Gedges/s";
  c.hip = [=] {
    edges<<<kVertices / 256, 256>>>(d->dBegin.get(), d->dTo.get(), d->dLevel.get(), d->dNext.get(), kVertices);
  };
  c.native = [=] { nativeEdges(d->begin.get(), d->to.get(), d->level.get(), d->next.get(), kVertices, kLevel); };
  c.check = [=] { return agree(d->dNext.values(), d->next.get(), 0); };
  return c;
}

const Cases cases{makeMaxima, makeShortRows, makeEdges};

} // namespace
