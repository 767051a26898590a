// SPDX-License-Identifier: MIT
// Damaged machine code: whatever the instructions are, the translator makes a valid function of them or refuses them with a sentence.
// Each case takes a kernel of a code object and changes words of its code, to random ones, to those of other instructions, or by a bit. One in four
// changes bytes anywhere in the file instead, or cuts it off, and reads it anew: it is refused with a sentence, too, or its first kernel is translated.
//   fuzz_machine_code FILE.co [CASES [SEED]]
// Without cases (0) it translates each kernel as it is, and prints why the others are refused.
#include "amdgcn/translator/access_paths.h"
#include "amdgcn/translator/lane_masks.h"
#include "amdgcn/translator/translate.h"
#include "amdgcn/translator/unused_lanes.h"
#include "base/llvm_compat.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>

using namespace hiplz::amdgcn;

namespace {

constexpr int kAddresses = 0x1000;

/// Surroundings that do nothing: their values are constants.
class NoSurroundings final : public WaveSurroundings {
public:
  explicit NoSurroundings(llvm::Function &wave) {
    llvm::IRBuilder<> b(&wave.getEntryBlock());
    live = b.getInt32(~0u);
    localId.fill(b.CreateVectorSplat(kLanes, b.getInt32(1)));
    groupId.fill(b.getInt32(2));
    arguments = dispatch = queue = scratch = image = b.getInt64(kAddresses);
    local = b.CreateIntToPtr(b.getInt64(kAddresses), b.getPtrTy());
    localBytes = 1 << 16;
    scratchBytes = 64;
  }
  void barrier(llvm::IRBuilder<> &) override {}
  void accessImage(llvm::IRBuilder<> &, llvm::Value *, uint32_t, uint32_t, llvm::Value *, llvm::Value *) override {}
  void pause(llvm::IRBuilder<> &) override {}
  void turn(llvm::IRBuilder<> &) override {}
  void gridBarrier(llvm::IRBuilder<> &, llvm::Value *) override {}
  void trap(llvm::IRBuilder<> &) override {}
  void setRounding(llvm::IRBuilder<> &, llvm::Value *) override {}
  llvm::Value *clock(llvm::IRBuilder<> &builder) override { return builder.getInt64(0); }
};

/// Simplifies the wave as the compiler does.
void simplify(llvm::Function &wave, llvm::Value &live) {
  llvm::PassBuilder builder;
  llvm::FunctionAnalysisManager analyses;
  builder.registerFunctionAnalyses(analyses);
  llvm::PromotePass().run(wave, analyses);
  simplifyMasks(wave, live);
  dropUnusedLanes(wave, live);
  inlineAccessPaths(wave, 16);
}

enum class Outcome { translated, refused };

Outcome translate(const CodeObject &object, const MachineKernel &kernel, bool simplifies, unsigned number,
                  std::string &error) {
  const auto code = decodeKernel(object, kernel, error);
  llvm::LLVMContext context;
  hiplz::useOpaquePointers(context);
  llvm::Module module("fuzz", context);
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), false);
  auto *wave = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, "wave", module);
  llvm::BasicBlock::Create(context, "entry", wave);
  if (code) {
    NoSurroundings surroundings(*wave);
    if (code->emit(*wave, surroundings, error)) {
      bool isBroken = llvm::verifyModule(module, &llvm::errs());
      if (!isBroken && simplifies) {
        simplify(*wave, *surroundings.live);
        isBroken = llvm::verifyModule(module, &llvm::errs());
      }
      if (!isBroken)
        return Outcome::translated;
      std::fprintf(stderr, "case %u: the translation is not valid\n", number);
      std::exit(1);
    }
  }
  if (error.empty()) {
    std::fprintf(stderr, "case %u: refused without a sentence\n", number);
    std::exit(1);
  }
  return Outcome::refused;
}

/// Prints the kernels that are refused.
void translateAll(const CodeObject &object) {
  unsigned refused = 0;
  for (const MachineKernel &kernel : object.kernels) {
    std::string reason;
    if (translate(object, kernel, false, 0, reason) == Outcome::translated)
      continue;
    ++refused;
    std::printf("%s: %s\n", kernel.name.c_str(), reason.c_str());
  }
  std::printf("%u of %zu kernels are refused\n", refused, object.kernels.size());
}

void damage(CodeObject &object, uint64_t entry, std::mt19937_64 &random) {
  const uint64_t words = (object.codeEnd - entry) / 4;
  auto at = [&](uint64_t word) { return object.image.data() + entry + 4 * word; };
  for (unsigned changes = 1 + static_cast<unsigned>(random() % 4); changes > 0; --changes) {
    std::byte *place = at(random() % (words < 64 ? words : 64));
    auto value = static_cast<uint32_t>(random());
    uint32_t before;
    std::memcpy(&before, place, sizeof before);
    if (random() % 3 == 0)
      std::memcpy(&value, at(random() % words), sizeof value);
    else if (random() % 2 == 0)
      value = before ^ (1u << (value & 31));
    std::memcpy(place, &value, sizeof value);
  }
}

/// Changes bytes of a file, most of them in what describes the code: the headers at the beginning and the tables at the end.
std::string damagedFile(std::string file, std::mt19937_64 &random) {
  for (unsigned changes = 1 + static_cast<unsigned>(random() % 4); changes > 0; --changes) {
    const size_t part = random() % 3 == 0 ? file.size() : std::min<size_t>(file.size(), 4096);
    const size_t offset = random() % part, at = random() % 2 ? offset : file.size() - 1 - offset;
    const auto value = static_cast<char>(random());
    file[at] = random() % 2 ? value : static_cast<char>(file[at] ^ 1 << (value & 7));
  }
  if (random() % 8 == 0)
    file.resize(random() % file.size());
  return file;
}

Outcome translateFile(const std::string &file, unsigned number, std::string &reason) {
  const auto object = readCodeObject(std::as_bytes(std::span(file)), reason);
  if (object && !object->kernels.empty())
    return translate(*object, object->kernels.front(), true, number, reason);
  if (object || !reason.empty())
    return Outcome::refused;
  std::fprintf(stderr, "case %u: the file is refused without a sentence\n", number);
  std::exit(1);
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 2)
    return 2;
  std::ifstream file(argv[1], std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::string error;
  const auto whole = readCodeObject(std::as_bytes(std::span(bytes)), error);
  if (!whole || whole->kernels.empty()) {
    std::fprintf(stderr, "%s\n", error.c_str());
    return 1;
  }
  const auto cases = static_cast<unsigned>(argc > 2 ? std::atoi(argv[2]) : 400);
  const auto seed = static_cast<unsigned>(argc > 3 ? std::atoi(argv[3]) : 1);
  if (cases == 0) {
    translateAll(*whole);
    return 0;
  }
  unsigned translated = 0;
  for (unsigned number = 0; number < cases; ++number) {
    std::mt19937_64 random(uint64_t{seed} << 32 | number);
    if (number % 4 == 3) {
      std::string reason;
      translated += translateFile(damagedFile(bytes, random), number, reason) == Outcome::translated;
      continue;
    }
    CodeObject object = *whole;
    const MachineKernel &kernel = object.kernels[random() % object.kernels.size()];
    damage(object, kernel.entry, random);
    std::string reason;
    translated += translate(object, kernel, true, number, reason) == Outcome::translated;
  }
  std::printf("%u of %u cases are translated, the others refused\n", translated, cases);
  return translated > 0 && translated < cases ? 0 : 1;
}
