// SPDX-License-Identifier: MIT
// Words in memory that streams write and wait for: order, comparisons, masks, all kinds of memory, batches, bad input.
#include "check.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

namespace {

__global__ void store(int *to, int value) { *to = value; }
__global__ void storeWord(unsigned *to, unsigned value) { *to = value; }

template <class Word> struct Pinned {
  Word *word;
  Pinned() {
    HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&word), sizeof(Word), 0));
    set(0);
  }
  ~Pinned() { HIP_CHECK(hipHostFree(word)); }
  void set(Word value) { __atomic_store_n(word, value, __ATOMIC_RELEASE); }
  Word get() const { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }
};

struct Stream {
  hipStream_t stream;
  Stream() { HIP_CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking)); }
  ~Stream() { HIP_CHECK(hipStreamDestroy(stream)); }
  operator hipStream_t() const { return stream; }
};

template <class Word> hipError_t waitValue(hipStream_t stream, void *at, Word value, unsigned flags, Word mask) {
  return sizeof(Word) == 4 ? hipStreamWaitValue32(stream, at, value, flags, mask)
                           : hipStreamWaitValue64(stream, at, value, flags, mask);
}
template <class Word> hipError_t writeValue(hipStream_t stream, void *at, Word value) {
  return sizeof(Word) == 4 ? hipStreamWriteValue32(stream, at, value, 0) : hipStreamWriteValue64(stream, at, value, 0);
}

// The stream stands still with every value of `blocking` and goes on with `opening`.
template <class Word> void opensWith(Word value, unsigned flags, Word mask, std::vector<Word> blocking, Word opening) {
  Pinned<Word> word;
  word.set(blocking.front());
  Stream stream;
  HIP_CHECK(waitValue<Word>(stream, word.word, value, flags, mask));
  for (Word wrong : blocking) {
    word.set(wrong);
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    CHECK_EQ(hipStreamQuery(stream), hipErrorNotReady);
  }
  word.set(opening);
  HIP_CHECK(hipStreamSynchronize(stream));
}

template <class Word> void comparisons() {
  constexpr Word kAll = ~Word(0), kTop = Word(1) << (8 * sizeof(Word) - 1);
  opensWith<Word>(5, hipStreamWaitValueEq, kAll, {0, 4, 6, kTop + 5}, 5);
  opensWith<Word>(0x50, hipStreamWaitValueEq, 0xf0, {0x0f, 0x60}, Word(0xabc5f));
  opensWith<Word>(5, hipStreamWaitValueGte, kAll, {0, 4}, 5);
  opensWith<Word>(5, hipStreamWaitValueGte, kAll, {4}, kTop + 1); // the comparison is unsigned
  opensWith<Word>(5, hipStreamWaitValueGte, 0xff, {0x104, Word(kTop + 1)}, 0x105);
  opensWith<Word>(0x6, hipStreamWaitValueAnd, kAll, {0, 0x9, kTop}, 0x4);
  opensWith<Word>(0x6, hipStreamWaitValueAnd, 0x2, {0x4}, 0xa);
  opensWith<Word>(0x0f, hipStreamWaitValueNor, kAll, {Word(~Word(0xf)), kAll}, Word(~Word(0x1f)));
}

// Kernels before the write have finished when the word changes; kernels behind a wait have not begun before.
template <class Word> void ordersStreams() {
  Pinned<Word> flag;
  Stream producer, consumer;
  DeviceArray<int> data(2);
  constexpr Word kValue = Word(0x123456789abcdefull);
  HIP_CHECK(waitValue<Word>(consumer, flag.word, kValue, hipStreamWaitValueEq, ~Word(0)));
  HIP_CHECK(hipMemcpyAsync(data + 1, data, sizeof(int), hipMemcpyDeviceToDevice, consumer));
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  store<<<1, 1, 0, producer>>>(data, 77);
  HIP_CHECK(writeValue<Word>(producer, flag.word, kValue));
  HIP_CHECK(hipStreamSynchronize(consumer));
  CHECK_EQ(data.host()[1], 77);
  CHECK_EQ(flag.get(), kValue);
}

// The host sees the written word without waiting for the stream, which is still busy.
TEST(hostSeesWrites) {
  Pinned<uint32_t> told, gate;
  Stream stream;
  HIP_CHECK(hipStreamWriteValue32(stream, told.word, 42, 0));
  HIP_CHECK(hipStreamWaitValue32(stream, gate.word, 1, hipStreamWaitValueEq, UINT32_MAX));
  while (told.get() != 42)
    std::this_thread::yield();
  CHECK_EQ(hipStreamQuery(stream), hipErrorNotReady);
  gate.set(1);
  HIP_CHECK(hipStreamSynchronize(stream));
}

// Device, managed and registered memory; the neighbours of a written word stay as they are.
TEST(kindsOfMemory) {
  Stream stream, writer;
  auto check = [&](uint32_t *words, bool masked) {
    HIP_CHECK(hipMemset(words, 0xee, 16));
    HIP_CHECK(hipStreamSynchronize(nullptr)); // the streams do not wait for it
    HIP_CHECK(hipStreamWriteValue32(stream, words + 1, 7, 0));
    HIP_CHECK(hipStreamSynchronize(stream)); // else the 7 may come behind the 9 of the other stream
    HIP_CHECK(hipStreamWaitValue32(stream, words + 1, 9, hipStreamWaitValueEq, masked ? 0xffff : UINT32_MAX));
    HIP_CHECK(hipStreamWriteValue32(stream, words + 2, 11, 0));
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    CHECK_EQ(hipStreamQuery(stream), hipErrorNotReady);
    storeWord<<<1, 1, 0, writer>>>(words + 1, 9);
    HIP_CHECK(hipStreamSynchronize(stream));
    uint32_t seen[4];
    HIP_CHECK(hipMemcpy(seen, words, sizeof seen, hipMemcpyDefault));
    CHECK_EQ(seen[0], 0xeeeeeeeeu);
    CHECK_EQ(seen[1], 9u);
    CHECK_EQ(seen[2], 11u);
    CHECK_EQ(seen[3], 0xeeeeeeeeu);
  };
  for (bool masked : {false, true}) {
    uint32_t *device, *managed;
    HIP_CHECK(hipMalloc(reinterpret_cast<void **>(&device), 16));
    HIP_CHECK(hipMallocManaged(reinterpret_cast<void **>(&managed), 16, hipMemAttachGlobal));
    check(device, masked);
    check(managed, masked);
    HIP_CHECK(hipFree(device));
    HIP_CHECK(hipFree(managed));
  }
}

// A waiting stream stops nobody but those who wait for it.
TEST(otherStreamsGoOn) {
  Pinned<uint32_t> gate;
  constexpr int kWaiting = 8;
  hipStream_t waiting[kWaiting];
  for (hipStream_t &stream : waiting) {
    HIP_CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    HIP_CHECK(hipStreamWaitValue32(stream, gate.word, 3, hipStreamWaitValueAnd, UINT32_MAX));
  }
  Stream free;
  DeviceArray<int> data(1);
  for (int i = 0; i < 100; ++i)
    store<<<1, 1, 0, free>>>(data, i);
  HIP_CHECK(hipStreamSynchronize(free));
  CHECK_EQ(data.host()[0], 99);
  for (hipStream_t stream : waiting)
    CHECK_EQ(hipStreamQuery(stream), hipErrorNotReady);
  HIP_CHECK(hipStreamWriteValue32(free, gate.word, 2, 0));
  for (hipStream_t stream : waiting) {
    HIP_CHECK(hipStreamSynchronize(stream));
    HIP_CHECK(hipStreamDestroy(stream));
  }
}

// Two streams that hand the turn to each other, with counters that only grow.
TEST(pingPong) {
  Pinned<uint64_t> turn;
  Stream even, odd;
  DeviceArray<int> data(1);
  constexpr int kRounds = 100;
  for (uint64_t round = 0; round < kRounds; ++round) {
    hipStream_t stream = round % 2 ? odd : even;
    HIP_CHECK(hipStreamWaitValue64(stream, turn.word, round, hipStreamWaitValueGte, UINT64_MAX));
    store<<<1, 1, 0, stream>>>(data, static_cast<int>(round));
    HIP_CHECK(hipStreamWriteValue64(stream, turn.word, round + 1, 0));
  }
  HIP_CHECK(hipStreamSynchronize(even));
  HIP_CHECK(hipStreamSynchronize(odd));
  CHECK_EQ(turn.get(), uint64_t(kRounds));
  CHECK_EQ(data.host()[0], kRounds - 1);
}

TEST(batches) {
  uint64_t *words;
  HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&words), 8 * sizeof(uint64_t), 0));
  std::fill(words, words + 8, 0);
  Stream stream;
  hipStreamBatchMemOpParams operations[6] = {};
  operations[0].operation = hipStreamMemOpWriteValue32;
  operations[0].writeValue.address = words;
  operations[0].writeValue.value = 0x11111111;
  operations[1].operation = hipStreamMemOpWaitValue64;
  operations[1].waitValue.address = words + 1;
  operations[1].waitValue.value64 = uint64_t(1) << 40;
  operations[1].waitValue.flags = hipStreamWaitValueGte;
  operations[2].operation = hipStreamMemOpBarrier;
  operations[3].operation = hipStreamMemOpWriteValue64;
  operations[3].writeValue.address = words + 2;
  operations[3].writeValue.value64 = UINT64_MAX - 1;
  operations[4].operation = hipStreamMemOpWaitValue32;
  operations[4].waitValue.address = words + 2;
  operations[4].waitValue.value = 0xf0;
  operations[4].waitValue.flags = hipStreamWaitValueAnd;
  operations[5].operation = hipStreamMemOpFlushRemoteWrites;
  HIP_CHECK(hipStreamBatchMemOp(stream, 6, operations, 0));
  std::memset(operations, 0, sizeof operations); // the array may be reused at once
  std::this_thread::sleep_for(std::chrono::milliseconds(3));
  CHECK_EQ(__atomic_load_n(words + 2, __ATOMIC_ACQUIRE), uint64_t(0));
  __atomic_store_n(words + 1, uint64_t(1) << 41, __ATOMIC_RELEASE);
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK_EQ(words[0], uint64_t(0x11111111));
  CHECK_EQ(words[2], UINT64_MAX - 1);

  // Nothing of a batch is done if one of its operations is wrong.
  operations[0].operation = hipStreamMemOpWriteValue32;
  operations[0].writeValue.address = words + 3;
  operations[0].writeValue.value = 1;
  operations[1].operation = hipStreamMemOpWaitValue32;
  operations[1].waitValue.address = nullptr;
  CHECK_EQ(hipStreamBatchMemOp(stream, 2, operations, 0), hipErrorInvalidValue);
  operations[1].operation = static_cast<hipStreamBatchMemOpType>(17);
  CHECK_EQ(hipStreamBatchMemOp(stream, 2, operations, 0), hipErrorInvalidValue);
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK_EQ(words[3], uint64_t(0));
  CHECK_EQ(hipStreamBatchMemOp(stream, 1, nullptr, 0), hipErrorInvalidValue);
  CHECK_EQ(hipStreamBatchMemOp(stream, 1, operations, 1), hipErrorInvalidValue);
  std::vector<hipStreamBatchMemOpParams> many(257, operations[0]);
  CHECK_EQ(hipStreamBatchMemOp(stream, 257, many.data(), 0), hipErrorInvalidValue);
  HIP_CHECK(hipStreamBatchMemOp(stream, 256, many.data(), 0));
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK_EQ(words[3], uint64_t(1));
  HIP_CHECK(hipHostFree(words));
}

TEST(badInput) {
  Pinned<uint64_t> word;
  Stream stream;
  uint32_t pageable = 0;
  void *middle = reinterpret_cast<char *>(word.word) + 2;
  CHECK_EQ(hipStreamWaitValue32(stream, nullptr, 1, hipStreamWaitValueEq), hipErrorInvalidValue);
  CHECK_EQ(hipStreamWaitValue32(stream, &pageable, 1, hipStreamWaitValueEq), hipErrorInvalidValue);
  CHECK_EQ(hipStreamWaitValue32(stream, word.word, 1, 4), hipErrorInvalidValue);
  CHECK_EQ(hipStreamWaitValue64(stream, middle, 1, hipStreamWaitValueEq), hipErrorInvalidValue);
  CHECK_EQ(hipStreamWaitValue64(stream, word.word + 1, 1, hipStreamWaitValueEq), hipErrorInvalidValue);
  CHECK_EQ(hipStreamWriteValue32(stream, nullptr, 1, 0), hipErrorInvalidValue);
  CHECK_EQ(hipStreamWriteValue32(stream, word.word, 1, 1), hipErrorInvalidValue);
  CHECK_EQ(hipStreamWriteValue64(stream, middle, 1, 0), hipErrorInvalidValue);
  hipStream_t none = reinterpret_cast<hipStream_t>(&pageable);
  CHECK_EQ(hipStreamWaitValue32(none, word.word, 1, hipStreamWaitValueEq), hipErrorContextIsDestroyed);
  CHECK_EQ(hipStreamWriteValue64(none, word.word, 1, 0), hipErrorContextIsDestroyed);
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK_EQ(word.get(), uint64_t(0));
  int attribute = 0;
  HIP_CHECK(hipDeviceGetAttribute(&attribute, hipDeviceAttributeCanUseStreamWaitValue, 0));
  CHECK_EQ(attribute, 1);
}

TEST(attaching) {
  Stream stream;
  int *managed, *device;
  HIP_CHECK(hipMallocManaged(reinterpret_cast<void **>(&managed), 4096, hipMemAttachHost));
  HIP_CHECK(hipMalloc(reinterpret_cast<void **>(&device), 4096));
  for (unsigned flags : {hipMemAttachSingle, hipMemAttachHost, hipMemAttachGlobal}) {
    HIP_CHECK(hipStreamAttachMemAsync(stream, managed, 0, flags));
    HIP_CHECK(hipStreamAttachMemAsync(stream, managed, 4096, flags));
    store<<<1, 1, 0, stream>>>(managed, static_cast<int>(flags));
    HIP_CHECK(hipStreamSynchronize(stream));
    CHECK_EQ(*managed, static_cast<int>(flags));
  }
  CHECK_EQ(hipStreamAttachMemAsync(stream, managed, 4095, hipMemAttachSingle), hipErrorInvalidValue);
  CHECK_EQ(hipStreamAttachMemAsync(stream, managed + 1, 0, hipMemAttachSingle), hipErrorInvalidValue);
  CHECK_EQ(hipStreamAttachMemAsync(stream, managed, 0, 3), hipErrorInvalidValue);
  CHECK_EQ(hipStreamAttachMemAsync(stream, nullptr, 0, hipMemAttachSingle), hipErrorInvalidValue);
  // Memory of the application, if devices reach it, with its length.
  std::vector<char> pageable(100);
  int reachable = 0;
  HIP_CHECK(hipDeviceGetAttribute(&reachable, hipDeviceAttributePageableMemoryAccess, 0));
  CHECK_EQ(hipStreamAttachMemAsync(stream, pageable.data(), pageable.size(), hipMemAttachSingle),
           reachable ? hipSuccess : hipErrorInvalidValue);
  CHECK_EQ(hipStreamAttachMemAsync(stream, pageable.data(), 0, hipMemAttachSingle), hipErrorInvalidValue);
  CHECK_EQ(hipStreamAttachMemAsync(stream, device, 0, hipMemAttachSingle), hipErrorInvalidValue);
  HIP_CHECK(hipFree(managed));
  HIP_CHECK(hipFree(device));
}

TEST(comparisonsOfBothSizes) {
  comparisons<uint32_t>();
  comparisons<uint64_t>();
}

TEST(orderOfBothSizes) {
  ordersStreams<uint32_t>();
  ordersStreams<uint64_t>();
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
