// SPDX-License-Identifier: MIT
// The OpenMP side of rows.hip; see native.h.
#include "native.h"

#include <algorithm>

void nativeRowMaxima(const int *in, int *out, int rows, int length) {
#pragma omp parallel for
  for (int row = 0; row < rows; ++row) {
    int most = in[size_t(row) * length];
    for (int k = 1; k < length; ++k)
      most = std::max(most, in[size_t(row) * length + k]);
    out[row] = most;
  }
}

void nativeRowSums(const float *in, float *out, int rows, int length) {
#pragma omp parallel for
  for (int row = 0; row < rows; ++row) {
    float sum = 0;
    for (int k = 0; k < length; ++k)
      sum += in[size_t(row) * length + k];
    out[row] = sum;
  }
}

void nativeEdges(const int *begin, const int *to, const int *level, int *next, int vertices, int from) {
#pragma omp parallel for
  for (int vertex = 0; vertex < vertices; ++vertex) {
    if (level[vertex] != from)
      continue;
    for (int k = begin[vertex]; k < begin[vertex + 1]; ++k)
      if (level[to[k]] < 0)
        next[to[k]] = from + 1;
  }
}
