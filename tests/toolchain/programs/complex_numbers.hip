// SPDX-License-Identifier: MIT
// std::complex in device code, with <complex> before HIP's header.
#include <complex>

#include <hip/hip_runtime.h>

template <class T> __host__ __device__ std::complex<T> formula(std::complex<T> a, std::complex<T> b) {
  std::complex<T> c = a * b + a / b - T(2) * a;
  c += b;
  c *= a;
  c /= T(3);
  c -= std::conj(b);
  c.real(c.real() + 1);
  return -c + std::exp(a) + std::sqrt(b) + std::polar(T(1), std::arg(a)) + std::pow(a, 2) + std::abs(b) + std::norm(a) +
         std::sin(a) + std::log(b) + std::tanh(a) + (a == b ? T(1) : T(0));
}
template <class T> __global__ void compute(std::complex<T> *p) { p[2] = formula(p[0], p[1]); }

template <class T> bool agrees(T tolerance) {
  std::complex<T> values[3] = {{1, 2}, {3, T(-0.5)}, {}}, *p;
  if (hipMalloc(&p, sizeof values) != hipSuccess ||
      hipMemcpy(p, values, sizeof values, hipMemcpyHostToDevice) != hipSuccess)
    return false;
  compute<<<1, 1>>>(p);
  if (hipMemcpy(values, p, sizeof values, hipMemcpyDeviceToHost) != hipSuccess)
    return false;
  return std::abs(values[2] - formula(values[0], values[1])) < tolerance;
}

int main() { return agrees<float>(1e-4f) && agrees<double>(1e-12) ? 0 : 1; }
