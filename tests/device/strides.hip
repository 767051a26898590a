// SPDX-License-Identifier: MIT
// Elements a few places apart: what threads read and write is right, what lies between stays as it was, and nothing is touched
// beyond the last thread's element or where no thread is. The arrays end where the mapped memory ends.
#include "tests/device/check.h"

#include <sys/mman.h>
#include <unistd.h>

// The end of a range of pages behind which nothing may be touched, nor in front of it.
class Fenced {
public:
  Fenced() : page_(size_t(sysconf(_SC_PAGESIZE))) {
    begin_ = static_cast<char *>(mmap(nullptr, (kPages + 2) * page_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(begin_ + page_, kPages * page_, PROT_READ | PROT_WRITE);
    HIP_CHECK(hipHostRegister(begin_ + page_, kPages * page_, hipHostRegisterMapped));
    void *mapped = nullptr;
    HIP_CHECK(hipHostGetDevicePointer(&mapped, begin_ + page_, 0));
    device_ = static_cast<char *>(mapped);
  }
  ~Fenced() {
    HIP_CHECK(hipHostUnregister(begin_ + page_));
    munmap(begin_, (kPages + 2) * page_);
  }
  template <class T> T *host(size_t count) { return reinterpret_cast<T *>(begin_ + (kPages + 1) * page_) - count; }
  template <class T> T *device(size_t count) { return reinterpret_cast<T *>(device_ + kPages * page_) - count; }

private:
  static constexpr size_t kPages = 8;
  size_t page_;
  char *begin_, *device_;
};

// Threads below `limit` and not `hole` copy one element; the last one of both arrays is the last of its memory.
template <class T, int kStride> __global__ void copy(const T *from, T *to, int limit, int hole) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < limit && i != hole)
    to[i * kStride] = T(from[i * kStride] + T(1));
}

// All threads of whole blocks.
template <class T, int kStride> __global__ void copyAll(const T *from, T *to) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i * kStride] = T(from[i * kStride] + T(1));
}

template <class T, int kStride> void check(Fenced &source, Fenced &target, int threads, int limit, int hole, bool all) {
  const size_t count = size_t(limit - 1) * kStride + 1;
  T *from = source.host<T>(count), *to = target.host<T>(count);
  for (size_t i = 0; i < count; ++i)
    from[i] = T(i * 7), to[i] = T(i * 3);
  if (all)
    copyAll<T, kStride><<<limit / threads, threads>>>(source.device<T>(count), target.device<T>(count));
  else
    copy<T, kStride>
        <<<(limit + threads - 1) / threads, threads>>>(source.device<T>(count), target.device<T>(count), limit, hole);
  HIP_CHECK(hipDeviceSynchronize());
  for (size_t i = 0; i < count; ++i) {
    const bool copied = i % kStride == 0 && (all || int(i) / kStride != hole);
    CHECK_EQ(to[i], copied ? T(T(i * 7) + T(1)) : T(i * 3));
  }
}

template <class T, int kStride> void checkShapes(Fenced &source, Fenced &target) {
  for (int threads : {32, 64, 100}) {
    check<T, kStride>(source, target, threads, 2 * threads, -1, true);
    for (int limit : {1, 15, 64, 77, 128})
      check<T, kStride>(source, target, threads, limit, limit / 2 + 1, false);
  }
}

template <class T> void checkType(Fenced &source, Fenced &target) {
  checkShapes<T, 2>(source, target);
  checkShapes<T, 3>(source, target);
  checkShapes<T, 4>(source, target);
  checkShapes<T, 5>(source, target);
}

int main() {
  Fenced source, target;
  checkType<float>(source, target);
  checkType<double>(source, target);
  checkType<short>(source, target);
  checkType<unsigned char>(source, target);
  return testResult();
}
