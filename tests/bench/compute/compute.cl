// SPDX-License-Identifier: MIT
// The kernels of bench_compute in OpenCL C, statement by statement those of the .hip files.

float3 pull(float3 force, float4 self, float4 other) {
  const float dx = other.x - self.x, dy = other.y - self.y, dz = other.z - self.z;
  const float inverse = rsqrt(dx * dx + dy * dy + dz * dz + 1e-3f);
  const float strength = other.w * inverse * inverse * inverse;
  return (float3)(force.x + dx * strength, force.y + dy * strength, force.z + dz * strength);
}

kernel void nbody(global const float4 *bodies, global float4 *forces, int n) {
  const int i = get_global_id(0);
  if (i >= n)
    return;
  const float4 self = bodies[i];
  float3 force = (float3)(0);
  for (int j = 0; j < n; ++j)
    force = pull(force, self, bodies[j]);
  forces[i] = (float4)(force, 0);
}

kernel void nbodyTiled(global const float4 *bodies, global float4 *forces, int n) {
  local float4 tile[256];
  const int i = get_global_id(0), t = get_local_id(0);
  const float4 self = bodies[i];
  float3 force = (float3)(0);
  for (int first = 0; first < n; first += 256) {
    tile[t] = bodies[first + t];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 256; ++j)
      force = pull(force, self, tile[j]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  forces[i] = (float4)(force, 0);
}

kernel void lennardJones(global const float4 *atoms, global const int *neighbours, global float4 *forces, int n,
                         float cutoff) {
  const int i = get_global_id(0);
  if (i >= n)
    return;
  const float4 self = atoms[i];
  float fx = 0, fy = 0, fz = 0;
  for (int k = 0; k < 64; ++k) {
    const float4 other = atoms[neighbours[k * n + i]];
    const float dx = self.x - other.x, dy = self.y - other.y, dz = self.z - other.z;
    const float r2 = dx * dx + dy * dy + dz * dz;
    if (r2 < cutoff && r2 > 0) {
      const float inverse = 1 / r2, r6 = inverse * inverse * inverse;
      const float force = inverse * r6 * (1.5f * r6 - 2.0f);
      fx += dx * force;
      fy += dy * force;
      fz += dz * force;
    }
  }
  forces[i] = (float4)(fx, fy, fz, 0);
}

kernel void product(global const float *a, global const float *b, global float *c, int n) {
  const int row = get_global_id(1), column = get_global_id(0);
  if (row >= n || column >= n)
    return;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

kernel void productTiled(global const float *a, global const float *b, global float *c, int n) {
  local float tileA[16][16], tileB[16][16];
  const int x = get_local_id(0), y = get_local_id(1), row = get_global_id(1), column = get_global_id(0);
  float sum = 0;
  for (int first = 0; first < n; first += 16) {
    tileA[y][x] = a[row * n + first + x];
    tileB[y][x] = b[(first + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; ++k)
      sum += tileA[y][k] * tileB[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}

kernel void productRegisters(global const float *a, global const float *b, global float *c, int n) {
  local float tileA[16][64], tileB[16][64];
  const int x = get_local_id(0), y = get_local_id(1), linear = y * 16 + x;
  const int firstRow = get_group_id(1) * 64, firstColumn = get_group_id(0) * 64;
  float sums[4][4] = {{0}};
  for (int first = 0; first < n; first += 16) {
    for (int i = 0; i < 4; ++i) {
      const int index = linear + i * 256;
      tileA[index % 16][index / 16] = a[(firstRow + index / 16) * n + first + index % 16];
      tileB[index / 64][index % 64] = b[(first + index / 64) * n + firstColumn + index % 64];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; ++k) {
      float left[4], right[4];
      for (int i = 0; i < 4; ++i) {
        left[i] = tileA[k][y + i * 16];
        right[i] = tileB[k][x + i * 16];
      }
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          sums[i][j] += left[i] * right[j];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      c[(firstRow + y + i * 16) * n + firstColumn + x + j * 16] = sums[i][j];
}

kernel void transpose(global const float *in, global float *out, int n) {
  local float tile[32][33];
  const int tx = get_local_id(0), ty = get_local_id(1);
  int x = get_group_id(0) * 32 + tx, y = get_group_id(1) * 32 + ty;
  for (int i = 0; i < 32; i += 8)
    tile[ty + i][tx] = in[(y + i) * n + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  x = get_group_id(1) * 32 + tx;
  y = get_group_id(0) * 32 + ty;
  for (int i = 0; i < 32; i += 8)
    out[(y + i) * n + x] = tile[tx][ty + i];
}

kernel void stencil2d(global const float *in, global float *out, int n) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x > 0 && y > 0 && x < n - 1 && y < n - 1) {
    const int i = y * n + x;
    out[i] = 0.5f * in[i] + 0.125f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n]);
  }
}

kernel void stencil2dShared(global const float *in, global float *out, int n) {
  local float tile[10][34];
  const int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1), i = y * n + x;
  const int tx = lx + 1, ty = ly + 1;
  tile[ty][tx] = in[i];
  if (lx == 0 && x > 0)
    tile[ty][0] = in[i - 1];
  if (lx == 31 && x < n - 1)
    tile[ty][33] = in[i + 1];
  if (ly == 0 && y > 0)
    tile[0][tx] = in[i - n];
  if (ly == 7 && y < n - 1)
    tile[9][tx] = in[i + n];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x > 0 && y > 0 && x < n - 1 && y < n - 1)
    out[i] = 0.5f * tile[ty][tx] + 0.125f * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx]);
}

kernel void stencil3d(global const float *in, global float *out, int n) {
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  if (x < 1 || y < 1 || z < 1 || x >= n - 1 || y >= n - 1 || z >= n - 1)
    return;
  const int i = (z * n + y) * n + x;
  out[i] = 0.4f * in[i] + 0.1f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - n * n] + in[i + n * n]);
}

void treeOfBlock(local float *part, float value, global float *sums) {
  const int t = get_local_id(0);
  part[t] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int width = 128; width > 0; width /= 2) {
    if (t < width)
      part[t] += part[t + width];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0)
    sums[get_group_id(0)] = part[0];
}

kernel void sumTree(global const float *in, global float *sums, int n) {
  local float part[256];
  float sum = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    sum += in[i];
  treeOfBlock(part, sum, sums);
}

kernel void sumEach(global const float *in, global float *sums, int n) {
  local float part[256];
  const int i = get_global_id(0);
  treeOfBlock(part, i < n ? in[i] : 0.0f, sums);
}

kernel void scanBlocks(global const float *in, global float *out, global float *sums) {
  local float part[2][256];
  const int i = get_global_id(0), t = get_local_id(0);
  int from = 0;
  part[0][t] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int offset = 1; offset < 256; offset *= 2) {
    float value = part[from][t];
    if (t >= offset)
      value += part[from][t - offset];
    part[1 - from][t] = value;
    from = 1 - from;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[i] = part[from][t];
  if (t == 255)
    sums[get_group_id(0)] = part[from][t];
}

kernel void scanSums(global float *sums, int n) {
  local float part[256];
  const int t = get_local_id(0), each = (n + 255) / 256, first = t * each;
  float sum = 0;
  for (int i = first; i < first + each && i < n; ++i)
    sum += sums[i];
  part[t] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  float before = 0;
  for (int i = 0; i < t; ++i)
    before += part[i];
  for (int i = first; i < first + each && i < n; ++i) {
    const float value = sums[i];
    sums[i] = before;
    before += value;
  }
}

kernel void addSums(global float *out, global const float *sums) { out[get_global_id(0)] += sums[get_group_id(0)]; }

float normal(float x) {
  const float k = 1 / (1 + 0.2316419f * fabs(x));
  const float tail =
      0.39894228040143267794f * exp(-0.5f * x * x) *
      (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return x > 0 ? 1 - tail : tail;
}

kernel void blackScholes(global const float *price, global const float *strike, global const float *years,
                         global float *call, global float *put, float rate, float volatility, int n) {
  const int i = get_global_id(0);
  if (i >= n)
    return;
  const float root = sqrt(years[i]);
  const float d1 =
      (log(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / (volatility * root);
  const float d2 = d1 - volatility * root;
  const float n1 = normal(d1), n2 = normal(d2), discount = strike[i] * exp(-rate * years[i]);
  call[i] = price[i] * n1 - discount * n2;
  put[i] = discount * (1 - n2) - price[i] * (1 - n1);
}

kernel void mandelbrot(global int *counts, int side, int rounds) {
  const int px = get_global_id(0), py = get_global_id(1);
  const float cx = -2.0f + 3.0f * px / side, cy = -1.5f + 3.0f * py / side;
  float x = 0, y = 0;
  int n = 0;
  while (n < rounds && x * x + y * y < 4) {
    const float next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
    ++n;
  }
  counts[py * side + px] = n;
}

kernel void monteCarlo(global uint *hits, int draws) {
  const uint i = get_global_id(0);
  uint state = i * 2654435761u + 12345u, inside = 0;
  for (int k = 0; k < draws; ++k) {
    state ^= state << 13, state ^= state >> 17, state ^= state << 5;
    const float x = (state >> 8) * (1.0f / (1 << 24));
    state ^= state << 13, state ^= state >> 17, state ^= state << 5;
    const float y = (state >> 8) * (1.0f / (1 << 24));
    if (x * x + y * y < 1)
      ++inside;
  }
  hits[i] = inside;
}

#define CHAINS(name, T)                                                                                                \
  kernel void name(global T *out, T factor, T addend, int steps) {                                                     \
    const int i = get_global_id(0);                                                                                    \
    T value[8];                                                                                                        \
    for (int k = 0; k < 8; ++k)                                                                                        \
      value[k] = (T)(i + k);                                                                                           \
    for (int step = 0; step < steps; ++step)                                                                           \
      for (int k = 0; k < 8; ++k)                                                                                      \
        value[k] = value[k] * factor + addend;                                                                         \
    T sum = 0;                                                                                                         \
    for (int k = 0; k < 8; ++k)                                                                                        \
      sum += value[k];                                                                                                 \
    out[i] = sum;                                                                                                      \
  }
CHAINS(chainsFloat, float)
CHAINS(chainsDouble, double)

kernel void clearBins(global uint *bins) { bins[get_local_id(0)] = 0; }

kernel void histogram(global const uchar *in, global uint *bins, int n) {
  local uint part[256];
  const int t = get_local_id(0);
  part[t] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    atomic_add(&part[in[i]], 1u);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&bins[t], part[t]);
}

kernel void sparse(global const int *begin, global const int *column, global const float *value, global const float *x,
                   global float *y, int rows) {
  const int row = get_global_id(0);
  if (row >= rows)
    return;
  float sum = 0;
  for (int k = begin[row]; k < begin[row + 1]; ++k)
    sum += value[k] * x[column[k]];
  y[row] = sum;
}

kernel void gather(global const float *in, global const int *index, global float *out, int n) {
  const int i = get_global_id(0);
  if (i < n)
    out[i] = in[index[i]];
}

kernel void bitonicStep(global uint *keys, int distance, int size) {
  const int i = get_global_id(0), other = i ^ distance;
  if (other <= i)
    return;
  const uint a = keys[i], b = keys[other];
  if ((a > b) == ((i & size) == 0)) {
    keys[i] = b;
    keys[other] = a;
  }
}

kernel void fft(global const float2 *in, global float2 *out) {
  local float2 part[2][1024];
  const int t = get_local_id(0);
  const size_t base = get_group_id(0) * (size_t)1024;
  for (int i = t; i < 1024; i += 256)
    part[0][i] = in[base + i];
  barrier(CLK_LOCAL_MEM_FENCE);
  int from = 0;
  for (int half_ = 1; half_ < 1024; half_ *= 2) {
    for (int i = t; i < 512; i += 256) {
      const int k = i & (half_ - 1);
      const float angle = -3.14159265358979f * k / half_;
      const float c = native_cos(angle), s = native_sin(angle);
      const float2 a = part[from][i], b = part[from][i + 512];
      const float2 u = (float2)(b.x * c - b.y * s, b.x * s + b.y * c);
      const int to = (i - k) * 2 + k;
      part[1 - from][to] = a + u;
      part[1 - from][to + half_] = a - u;
    }
    from = 1 - from;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int i = t; i < 1024; i += 256)
    out[base + i] = part[from][i];
}
