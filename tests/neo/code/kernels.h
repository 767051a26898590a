// SPDX-License-Identifier: MIT
// Kernels in the language that HIP and OpenCL C have in common, so that tests/neo/compare_code.py can compare what Intel's
// compiler makes of both. A file that includes it says how each language spells what they have not.

KERNEL(saxpy)(GLOBAL const float *RESTRICT x, GLOBAL float *RESTRICT y, float a, int n) {
  int i = GLOBAL_X;
  if (i < n)
    y[i] = a * x[i] + y[i];
}

KERNEL(triad)(GLOBAL const float *RESTRICT a, GLOBAL const float *RESTRICT b, GLOBAL float *RESTRICT c) {
  int i = GLOBAL_X;
  c[i] = a[i] + 0.4f * b[i];
}

KERNEL(grid_stride)(GLOBAL const float *RESTRICT x, GLOBAL float *RESTRICT y, int n) {
  for (int i = GLOBAL_X; i < n; i += GLOBAL_SIZE_X)
    y[i] = x[i] * x[i];
}

KERNEL(dot)(GLOBAL const float *RESTRICT x, GLOBAL const float *RESTRICT y, GLOBAL float *RESTRICT sums, int n) {
  SHARED float part[256];
  int t = LOCAL_X;
  float sum = 0;
  for (int i = GLOBAL_X; i < n; i += GLOBAL_SIZE_X)
    sum += x[i] * y[i];
  part[t] = sum;
  BARRIER;
  for (int step = 128; step > 0; step /= 2) {
    if (t < step)
      part[t] += part[t + step];
    BARRIER;
  }
  if (t == 0)
    sums[GROUP_X] = part[0];
}

KERNEL(scan)(GLOBAL const int *RESTRICT in, GLOBAL int *RESTRICT out) {
  SHARED int part[256];
  int t = LOCAL_X;
  part[t] = in[GLOBAL_X];
  BARRIER;
  for (int distance = 1; distance < 256; distance *= 2) {
    int other = t >= distance ? part[t - distance] : 0;
    BARRIER;
    part[t] += other;
    BARRIER;
  }
  out[GLOBAL_X] = part[t];
}

KERNEL(histogram)(GLOBAL const unsigned *RESTRICT in, GLOBAL unsigned *counts, int n) {
  SHARED unsigned part[256];
  part[LOCAL_X] = 0;
  BARRIER;
  for (int i = GLOBAL_X; i < n; i += GLOBAL_SIZE_X)
    ADD_SHARED(&part[in[i] & 255], 1u);
  BARRIER;
  ADD_GLOBAL(&counts[LOCAL_X], part[LOCAL_X]);
}

KERNEL(matmul_naive)(GLOBAL const float *RESTRICT a, GLOBAL const float *RESTRICT b, GLOBAL float *RESTRICT c, int n) {
  int i = GLOBAL_Y, j = GLOBAL_X;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[i * n + k] * b[k * n + j];
  c[i * n + j] = sum;
}

KERNEL(matmul_tiled)(GLOBAL const float *RESTRICT a, GLOBAL const float *RESTRICT b, GLOBAL float *RESTRICT c, int n) {
  SHARED float tileA[16][16], tileB[16][16];
  int x = LOCAL_X, y = LOCAL_Y, i = GROUP_Y * 16 + y, j = GROUP_X * 16 + x;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    tileA[y][x] = a[i * n + k + x];
    tileB[y][x] = b[(k + y) * n + j];
    BARRIER;
    UNROLL
    for (int l = 0; l < 16; ++l)
      sum += tileA[y][l] * tileB[l][x];
    BARRIER;
  }
  c[i * n + j] = sum;
}

KERNEL(matmul_registers)
(GLOBAL const float *RESTRICT a, GLOBAL const float *RESTRICT b, GLOBAL float *RESTRICT c, int n) {
  SHARED float tileA[64][16], tileB[16][64];
  int x = LOCAL_X, y = LOCAL_Y;
  float sum[4][4] = {{0}};
  for (int k = 0; k < n; k += 16) {
    UNROLL
    for (int q = 0; q < 4; ++q) {
      tileA[y * 4 + q][x] = a[(GROUP_Y * 64 + y * 4 + q) * n + k + x];
      tileB[y][x * 4 + q] = b[(k + y) * n + GROUP_X * 64 + x * 4 + q];
    }
    BARRIER;
    UNROLL
    for (int l = 0; l < 16; ++l)
      UNROLL
    for (int u = 0; u < 4; ++u)
      UNROLL
    for (int v = 0; v < 4; ++v)
      sum[u][v] += tileA[y * 4 + u][l] * tileB[l][x * 4 + v];
    BARRIER;
  }
  UNROLL
  for (int u = 0; u < 4; ++u)
    UNROLL
  for (int v = 0; v < 4; ++v)
    c[(GROUP_Y * 64 + y * 4 + u) * n + GROUP_X * 64 + x * 4 + v] = sum[u][v];
}

KERNEL(transpose)(GLOBAL const float *RESTRICT in, GLOBAL float *RESTRICT out, int n) {
  SHARED float tile[16][17];
  int x = LOCAL_X, y = LOCAL_Y;
  tile[y][x] = in[(GROUP_Y * 16 + y) * n + GROUP_X * 16 + x];
  BARRIER;
  out[(GROUP_X * 16 + y) * n + GROUP_Y * 16 + x] = tile[x][y];
}

KERNEL(stencil_2d)(GLOBAL const float *RESTRICT in, GLOBAL float *RESTRICT out, int n) {
  int x = GLOBAL_X + 1, y = GLOBAL_Y + 1;
  out[y * n + x] =
      0.2f * (in[y * n + x] + in[y * n + x - 1] + in[y * n + x + 1] + in[(y - 1) * n + x] + in[(y + 1) * n + x]);
}

KERNEL(stencil_3d)(GLOBAL const float *RESTRICT in, GLOBAL float *RESTRICT out, int nx, int ny, int nz) {
  int x = GLOBAL_X + 1, y = GLOBAL_Y + 1;
  float below = in[y * nx + x], here = in[(ny + y) * nx + x];
  for (int z = 1; z < nz - 1; ++z) {
    int at = (z * ny + y) * nx + x;
    float above = in[at + ny * nx];
    out[at] = here + 0.1f * (below + above + in[at - 1] + in[at + 1] + in[at - nx] + in[at + nx] - 6 * here);
    below = here;
    here = above;
  }
}

KERNEL(convolution)(GLOBAL const float *RESTRICT in, GLOBAL float *RESTRICT out, GLOBAL const float *RESTRICT weights) {
  SHARED float line[256 + 8];
  int t = LOCAL_X, i = GLOBAL_X;
  line[t] = in[i];
  if (t < 8)
    line[256 + t] = in[i + 256];
  BARRIER;
  float sum = 0;
  UNROLL
  for (int k = 0; k < 9; ++k)
    sum += weights[k] * line[t + k];
  out[i] = sum;
}

KERNEL(nbody)(GLOBAL const VECTOR4 *RESTRICT bodies, GLOBAL VECTOR4 *RESTRICT forces, int n) {
  SHARED VECTOR4 tile[256];
  VECTOR4 me = bodies[GLOBAL_X];
  float x = 0, y = 0, z = 0;
  for (int i = 0; i < n; i += 256) {
    tile[LOCAL_X] = bodies[i + LOCAL_X];
    BARRIER;
    for (int k = 0; k < 256; ++k) {
      VECTOR4 other = tile[k];
      float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
      float inverse = RSQRT(dx * dx + dy * dy + dz * dz + 1e-6f);
      float s = other.w * inverse * inverse * inverse;
      x += dx * s;
      y += dy * s;
      z += dz * s;
    }
    BARRIER;
  }
  VECTOR4 sum = me;
  sum.x = x;
  sum.y = y;
  sum.z = z;
  forces[GLOBAL_X] = sum;
}

KERNEL(lennard_jones)
(GLOBAL const VECTOR4 *RESTRICT at, GLOBAL const int *RESTRICT neighbours, GLOBAL float *RESTRICT energy, int count) {
  VECTOR4 me = at[GLOBAL_X];
  float sum = 0;
  for (int k = 0; k < count; ++k) {
    VECTOR4 other = at[neighbours[GLOBAL_X * count + k]];
    float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
    float r2 = dx * dx + dy * dy + dz * dz;
    if (r2 < 6.25f) {
      float r6 = 1.0f / (r2 * r2 * r2);
      sum += r6 * (r6 - 1.0f);
    }
  }
  energy[GLOBAL_X] = sum;
}

KERNEL(black_scholes)
(GLOBAL const float *RESTRICT price, GLOBAL const float *RESTRICT strike, GLOBAL const float *RESTRICT years,
 GLOBAL float *RESTRICT call) {
  int i = GLOBAL_X;
  float root = SQRT(years[i]);
  float d1 = (LOG(price[i] / strike[i]) + 0.065f * years[i]) / (0.3f * root), d2 = d1 - 0.3f * root;
  float n1 = 0.5f * ERFC(-0.70710678f * d1), n2 = 0.5f * ERFC(-0.70710678f * d2);
  call[i] = price[i] * n1 - strike[i] * EXP(-0.02f * years[i]) * n2;
}

KERNEL(mandelbrot)(GLOBAL int *RESTRICT out, float scale, int n, int limit) {
  float cx = GLOBAL_X * scale - 2.0f, cy = GLOBAL_Y * scale - 1.5f, x = 0, y = 0;
  int i = 0;
  for (; i < limit && x * x + y * y < 4.0f; ++i) {
    float next = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = next;
  }
  out[GLOBAL_Y * n + GLOBAL_X] = i;
}

KERNEL(monte_carlo)(GLOBAL unsigned *RESTRICT hits, unsigned seed, int rounds) {
  unsigned state = seed + GLOBAL_X * 747796405u, inside = 0;
  for (int i = 0; i < rounds; ++i) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    float x = (state >> 8) * 5.9604645e-8f;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    float y = (state >> 8) * 5.9604645e-8f;
    inside += x * x + y * y < 1.0f;
  }
  hits[GLOBAL_X] = inside;
}

KERNEL(spmv)
(GLOBAL const int *RESTRICT rows, GLOBAL const int *RESTRICT columns, GLOBAL const float *RESTRICT values,
 GLOBAL const float *RESTRICT x, GLOBAL float *RESTRICT y) {
  int row = GLOBAL_X;
  float sum = 0;
  for (int i = rows[row]; i < rows[row + 1]; ++i)
    sum += values[i] * x[columns[i]];
  y[row] = sum;
}

KERNEL(gather)(GLOBAL const int *RESTRICT index, GLOBAL const float *RESTRICT in, GLOBAL float *RESTRICT out) {
  out[GLOBAL_X] = in[index[GLOBAL_X]];
}

KERNEL(bitonic)(GLOBAL unsigned *data, int distance, int size) {
  int i = GLOBAL_X, other = i ^ distance;
  if (other > i) {
    unsigned mine = data[i], theirs = data[other];
    if ((mine > theirs) == ((i & size) == 0)) {
      data[i] = theirs;
      data[other] = mine;
    }
  }
}

KERNEL(polynomial)(GLOBAL const float *RESTRICT in, GLOBAL float *RESTRICT out) {
  float x = in[GLOBAL_X], y = 1.0f;
  UNROLL
  for (int i = 0; i < 64; ++i)
    y = FMA(y, x, 0.5f);
  out[GLOBAL_X] = y;
}

KERNEL(waves)(GLOBAL float *RESTRICT out, float t) {
  float x = GLOBAL_X * 0.01f;
  out[GLOBAL_X] = SIN(x + t) * COS(2.0f * x - t) + POW(x, 1.5f);
}

KERNEL(softmax)(GLOBAL const float *RESTRICT in, GLOBAL float *RESTRICT out, int n) {
  GLOBAL const float *row = in + GLOBAL_X * n;
  float largest = row[0], sum = 0;
  for (int i = 1; i < n; ++i)
    largest = row[i] > largest ? row[i] : largest;
  for (int i = 0; i < n; ++i)
    sum += EXP(row[i] - largest);
  for (int i = 0; i < n; ++i)
    out[GLOBAL_X * n + i] = EXP(row[i] - largest) / sum;
}

KERNEL(normalize)(GLOBAL VECTOR4 *vectors) {
  VECTOR4 v = vectors[GLOBAL_X];
  float length = SQRT(v.x * v.x + v.y * v.y + v.z * v.z);
  v.x /= length;
  v.y /= length;
  v.z /= length;
  vectors[GLOBAL_X] = v;
}

KERNEL(bytes)(GLOBAL const unsigned char *RESTRICT in, GLOBAL unsigned char *RESTRICT out, int factor) {
  int value = in[GLOBAL_X] * factor >> 8;
  out[GLOBAL_X] = value > 255 ? 255 : value;
}

KERNEL(hash)(GLOBAL const unsigned *RESTRICT in, GLOBAL unsigned *RESTRICT out) {
  unsigned h = in[GLOBAL_X];
  h ^= h >> 16;
  h *= 0x85ebca6bu;
  h ^= h >> 13;
  h *= 0xc2b2ae35u;
  out[GLOBAL_X] = (h ^ h >> 16) % 1009u;
}

KERNEL(wide_integers)(GLOBAL const WIDE *RESTRICT in, GLOBAL WIDE *RESTRICT out) {
  WIDE x = in[GLOBAL_X];
  out[GLOBAL_X] = x * x + (x >> 3);
}

// One work-item reads and writes four neighbours.
KERNEL(quads)(GLOBAL const float *RESTRICT in, GLOBAL float *RESTRICT out) {
  int i = GLOBAL_X * 4;
  float sum = in[i] + in[i + 1] + in[i + 2] + in[i + 3];
  out[i] = sum;
  out[i + 1] = sum - in[i];
  out[i + 2] = sum * sum;
  out[i + 3] = 1.0f;
}

// Addresses that are the same for all work-items.
KERNEL(uniform_loads)
(GLOBAL const float *RESTRICT in, GLOBAL const float *RESTRICT factors, GLOBAL float *RESTRICT out, int n) {
  float x = in[GLOBAL_X], y = 0;
  for (int i = 0; i < n; ++i)
    y = y * x + factors[i] + factors[GROUP_X];
  out[GLOBAL_X] = y;
}

KERNEL(barriers)(GLOBAL const float *RESTRICT in, GLOBAL float *RESTRICT out) {
  SHARED float part[256];
  part[LOCAL_X] = in[GLOBAL_X];
  BARRIER;
  float x = part[LOCAL_X ^ 1];
  BARRIER;
  part[LOCAL_X] = x * x;
  BARRIER;
  out[GLOBAL_X] = part[LOCAL_X ^ 2];
}

// The two pointers may be the same.
KERNEL(aliased)(GLOBAL const float *x, GLOBAL float *y, int n) {
  int i = GLOBAL_X;
  y[i] = x[i] + x[i + n];
  y[i + n] = x[i] * x[i + n];
}

KERNEL(rolled)(GLOBAL const float *RESTRICT in, GLOBAL float *RESTRICT out) {
  float x = in[GLOBAL_X], y = 0;
  _Pragma("unroll 1") for (int i = 0; i < 64; ++i) y = y * x + x;
  out[GLOBAL_X] = y;
}

KERNEL(unrolled)(GLOBAL const float *RESTRICT in, GLOBAL float *RESTRICT out, int n) {
  float x = in[GLOBAL_X], y = 0;
  _Pragma("unroll 4") for (int i = 0; i < n; ++i) y = y * x + in[i];
  out[GLOBAL_X] = y;
}

KERNEL(rotations)(GLOBAL const unsigned *RESTRICT in, GLOBAL unsigned *RESTRICT out, unsigned n) {
  unsigned x = in[GLOBAL_X];
  for (unsigned i = 0; i < n; ++i)
    x = (x << 13 | x >> 19) * 5u + (x >> (i & 31u) | x << (-i & 31u));
  out[GLOBAL_X] = x;
}

typedef struct {
  float value;
  int index;
} Best;

KERNEL(argmax)(GLOBAL const float *RESTRICT in, GLOBAL Best *RESTRICT out, int n) {
  Best best = {in[GLOBAL_X], 0};
  for (int i = 1; i < n; ++i) {
    Best other = {in[i * 256 + GLOBAL_X], i};
    best = other.value > best.value ? other : best;
  }
  out[GLOBAL_X] = best;
}
