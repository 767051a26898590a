// SPDX-License-Identifier: MIT
// Bad SPIR-V: a sentence in the build log, whatever the translator does with it, and a process that goes on.
#include "greedy_module.h"
#include "harness.h"

#include "base/sanitizer.h"
#include "spirv/words.h"

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <random>
#include <sys/resource.h>
#include <sys/wait.h>

namespace hiplz::cpu {
namespace {

std::string logOf(std::span<const std::byte> spirv, const char *flags = "") {
  std::string log;
  EXPECT_FALSE(Program::fromSpirv(spirv, flags, log));
  EXPECT_FALSE(log.empty());
  return log;
}

void putWord(std::vector<std::byte> &spirv, size_t index, uint32_t word) {
  std::memcpy(spirv.data() + index * 4, &word, sizeof word);
}

/// Index of the first instruction with this opcode; nothing if there is none.
std::optional<size_t> indexOf(const std::vector<std::byte> &spirv, spv::Op op) {
  const spirv::Words words(spirv);
  const size_t at = spirv::walk(words, [&](const spirv::Instruction &in) { return in.op() != op; });
  return at < words.count() ? std::optional(at) : std::nullopt;
}

size_t findInstruction(const std::vector<std::byte> &spirv, spv::Op op) {
  const std::optional<size_t> found = indexOf(spirv, op);
  EXPECT_TRUE(found) << "no instruction " << op;
  return found.value_or(spirv::kHeaderWords);
}

TEST(BadSpirv, NotSpirvAtAll) {
  EXPECT_NE(logOf({}).find("0 bytes"), std::string::npos);
  std::vector<std::byte> text(64, std::byte{'x'});
  EXPECT_NE(logOf(text).find("magic number"), std::string::npos);
  std::vector<std::byte> odd = testModule("atomics");
  odd.pop_back();
  EXPECT_NE(logOf(odd).find("whole number of words"), std::string::npos);
}

TEST(SlowSpirv, EndsAtTheLimitOfProcessorTime) {
  ::setenv("HIPLZ_CACHE", "0", 1);
  ::setenv("HIPLZ_CPU_COMPILE_SECONDS", "1", 1);
  std::string log;
  const auto program = Program::fromSpirv(testModule("slow"), "", log);
  ASSERT_TRUE(program) << log;
  EXPECT_FALSE(program->code(*program->findKernel("slow"), 64));
  log = program->messages()->text();
  ::unsetenv("HIPLZ_CPU_COMPILE_SECONDS");
  ::unsetenv("HIPLZ_CACHE");
  EXPECT_NE(log.find("more processor time than HIPLZ_CPU_COMPILE_SECONDS"), std::string::npos) << log;
  EXPECT_NE(testProgram("atomics"), nullptr); // the next module is compiled
}

TEST(BadSpirv, WrongByteOrderAndVersion) {
  auto spirv = testModule("atomics");
  putWord(spirv, 0, __builtin_bswap32(spv::MagicNumber));
  EXPECT_NE(logOf(spirv).find("big-endian"), std::string::npos);
  spirv = testModule("atomics");
  putWord(spirv, 1, 0x00020000);
  EXPECT_NE(logOf(spirv).find("version 2.0"), std::string::npos);
}

TEST(BadSpirv, TruncatedAnywhere) {
  auto whole = testModule("atomics");
  for (size_t words : {size_t(6), whole.size() / 16, whole.size() / 8, whole.size() / 5, whole.size() / 4 - 1}) {
    std::vector<std::byte> part(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(words * 4));
    std::string log;
    auto program = Program::fromSpirv(part, "", log);
    // Cut between two instructions, a module without functions may even be valid.
    EXPECT_TRUE(!log.empty() || (program && program->kernels().empty())) << words;
  }
}

TEST(BadSpirv, UnknownCapabilityIsNamed) {
  auto spirv = testModule("atomics");
  putWord(spirv, findInstruction(spirv, spv::OpCapability) + 1, 31337);
  std::string log = logOf(spirv);
  EXPECT_NE(log.find("capability 31337"), std::string::npos) << log;
}

TEST(BadSpirv, GraphicsModule) {
  auto spirv = testModule("atomics");
  putWord(spirv, findInstruction(spirv, spv::OpCapability) + 1, spv::CapabilityShader);
  EXPECT_NE(logOf(spirv).find("capability 1 "), std::string::npos);
}

// Without its operands an instruction would let the translator read those of the next one, and reserve memory by them.
TEST(BadSpirv, LengthsThatAnInstructionCannotHaveAreNamed) {
  const auto whole = testModule("atomics");
  for (const spv::Op op : {spv::OpTypeInt, spv::OpFunction, spv::OpLoad, spv::OpExtInst, spv::OpLabel}) {
    auto spirv = whole;
    const std::optional<size_t> at = indexOf(spirv, op);
    if (!at)
      continue;
    const spirv::Words words(whole);
    const size_t end = spirv::Instruction(words, *at).end();
    putWord(spirv, *at, spirv::firstWord(op, 1));
    for (size_t k = *at + 1; k < end; ++k)
      putWord(spirv, k, spirv::firstWord(spv::OpNop, 1));
    EXPECT_NE(logOf(spirv).find("(opcode " + std::to_string(op) + ") cannot have 1 words"), std::string::npos);
  }
}

TEST(BadSpirv, VectorsWithoutEndAreNamed) {
  auto spirv = testModule("basic");
  putWord(spirv, findInstruction(spirv, spv::OpTypeVector) + 3, 1 << 16);
  EXPECT_NE(logOf(spirv).find("vectors of 65536 components"), std::string::npos);
}

// bfloat16 is a float of 16 bits with a word more, which the translator would not see.
TEST(BadSpirv, FloatsOfOtherFormatsAreNamed) {
  auto spirv = testModule("math");
  const size_t at = findInstruction(spirv, spv::OpTypeFloat);
  const spirv::Words words(spirv);
  const size_t end = spirv::Instruction(words, at).end();
  spirv.insert(spirv.begin() + static_cast<ptrdiff_t>(end * sizeof(uint32_t)), sizeof(uint32_t), std::byte{0});
  putWord(spirv, at, spirv::firstWord(spv::OpTypeFloat, 4));
  EXPECT_NE(logOf(spirv).find("a format that the CPU device does not have"), std::string::npos);
}

void expectOutOfMemory(const Program &program) {
  EXPECT_FALSE(program.code(*program.findKernel("k"), 64));
  const std::string log = program.messages()->text();
  EXPECT_TRUE(log.find("out of memory") != std::string::npos || log.find("bad_alloc") != std::string::npos) << log;
  EXPECT_NE(log.find("kernel k"), std::string::npos) << log;
}

TEST(BadSpirv, MemoryForASmallModuleHasALimit) {
#if HIPLZ_ADDRESS_SANITIZER || HIPLZ_THREAD_SANITIZER
  GTEST_SKIP() << "there is no limit of address space beside a sanitizer";
#endif
  std::string log;
  const auto words = greedyModule(false);
  const auto program = Program::fromSpirv(std::as_bytes(std::span(words)), "", log);
  ASSERT_TRUE(program) << log;
  expectOutOfMemory(*program);
  rusage usage;
  ASSERT_EQ(::getrusage(RUSAGE_CHILDREN, &usage), 0);
  EXPECT_LT(usage.ru_maxrss, 4l << 20); // KiB
}

TEST(BadSpirv, AKernelThatCannotBeCompiledLeavesTheOthersAlone) {
#if HIPLZ_ADDRESS_SANITIZER || HIPLZ_THREAD_SANITIZER
  GTEST_SKIP() << "there is no limit of address space beside a sanitizer";
#endif
  std::string log;
  const auto words = greedyModule(true);
  const auto program = Program::fromSpirv(std::as_bytes(std::span(words)), "", log);
  ASSERT_TRUE(program) << log;
  ASSERT_TRUE(program->findKernel("g"));
  EXPECT_TRUE(program->code(*program->findKernel("g"), 64));
  expectOutOfMemory(*program);
  const std::string said = program->messages()->text();
  EXPECT_FALSE(program->code(*program->findKernel("k"), 7)) << "not tried again";
  EXPECT_EQ(program->messages()->text(), said);
  EXPECT_TRUE(program->code(*program->findKernel("g"), 7));
  EXPECT_TRUE(program->nativeBinary().empty());
}

// Operands are replaced, the framing of instructions stays, so that the damage reaches the translator.
void damage(const std::string &name, bool isForImages) {
  auto whole = testModule(name);
  std::vector<size_t> operands;
  const spirv::Words words(whole);
  spirv::walk(words, [&](const spirv::Instruction &in) {
    const bool isImages = in.op() == spv::OpTypeImage || in.op() == spv::OpTypeSampledImage ||
                          in.op() == spv::OpConstantSampler ||
                          (in.op() >= spv::OpSampledImage && in.op() <= spv::OpImageQuerySamples);
    for (size_t k = in.at() + 1; k < in.end() && (isImages || !isForImages); ++k)
      operands.push_back(k);
    return true;
  });
  const char *more = std::getenv("HIPLZ_TEST_ROUNDS");
  std::mt19937 random(more ? static_cast<unsigned>(std::atoi(more)) : 11);
  for (int round = 0; round < (more ? std::atoi(more) : 25); ++round) {
    auto spirv = whole;
    for (int k = 0; k < 2; ++k)
      putWord(spirv, operands[random() % operands.size()],
              random() % 3 ? random() % words[spirv::kBoundWord] : random());
    std::string log;
    auto program = Program::fromSpirv(spirv, "", log);
    EXPECT_TRUE(program || !log.empty());
  }
}

TEST(BadSpirv, RandomDamage) { damage("atomics", false); }

TEST(BadSpirv, RandomDamageToInstructionsOnImages) { damage("images", true); }

TEST(BadSpirv, NoChildIsLeft) {
  logOf(std::vector<std::byte>(64));
  errno = 0;
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(BadSpirv, UnknownExtendedInstruction) {
  auto spirv = testModule("math");
  putWord(spirv, findInstruction(spirv, spv::OpExtInst) + 4, 31337); // behind type, result and set
  logOf(spirv);
}

TEST(BadSpirv, UnsupportedBuiltinIsNamed) {
  EXPECT_NE(logOf(testModule("unsupported")).find("CreateUserEvent"), std::string::npos);
}

TEST(BadSpirv, ParameterThatIsAnUnknownObjectIsNamed) {
  EXPECT_NE(logOf(testModule("pipe")).find("kernel pump: parameter 0"), std::string::npos);
}

TEST(BuildFlags, UnknownOnesAreNamedAndHarmless) {
  std::string log;
  ::setenv("HIPLZ_CACHE", "0", 1); // a program from the cache was not compiled and has no log
  auto program = Program::fromSpirv(testModule("atomics"), "-cl-mad-enable -no-such-flag -cl-std=CL2.0", log);
  ::unsetenv("HIPLZ_CACHE");
  ASSERT_TRUE(program) << log;
  EXPECT_NE(log.find("-no-such-flag"), std::string::npos);
  EXPECT_EQ(log.find("-cl-mad-enable"), std::string::npos);
}

TEST(BuildFlags, InstructionSets) {
  std::string log;
  // The environment overrides the flag, and some runs of these tests set it.
  const char *environment = std::getenv("HIPLZ_CPU_ISA");
  const std::string before = environment ? environment : "";
  ::unsetenv("HIPLZ_CPU_ISA");
  ::setenv("HIPLZ_CACHE", "0", 1);
  EXPECT_TRUE(Program::fromSpirv(testModule("atomics"), "-hiplz-isa=x86-64-v2", log)) << log;
  EXPECT_TRUE(log.empty()) << log;
  EXPECT_TRUE(Program::fromSpirv(testModule("atomics"), "-hiplz-isa=pentium", log)) << log;
  EXPECT_NE(log.find("pentium"), std::string::npos) << log;
  if (!__builtin_cpu_supports("avx512f")) {
    EXPECT_FALSE(Program::fromSpirv(testModule("atomics"), "-hiplz-isa=avx512", log));
    EXPECT_NE(log.find("HIPLZ_CPU_ISA"), std::string::npos) << log;
  }
  ::unsetenv("HIPLZ_CACHE");
  if (environment)
    ::setenv("HIPLZ_CPU_ISA", before.c_str(), 1);
}

// The compiler's log has a test of its own in CTest (compiler.declined_kernels_are_named).
TEST(BuildFlags, DebugInformationOfDeclinedKernels) {
  const Program *program = testProgram("waiting", "-g");
  ASSERT_TRUE(program);
  EXPECT_TRUE(program->code(*program->findKernel("spin_lock"), 64));
}

TEST(BuildFlags, FastMathStillComputes) {
  std::vector<float> a{1, 2, 3, 4}, b{10, 20, 30, 40}, c(4);
  Launch(testProgram("basic", "-cl-fast-relaxed-math -cl-denorms-are-zero"), "vecadd")
      .arg(a)
      .arg(b)
      .arg(c)
      .arg(4)
      .run({1, 1, 1}, {4, 1, 1});
  EXPECT_EQ(c, (std::vector<float>{11, 22, 33, 44}));
}

TEST(BuildFlags, FastMathUsesVectorFunctions) {
  const Program *program = testProgram("math", "-cl-fast-relaxed-math");
  std::vector<float> in(1024), out(1024);
  for (int i = 0; i < 1024; ++i)
    in[i] = 0.01f * float(i);
  Launch(program, "sin_f32").arg(in).arg(out).run({4, 1, 1}, {256, 1, 1});
  for (int i = 0; i < 1024; ++i)
    ASSERT_NEAR(out[i], std::sin(in[i]), 1e-6);
}

} // namespace
} // namespace hiplz::cpu
