// SPDX-License-Identifier: MIT
#include "harness.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace hiplz::cpu {

std::vector<std::byte> readFile(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  std::vector<char> content{std::istreambuf_iterator<char>(stream), {}};
  auto *first = reinterpret_cast<const std::byte *>(content.data());
  return {first, first + content.size()};
}

std::vector<std::byte> testModule(const std::string &name) {
  auto spirv = readFile(std::string(HIPLZ_KERNEL_FOLDER) + "/" + name + ".spv");
  EXPECT_FALSE(spirv.empty()) << name;
  return spirv;
}

const Program *testProgram(const std::string &name, const std::string &flags) {
  static std::map<std::pair<std::string, std::string>, std::unique_ptr<Program>> programs;
  auto &program = programs[{name, flags}];
  if (!program) {
    std::string log;
    program = Program::fromSpirv(testModule(name), flags.c_str(), log);
    EXPECT_TRUE(program) << log;
  }
  return program.get();
}

namespace {

/// The state that a worker thread of the driver owns.
struct Worker {
  Worker() { state.local = static_cast<std::byte *>(std::aligned_alloc(4096, kMaxLocalBytes)); }
  ~Worker() {
    destroyFibers(state);
    std::free(state.local);
  }
  WorkerState state{};
};

WorkerState &worker() {
  static thread_local Worker own;
  return own.state;
}

} // namespace

Launch::Launch(const Program *program, const std::string &kernel) {
  program_ = program;
  kernel_ = program ? program->findKernel(kernel) : nullptr;
  if (!kernel_)
    throw std::runtime_error("no kernel " + kernel);
  block_.resize(kernel_->argBlockBytes + 64);
  localBytes_ = kernel_->staticLocalBytes;
}

Launch::~Launch() = default;

Launch &Launch::bytes(const void *data, size_t size) {
  const ArgInfo &arg = kernel_->args.at(next_++);
  EXPECT_EQ(size, arg.size) << "argument " << next_ - 1 << " of " << kernel_->name;
  EXPECT_EQ(arg.offset % arg.align, 0u);
  std::memcpy(block_.data() + arg.offset, data, size);
  return *this;
}

Launch &Launch::arg(Local local) {
  EXPECT_EQ(kernel_->args.at(next_).kind, ArgKind::localPointer);
  uint64_t offset = (localBytes_ + 127) / 128 * 128;
  localBytes_ = static_cast<uint32_t>(offset) + local.bytes;
  return bytes(&offset, sizeof offset);
}

void Launch::run(Size groups, Size items, Size offset) {
  const uint64_t count = uint64_t(groups[0]) * groups[1] * groups[2];
  run(groups, items, offset, {{count / 3, count}, {0, count / 3}});
}

void Launch::runSome(Size groups, Size items, uint64_t begin, uint64_t end) {
  run(groups, items, {0, 0, 0}, {{begin, end}});
}

void Launch::run(Size groups, Size items, Size offset, std::initializer_list<std::pair<uint64_t, uint64_t>> ranges) {
  ASSERT_EQ(next_, kernel_->args.size());
  const KernelCode *code = this->code({items[0], items[1], items[2]});
  ASSERT_TRUE(code) << program_->messages()->text();
  std::vector<std::byte> aligned(block_.size() + 64);
  auto *block = reinterpret_cast<std::byte *>((reinterpret_cast<uintptr_t>(aligned.data()) + 63) / 64 * 64);
  std::memcpy(block, block_.data(), kernel_->argBlockBytes);
  LaunchState state{};
  state.args = block;
  for (int d = 0; d < 3; ++d) {
    state.groupCount[d] = groups[d];
    state.groupSize[d] = items[d];
    state.globalOffset[d] = offset[d];
    if (uint64_t(groups[d]) * items[d] > 1)
      state.workDim = d + 1;
  }
  state.workDim = std::max(state.workDim, 1u);
  WorkerState &w = worker();
  std::memset(w.local, 0xAA, kMaxLocalBytes);
  w.frameBytes = code->frameBytes;
  for (auto [begin, end] : ranges)
    code->function(&state, &w, begin, end);
  EXPECT_STREQ(w.kernelName, kernel_->name.c_str());
}

} // namespace hiplz::cpu
