// SPDX-License-Identifier: MIT
// Elements a few places apart: what threads read and write is right, what lies between stays as it was, and nothing is touched
// beyond the last thread's element or where no thread is. The arrays end where the mapped memory ends. And neighbours whose index
// wraps between two lanes or is clamped, pairs and quads of bytes at any place, one number for each row of a block, and indices that an
// "or" puts together, with and without bits in common. And lists side by side, which threads walk down in any order.
#include "tests/device/check.h"

#include <climits>
#include <cstdint>
#include <sys/mman.h>
#include <type_traits>
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

// The elements that indices of 32 bits can reach; the first and the last ones can be touched.
template <class T> class WholeRange {
public:
  WholeRange() : page_(size_t(sysconf(_SC_PAGESIZE))) {
    begin_ = static_cast<char *>(mmap(nullptr, kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    for (char *page : {begin_, begin_ + kBytes - page_}) {
      mprotect(page, page_, PROT_READ | PROT_WRITE);
      HIP_CHECK(hipHostRegister(page, page_, hipHostRegisterMapped));
    }
  }
  ~WholeRange() {
    for (char *page : {begin_, begin_ + kBytes - page_})
      HIP_CHECK(hipHostUnregister(page));
    munmap(begin_, kBytes);
  }
  T *begin() { return reinterpret_cast<T *>(begin_); }
  T *device() {
    void *mapped = nullptr;
    HIP_CHECK(hipHostGetDevicePointer(&mapped, begin_, 0));
    return static_cast<T *>(mapped);
  }

  static constexpr size_t kCount = size_t(1) << 32;

private:
  static constexpr size_t kBytes = kCount * sizeof(T);
  size_t page_;
  char *begin_;
};

template <class T, class Index> __global__ void increase(T *data, unsigned start, unsigned limit) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < limit) {
    const auto at = Index(start + i);
    data[at] = T(data[at] + T(1));
  }
}

// Indices from 20 before the largest one on: the first lanes are at the end of the memory, the others at its beginning.
template <class T, class Index> void checkWrapping(unsigned largest) {
  constexpr unsigned kBefore = 20, kLimit = 90;
  WholeRange<T> range;
  T *begin = range.begin(), *end = begin + WholeRange<T>::kCount;
  auto place = [&](unsigned i) { return i < kBefore ? end - kBefore + i : begin + (i - kBefore); };
  for (unsigned i = 0; i < 2 * kLimit; ++i)
    *place(i) = T(i);
  T *zero = std::is_signed_v<Index> ? range.device() + WholeRange<T>::kCount / 2 : range.device();
  increase<T, Index><<<4, 32>>>(zero, largest - kBefore + 1, kLimit);
  HIP_CHECK(hipDeviceSynchronize());
  for (unsigned i = 0; i < 2 * kLimit; ++i)
    CHECK_EQ(*place(i), T(i + (i < kLimit)));
}

// Both words of pairs at any place; the last pair is the last of its memory.
template <class T> struct Pair {
  T first, second;
};
template <class T> __global__ void exchange(const Pair<T> *from, Pair<T> *to, const int *places, int limit, int hole) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < limit && i != hole) {
    const Pair<T> &pair = from[places[i]];
    const T sum = pair.first + pair.second, difference = pair.second - pair.first;
    to[places[limit - 1 - i]].second = sum;
    to[places[limit - 1 - i]].first = difference;
  }
}

// The same with the threads' pairs side by side.
template <class T> __global__ void exchangeOwn(const Pair<T> *from, Pair<T> *to, int limit, int hole) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < limit && i != hole) {
    const Pair<T> &pair = from[i];
    const T sum = pair.first + pair.second, difference = pair.second - pair.first;
    to[i].second = sum;
    to[i].first = difference;
  }
}

template <class T> void checkPairs(Fenced &source, Fenced &target, int limit, int hole, bool areOwn) {
  Pair<T> *from = source.host<Pair<T>>(limit), *to = target.host<Pair<T>>(limit);
  std::vector<int> places;
  for (int i = 0; i < limit; ++i) {
    places.push_back(areOwn ? i : i * 37 % limit);
    from[i] = {T(i), T(3 * i)};
    to[i] = {T(-1), T(-2)};
  }
  DeviceArray<int> devicePlaces(places);
  Pair<T> *deviceFrom = source.device<Pair<T>>(limit), *deviceTo = target.device<Pair<T>>(limit);
  if (areOwn)
    exchangeOwn<T><<<(limit + 63) / 64, 64>>>(deviceFrom, deviceTo, limit, hole);
  else
    exchange<T><<<(limit + 63) / 64, 64>>>(deviceFrom, deviceTo, devicePlaces, limit, hole);
  HIP_CHECK(hipDeviceSynchronize());
  for (int i = 0; i < limit; ++i) {
    const Pair<T> found = to[places[areOwn ? i : limit - 1 - i]];
    CHECK_EQ(found.first, i == hole ? T(-1) : T(2 * places[i]));
    CHECK_EQ(found.second, i == hole ? T(-2) : T(4 * places[i]));
  }
}

template <class T> void checkPairs(Fenced &source, Fenced &target) {
  for (int limit : {15, 64, 100})
    for (int hole : {-1, 11})
      for (bool areOwn : {false, true})
        checkPairs<T>(source, target, limit, hole, areOwn);
}

// The bytes of quads, in any order, with and without a quad for each thread.
struct alignas(4) Quad {
  signed char bytes[4];
};
__global__ void turn(const Quad *from, Quad *to, const int *places, int limit, int hole) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < limit && i != hole) {
    const Quad &near = from[i], &far = from[places[i]];
    const int sum = near.bytes[0] * far.bytes[3] + near.bytes[1] * far.bytes[2] + near.bytes[2] * far.bytes[1] +
                    near.bytes[3] * far.bytes[0];
    to[places[i]].bytes[3] = sum;
    to[places[i]].bytes[1] = sum >> 8;
    to[places[i]].bytes[0] = near.bytes[3];
    to[places[i]].bytes[2] = far.bytes[2] + 1;
  }
}

void checkQuads(Fenced &source, Fenced &target, int limit, int hole, bool areOwn) {
  Quad *from = source.host<Quad>(limit), *to = target.host<Quad>(limit);
  std::vector<int> places;
  for (int i = 0; i < limit; ++i) {
    places.push_back(areOwn ? i : i * 37 % limit);
    for (int k = 0; k < 4; ++k)
      from[i].bytes[k] = (signed char)(i * 29 + k * 71), to[i].bytes[k] = (signed char)(k - 4);
  }
  DeviceArray<int> devicePlaces(places);
  turn<<<(limit + 63) / 64, 64>>>(source.device<Quad>(limit), target.device<Quad>(limit), devicePlaces, limit, hole);
  HIP_CHECK(hipDeviceSynchronize());
  for (int i = 0; i < limit; ++i) {
    const Quad near = from[i], far = from[places[i]], found = to[places[i]];
    int sum = 0;
    for (int k = 0; k < 4; ++k)
      sum += near.bytes[k] * far.bytes[3 - k];
    const int wanted[] = {near.bytes[3], sum >> 8, far.bytes[2] + 1, sum};
    for (int k = 0; k < 4; ++k)
      CHECK_EQ(found.bytes[k], (signed char)(i == hole ? k - 4 : wanted[k]));
  }
}

// Blocks with rows of 8: a number for each row, and the last warp has rows without threads. The last number is the last of its memory.
__global__ void scale(const float *factors, const float *from, float *to, int rows, int hole) {
  const unsigned row = blockIdx.x * blockDim.y + threadIdx.y, i = row * 8 + threadIdx.x;
  if (row < unsigned(rows) && row != unsigned(hole))
    to[i] = from[i] * factors[row];
}

void checkRows(Fenced &source, int height, int rows, int hole) {
  float *factors = source.host<float>(rows);
  std::vector<float> numbers(size_t(rows) * 8);
  for (int row = 0; row < rows; ++row)
    factors[row] = float(row + 2);
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = float(i % 31);
  DeviceArray<float> from(numbers), to(std::vector<float>(numbers.size(), -1.0f));
  scale<<<(rows + height - 1) / height, dim3(8, height)>>>(source.device<float>(rows), from, to, rows, hole);
  const std::vector<float> found = to.host();
  for (int row = 0; row < rows; ++row)
    for (int x = 0; x < 8; ++x)
      CHECK_EQ(found[row * 8 + x], row == hole ? -1.0f : numbers[row * 8 + x] * float(row + 2));
}

template <int kShift> __device__ unsigned place(unsigned block, unsigned x, unsigned y) {
  return (block << kShift) | x | (y << 6);
}

template <int kShift> __global__ void readAlternatives(const int *from, int *to) {
  const unsigned width = blockDim.x * blockDim.y, thread = threadIdx.y * blockDim.x + threadIdx.x;
  to[blockIdx.x * width + thread] =
      from[place<kShift>(blockIdx.x, threadIdx.x, threadIdx.y)] + from[thread << 1 | 2048];
}

template <int kShift> void checkAlternatives(dim3 block) {
  constexpr unsigned kBlocks = 3;
  const unsigned width = block.x * block.y;
  std::vector<int> numbers((kBlocks << kShift) + 8192);
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = int(i * 7 + 1);
  DeviceArray<int> in(numbers), out(kBlocks * width);
  readAlternatives<kShift><<<kBlocks, block>>>(in, out);
  const std::vector<int> found = out.host();
  for (unsigned b = 0; b < kBlocks; ++b)
    for (unsigned t = 0; t < width; ++t) {
      const unsigned at = b << kShift | t % block.x | t / block.x << 6;
      CHECK_EQ(found[b * width + t], numbers[at] + numbers[t << 1 | 2048]);
    }
}

TEST(alternatives) {
  for (dim3 block : {dim3(64), dim3(250), dim3(1000), dim3(1024), dim3(64, 4), dim3(40, 8), dim3(8, 16)}) {
    checkAlternatives<5>(block);
    checkAlternatives<8>(block);
    checkAlternatives<10>(block);
    checkAlternatives<12>(block);
  }
}

TEST(indicesThatWrap) {
  checkWrapping<uint8_t, unsigned>(UINT_MAX);
  checkWrapping<uint8_t, int>(INT_MAX);
  checkWrapping<float, unsigned>(UINT_MAX);
  checkWrapping<float, int>(INT_MAX);
}

// A stencil's bounds: of its row, of what lies left and right of it, and of an unsigned distance that may wrap.
template <class Index>
__global__ void readClamped(const int *from, int *to, Index low, Index high, Index shift, Index limit) {
  const Index i = Index(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= limit)
    return;
  const Index at = min(max(Index(unsigned(i) + unsigned(shift)), low), high);
  to[i] = from[at] + 1000 * from[min(i, high)] + 1000000 * from[max(i, low)];
}

template <class Index> __global__ void writeClamped(int *to, Index low, Index high, Index shift) {
  const Index i = Index(blockIdx.x * blockDim.x + threadIdx.x);
  to[min(max(Index(unsigned(i) + unsigned(shift)), low), high)] = 7;
}

template <class Index> void checkClamped() {
  constexpr int kCount = 900;
  std::vector<int> numbers(kCount);
  for (int i = 0; i < kCount; ++i)
    numbers[i] = i;
  DeviceArray<int> in(numbers);
  const std::pair<int, int> bounds[] = {{0, 899}, {0, 300}, {17, 255}, {31, 32}, {64, 640}, {5, 5}, {600, 700}};
  for (auto [low, high] : bounds)
    for (int shift : {0, 1, -1, 40, -700, INT_MAX, INT_MIN, INT_MAX - 100})
      for (int threads : {64, 100}) {
        const int total = 3 * threads, limit = total - 13;
        DeviceArray<int> out(std::vector<int>(total, -1)), marks(std::vector<int>(kCount, 0));
        readClamped<Index><<<3, threads>>>(in, out, Index(low), Index(high), Index(shift), Index(limit));
        writeClamped<Index><<<3, threads>>>(marks, Index(low), Index(high), Index(shift));
        const std::vector<int> found = out.host(), marked = marks.host();
        std::vector<int> expected(kCount, 0);
        for (int i = 0; i < total; ++i) {
          const Index moved = Index(unsigned(i) + unsigned(shift));
          const Index at = std::min(std::max(moved, Index(low)), Index(high));
          expected[size_t(at)] = 7;
          const int right = int(at) + 1000 * std::min(i, high) + 1000000 * std::max(i, low);
          CHECK_EQ(found[i], i < limit ? right : -1);
        }
        for (int i = 0; i < kCount; ++i)
          CHECK_EQ(marked[i], expected[i]);
      }
}

TEST(clampedIndices) {
  checkClamped<int>();
  checkClamped<unsigned>();
}

// An element of all lists in a row; a thread's list begins where `first` says.
template <class T>
__global__ void sumLists(const T *lists, const int *first, const int *length, long columns, double *sums, int limit) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= limit)
    return;
  const T *list = lists + first[i];
  double sum = 0;
  for (int k = 0; k < length[i]; ++k)
    sum = sum * 0.5 + double(list[k * columns]);
  sums[i] = sum;
}

// The last list's last element is the last of its memory.
template <class T> void checkLists(Fenced &source) {
  for (int columns : {70, 128})
    for (int rows : {1, 7, 8, 9, 30}) {
      const int count = rows * columns, threads = 2 * columns;
      T *lists = source.host<T>(count);
      for (int i = 0; i < count; ++i)
        lists[i] = T(i * 7 % 101);
      std::vector<int> first, length;
      for (int i = 0; i < threads; ++i) {
        first.push_back(i < columns ? i : i * 37 % columns); // side by side, then in another order, some twice
        length.push_back(i % 5 == 0 ? 0 : i % 3 == 0 ? rows : 1 + i % rows);
      }
      DeviceArray<int> begins(first), lengths(length);
      DeviceArray<double> sums(std::vector<double>(threads, -1));
      sumLists<T><<<3, 100>>>(source.device<T>(count), begins, lengths, columns, sums, threads);
      const std::vector<double> found = sums.host();
      for (int i = 0; i < threads; ++i) {
        double expected = 0;
        for (int k = 0; k < length[i]; ++k)
          expected = expected * 0.5 + double(lists[first[i] + k * columns]);
        CHECK_EQ(found[i], expected);
      }
    }
}

TEST(listsSideBySide) {
  Fenced source;
  checkLists<unsigned char>(source);
  checkLists<short>(source);
  checkLists<float>(source);
  checkLists<double>(source);
}

TEST(elements) {
  Fenced source, target;
  checkPairs<float>(source, target);
  checkPairs<int>(source, target);
  checkPairs<double>(source, target);
  checkPairs<short>(source, target);
  for (int limit : {15, 64, 101})
    for (int hole : {-1, 11})
      for (bool areOwn : {false, true})
        checkQuads(source, target, limit, hole, areOwn);
  for (int height : {8, 5, 1, 3})
    for (int rows : {15, 32})
      for (int hole : {-1, 9})
        checkRows(source, height, rows, hole);
  checkType<float>(source, target);
  checkType<double>(source, target);
  checkType<short>(source, target);
  checkType<unsigned char>(source, target);
}

int main(int argc, char **argv) { return runTests(argc, argv); }
