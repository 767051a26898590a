// SPDX-License-Identifier: MIT
// The Mandelbrot set with CUDA's complex numbers, against the same loop on the host.
#include "check.h"
#include <cuComplex.h>

__host__ __device__ inline int iterations(cuFloatComplex c, int limit) {
  cuFloatComplex z = make_cuFloatComplex(0, 0);
  int i = 0;
  while (i < limit && cuCrealf(z) * cuCrealf(z) + cuCimagf(z) * cuCimagf(z) < 4.0f) {
    z = cuCaddf(cuCmulf(z, z), c);
    ++i;
  }
  return i;
}

__global__ void draw(uchar4 *pixels, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  const int i = iterations(make_cuFloatComplex(-2 + 3.0f * x / width, -1.5f + 3.0f * y / height), 60);
  pixels[y * width + x] = make_uchar4(i, 255 - i, i / 2, 255);
}

int main() {
  const int width = 96, height = 64;
  uchar4 *pixels = onDevice(std::vector<uchar4>(width * height));
  draw<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(pixels, width, height);
  const std::vector<uchar4> image = onHost(pixels, width * height);
  int differing = 0, inside = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const int wanted = iterations(make_cuFloatComplex(-2 + 3.0f * x / width, -1.5f + 3.0f * y / height), 60);
      const uchar4 pixel = image[y * width + x];
      EXPECT(pixel.x + pixel.y == 255 && pixel.w == 255);
      differing += pixel.x != wanted;
      inside += pixel.x == 60;
    }
  // Chaos at the border: contraction of a product and a sum may change a pixel there.
  EXPECT(differing <= width * height / 100 && inside > 500);
  const cuDoubleComplex z = cuCdiv(make_cuDoubleComplex(1, 2), make_cuDoubleComplex(3, -4));
  EXPECT(std::fabs(cuCreal(z) + 0.2) < 1e-15 && std::fabs(cuCimag(z) - 0.4) < 1e-15 &&
         cuCabs(make_cuDoubleComplex(3, 4)) == 5);
  // Scaled: the squares would overflow.
  EXPECT(cuCabsf(make_cuFloatComplex(3e30f, 4e30f)) == 5e30f &&
         cuCrealf(cuCdivf(make_cuFloatComplex(1e30f, 1e30f), make_cuFloatComplex(1e30f, 1e30f))) == 1);
}
