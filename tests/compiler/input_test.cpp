// SPDX-License-Identifier: MIT
// Bad SPIR-V: a sentence in the build log, whatever the translator does with it, and a process that goes on.
#include "greedy_module.h"
#include "harness.h"

#include "base/sanitizer.h"

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

uint32_t wordAt(const std::vector<std::byte> &spirv, size_t index) {
  uint32_t word;
  std::memcpy(&word, spirv.data() + index * 4, sizeof word);
  return word;
}

/// Index of the first instruction with this opcode.
size_t findInstruction(const std::vector<std::byte> &spirv, uint32_t opcode) {
  for (size_t i = 5; i < spirv.size() / 4; i += wordAt(spirv, i) >> 16)
    if ((wordAt(spirv, i) & 0xffff) == opcode)
      return i;
  ADD_FAILURE() << "no instruction " << opcode;
  return 5;
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
  putWord(spirv, 0, __builtin_bswap32(0x07230203));
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
  constexpr uint32_t kOpCapability = 17;
  putWord(spirv, findInstruction(spirv, kOpCapability) + 1, 31337);
  std::string log = logOf(spirv);
  EXPECT_NE(log.find("capability 31337"), std::string::npos) << log;
}

TEST(BadSpirv, GraphicsModule) {
  auto spirv = testModule("atomics");
  constexpr uint32_t kOpCapability = 17, kShader = 1;
  putWord(spirv, findInstruction(spirv, kOpCapability) + 1, kShader);
  EXPECT_NE(logOf(spirv).find("capability 1 "), std::string::npos);
}

// Without its operands an instruction would let the translator read those of the next one, and reserve memory by them.
TEST(BadSpirv, LengthsThatAnInstructionCannotHaveAreNamed) {
  constexpr uint32_t kOpNop = 1 << 16 | 0;
  const auto whole = testModule("atomics");
  for (uint32_t opcode :
       {21u /* OpTypeInt */, 54u /* OpFunction */, 61u /* OpLoad */, 12u /* OpExtInst */, 248u /* OpLabel */}) {
    auto spirv = whole;
    size_t at = 5;
    while (at < spirv.size() / 4 && (wordAt(spirv, at) & 0xffff) != opcode)
      at += wordAt(spirv, at) >> 16;
    if (at >= spirv.size() / 4)
      continue;
    const uint32_t words = wordAt(spirv, at) >> 16;
    putWord(spirv, at, 1 << 16 | opcode);
    for (uint32_t k = 1; k < words; ++k)
      putWord(spirv, at + k, kOpNop);
    EXPECT_NE(logOf(spirv).find("(opcode " + std::to_string(opcode) + ") cannot have 1 words"), std::string::npos);
  }
}

TEST(BadSpirv, VectorsWithoutEndAreNamed) {
  auto spirv = testModule("basic");
  constexpr uint32_t kOpTypeVector = 23;
  putWord(spirv, findInstruction(spirv, kOpTypeVector) + 3, 1 << 16);
  EXPECT_NE(logOf(spirv).find("vectors of 65536 components"), std::string::npos);
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
  for (size_t i = 5; i < whole.size() / 4; i += wordAt(whole, i) >> 16) {
    const uint32_t opcode = wordAt(whole, i) & 0xffff;
    const bool isImages = opcode == 25 || opcode == 27 || opcode == 45 || (opcode >= 86 && opcode <= 107);
    for (size_t k = 1; k < wordAt(whole, i) >> 16 && (isImages || !isForImages); ++k)
      operands.push_back(i + k);
  }
  const char *more = std::getenv("HIPLZ_TEST_ROUNDS");
  std::mt19937 random(more ? static_cast<unsigned>(std::atoi(more)) : 11);
  for (int round = 0; round < (more ? std::atoi(more) : 25); ++round) {
    auto spirv = whole;
    for (int k = 0; k < 2; ++k)
      putWord(spirv, operands[random() % operands.size()], random() % 3 ? random() % wordAt(whole, 3) : random());
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
  constexpr uint32_t kOpExtInst = 12; // type, result, set, number
  putWord(spirv, findInstruction(spirv, kOpExtInst) + 4, 31337);
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
