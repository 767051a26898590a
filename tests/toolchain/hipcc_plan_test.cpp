// SPDX-License-Identifier: MIT
// The commands that hipcc makes of its arguments, word by word.
#include "tools/hipcc/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace hiplz::hipcc;
using testing::Contains;
using testing::ElementsAreArray;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

namespace {

const Words kOffload = {"--offload=spirv64", "--hip-path=/p", "-B/p/lib/hiplz/bin"};
const Words kHeaders = {"-isystem", "/p/include"};
const Words kDevice = {"-Xarch_device", "-U__FLOAT128__",
                       "-Xarch_device", "-U__SIZEOF_FLOAT128__",
                       "-Xarch_device", "-Wp,-no-enable-noundef-analysis",
                       "-Xarch_device", "-fpass-plugin=/p/lib/libLLVMHipSpvPasses.so",
                       "-Xarch_device", "-Wp,-debug-info-kind=line-directives-only"};
const Words kLibrary = {"-L/p/lib", "-lhiplz", "-Wl,-rpath,/p/lib"};
const Words kWrapper = {"-include", "hip/spirv/compiler_wrapper.h", "-isystem", "/p/include/hip/spirv/std"};
const Words kHip = {"-std=gnu++17", "-O3", kWrapper[0], kWrapper[1], kWrapper[2], kWrapper[3]};

Words operator+(Words a, const Words &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

class HipccPlan : public testing::Test {
protected:
  HipccPlan() {
    settings.clang = "clang";
    settings.prefix = "/p";
    settings.temporaryFile = [this](const std::string &ending) { return "/t/" + std::to_string(files++) + ending; };
    settings.holdsDeviceCode = [](const std::string &name) { return name.starts_with("dev"); };
    settings.isSpecialFile = [](const std::string &path) { return path == "/dev/null"; };
    settings.deviceCodeOfLibrary = [](const std::string &library, const Words &folders) {
      return library == "-lkernels" && folders == Words{"dir"} ? LibraryWithDeviceCode{"dir/libkernels.a", {"/t/k.o"}}
                                                               : LibraryWithDeviceCode();
    };
  }

  Plan plan(const Words &words) { return makePlan(words, settings); }

  // The only command, without the compiler's name.
  Words only(const Words &words) {
    const Plan result = plan(words);
    EXPECT_THAT(result.commands, SizeIs(1));
    EXPECT_EQ(result.commands.at(0).at(0), "clang");
    return Words(result.commands[0].begin() + 1, result.commands[0].end());
  }

  Settings settings;
  int files = 0;
};

bool containsInOrder(const Words &words, const Words &part) {
  return std::search(words.begin(), words.end(), part.begin(), part.end()) != words.end();
}

} // namespace

TEST_F(HipccPlan, CompilesAndLinksOneFile) {
  EXPECT_THAT(only({"app.hip", "-o", "app"}), ElementsAreArray(kOffload + kHeaders + kDevice + kHip +
                                                               Words{"-x", "hip", "app.hip", "-o", "app"} + kLibrary));
}

TEST_F(HipccPlan, CompileOnlyAddsNothingForTheLinker) {
  EXPECT_THAT(only({"-c", "a.cpp"}),
              ElementsAreArray(kOffload + kHeaders + kDevice + kHip + Words{"-c", "-x", "hip", "a.cpp"}));
  for (const char *stop : {"-c", "-E", "-fsyntax-only", "--genco", "-M", "-MM"})
    EXPECT_THAT(only({stop, "a.hip"}), Not(Contains("-lhiplz"))) << stop;
}

TEST_F(HipccPlan, ChosenOptimisationDebugAndLanguageAreKept) {
  EXPECT_THAT(only({"-c", "a.hip", "-O1"}), Not(Contains("-O3")));
  EXPECT_THAT(only({"-c", "a.hip", "-g"}), Contains("-O3")); // AMD's hipcc looks for -O alone
  EXPECT_THAT(only({"-c", "a.hip", "-g", "-O0"}), Not(Contains("-O3")));
  const Words words = only({"-c", "a.hip", "-std=c++14"});
  EXPECT_THAT(words, Contains("-std=c++14"));
  EXPECT_THAT(words, Not(Contains("-std=gnu++17")));
}

TEST_F(HipccPlan, DeviceCodeHasDebugInformationToo) {
  const Words lines = {"-Xarch_device", "-Wp,-debug-info-kind=line-tables-only"};
  for (const char *option : {"-g", "-g1", "-g2", "-g3", "-ggdb", "-ggdb3", "-gdwarf-4", "-gline-tables-only"})
    EXPECT_TRUE(containsInOrder(only({"-c", "a.hip", "-g0", option}), lines)) << option;
  EXPECT_FALSE(containsInOrder(only({"-c", "a.hip", "-g", "-g0"}), lines));
  EXPECT_FALSE(containsInOrder(only({"-c", "a.hip"}), lines));
  EXPECT_FALSE(containsInOrder(only({"-c", "a.c", "-g"}), lines));
  EXPECT_FALSE(containsInOrder(only({"-c", "a.hip", "-g", "--cuda-host-only"}), lines));
}

TEST_F(HipccPlan, ObjectsAloneAreLinkedWithoutHipOptions) {
  EXPECT_THAT(only({"a.o", "libb.a", "-lm", "-o", "app"}),
              ElementsAreArray(Words{"a.o", "libb.a", "-lm", "-o", "app"} + kLibrary));
}

TEST_F(HipccPlan, OrderOfSourcesObjectsAndLibrariesIsKept) {
  const Words words = only({"a.o", "b.hip", "-lx", "c.a", "d.cpp", "-Wl,--start-group", "e.so", "-Wl,--end-group"});
  EXPECT_TRUE(containsInOrder(words, {"a.o", "-x", "hip", "b.hip", "-lx", "-x", "none", "c.a", "-x", "hip", "d.cpp",
                                      "-Wl,--start-group", "-x", "none", "e.so", "-Wl,--end-group", "-L/p/lib"}))
      << testing::PrintToString(words);
}

TEST_F(HipccPlan, CAloneGetsNoHipOptions) {
  EXPECT_THAT(only({"-c", "a.c"}), ElementsAreArray(Words{"-isystem", "/p/include", "-O3", "-c", "-x", "c", "a.c"}));
  EXPECT_THAT(only({"-c", "-x", "c++", "a.cpp"}), Not(Contains("--offload=spirv64")));
}

TEST_F(HipccPlan, CBesideHipIsCompiledFirstAndLinkedInItsPlace) {
  const Plan result = plan({"-std=c++20", "a.hip", "b.c", "c.o", "-lm", "-o", "app"});
  ASSERT_THAT(result.commands, SizeIs(2));
  EXPECT_THAT(result.commands[0], ElementsAreArray(Words{"clang", "-isystem", "/p/include", "-O3", "-lm", "-c",
                                                         "-Qunused-arguments", "-x", "c", "b.c", "-o", "/t/0.o"}));
  EXPECT_TRUE(containsInOrder(result.commands[1], {"-std=c++20", "-x", "hip", "a.hip", "-x", "none", "/t/0.o", "c.o"}));
  const Plan compiled = plan({"-c", "-std=c99", "a.hip", "b.c"});
  ASSERT_THAT(compiled.commands, SizeIs(2));
  EXPECT_TRUE(containsInOrder(compiled.commands[0], {"-c", "-std=c99", "-x", "c", "b.c"}));
  EXPECT_THAT(compiled.commands[1], Not(Contains("-std=c99")));
  EXPECT_THAT(compiled.commands[1], Not(Contains("b.c")));
}

TEST_F(HipccPlan, OneNameForSeveralOutputsIsLeftForClangToRefuse) {
  for (const char *output : {"-S", "-c"}) {
    const Words words = only({output, "a.hip", "b.c", "-oout"});
    EXPECT_TRUE(containsInOrder(words, {"-x", "hip", "a.hip", "-x", "c", "b.c", "-o", "out"}));
  }
}

TEST_F(HipccPlan, OptionsOfOtherVendorsAreDroppedWithANote) {
  const Plan result = plan({"-c", "a.hip", "--offload-arch=gfx90a", "--amdgpu-target=gfx900", "--cuda-gpu-arch=sm_70",
                            "-mllvm", "-amdgpu-early-inline-all=true", "-munsafe-fp-atomics", "--hip-path=/opt/rocm"});
  EXPECT_THAT(result.notes, SizeIs(6));
  EXPECT_THAT(result.notes[0], HasSubstr("--offload-arch=gfx90a"));
  EXPECT_THAT(result.commands.at(0), ElementsAreArray(Words{"clang"} + kOffload + kHeaders + kDevice + kHip +
                                                      Words{"-c", "-x", "hip", "a.hip"}));
}

TEST_F(HipccPlan, WarpsOf64LanesAreAWarning) {
  EXPECT_THAT(plan({"-c", "a.hip", "-mwavefrontsize64"}).warnings, SizeIs(1));
  const Plan quiet = plan({"-c", "a.hip", "-mno-wavefrontsize64"});
  EXPECT_THAT(quiet.warnings, SizeIs(0));
  EXPECT_THAT(quiet.notes, SizeIs(1));
}

TEST_F(HipccPlan, TheKindOfPrintfIsAMacroOfTheHeaders) {
  const Plan result = plan({"-c", "a.hip", "-mprintf-kind=hostcall", "-mprintf-kind=buffered"});
  EXPECT_THAT(result.notes, SizeIs(0));
  EXPECT_TRUE(containsInOrder(result.commands.at(0), {"-U__HIPLZ_PRINTF_BUFFERED__", "-D__HIPLZ_PRINTF_BUFFERED__"}));
}

TEST_F(HipccPlan, TheStackOfRecursionIsANumberOfBytes) {
  const Plan result = plan({"-c", "a.hip", "--recursion-stack=4096"});
  EXPECT_EQ(result.recursionStack, "4096");
  EXPECT_THAT(result.commands.at(0), Not(Contains("--recursion-stack=4096")));
  for (const char *wrong : {"--recursion-stack=", "--recursion-stack=4k", "--recursion-stack=12345678901"})
    EXPECT_NE(plan({"-c", "a.hip", wrong}).error, "");
}

TEST_F(HipccPlan, ClangItselfIsToldHowDivisionsAreRounded) {
  const std::string yes = "-fhip-fp32-correctly-rounded-divide-sqrt",
                    no = "-fno-hip-fp32-correctly-rounded-divide-sqrt";
  EXPECT_TRUE(containsInOrder(only({"-c", yes, no, "a.hip"}), {"a.hip", "-Xclang", no}));
  EXPECT_THAT(only({"-c", no, yes, "a.hip"}), Not(Contains(testing::AnyOf(no, yes))));
}

const std::string kNativeFolder = "-B/p/lib/hiplz/native"; // with the bundler that calls ocloc

TEST_F(HipccPlan, NamesOfIntelAskForNativeCode) {
  const Plan result = plan({"-c", "a.hip", "--offload-arch=pvc,gfx90a:xnack+", "--offload-arch=adl-s",
                            "--offload-arch=pvc", "--offload-arch=native,generic,sm_70,compute_70,gfx9-generic"});
  EXPECT_EQ(result.error, "");
  EXPECT_THAT(result.devices, ElementsAreArray({"pvc", "adl-s"}));
  EXPECT_THAT(result.notes, SizeIs(6));
  EXPECT_THAT(result.commands.at(0), ElementsAreArray(Words{"clang", kNativeFolder} + kOffload + kHeaders + kDevice +
                                                      kHip + Words{"-c", "-x", "hip", "a.hip"}));
  EXPECT_THAT(plan({"--genco", "a.hip", "--offload-arch=12.60.7,0x0bd5,xe-hpc"}).devices, SizeIs(3));
  EXPECT_THAT(plan({"--genco", "a.hip", "--offload-arch= pvc , adl-s "}).devices, ElementsAreArray({"pvc", "adl-s"}));
  EXPECT_THAT(plan({"--genco", "a.hip", "--offload-arch=generic "}).error, IsEmpty());
  EXPECT_THAT(plan({"-S", "a.hip", "--offload-arch=pvc"}).commands.at(0), Contains(kNativeFolder));
}

TEST_F(HipccPlan, NamesAreTakenBackAndComeFromTheEnvironment) {
  EXPECT_THAT(plan({"-c", "a.hip", "--offload-arch=pvc,skl", "--no-offload-arch=pvc"}).devices,
              ElementsAreArray({"skl"}));
  EXPECT_THAT(plan({"-c", "a.hip", "--offload-arch=pvc,skl", "--no-offload-arch=all"}).devices, IsEmpty());
  settings.devices = {"tgllp", "gfx90a"};
  EXPECT_THAT(plan({"-c", "a.hip", "--offload-arch=gfx90a"}).devices, ElementsAreArray({"tgllp"}));
  EXPECT_THAT(plan({"-c", "a.hip", "--offload-arch=pvc"}).devices, ElementsAreArray({"pvc"}));
}

TEST(HipccNames, AreSplitAtCommas) {
  EXPECT_THAT(splitNames("pvc,adl-s"), ElementsAreArray({"pvc", "adl-s"}));
  EXPECT_THAT(splitNames(",pvc,,"), ElementsAreArray({"pvc"}));
  EXPECT_THAT(splitNames(""), IsEmpty());
}

TEST_F(HipccPlan, NativeCodeIsMadeWhereDeviceCodeIsFinished) {
  const auto devices = [&](const Words &words) { return plan(words + Words{"--offload-arch=pvc"}).devices; };
  EXPECT_THAT(devices({"-fgpu-rdc", "-c", "a.hip"}), IsEmpty());
  EXPECT_THAT(devices({"-fgpu-rdc", "dev.o"}), SizeIs(1));
  EXPECT_THAT(devices({"-fgpu-rdc", "a.hip"}), SizeIs(1));
  EXPECT_THAT(devices({"dev.o"}), IsEmpty());
  EXPECT_THAT(devices({"-c", "a.c"}), IsEmpty());
  for (const char *reading : {"-E", "-M", "-MM", "-fsyntax-only", "--cuda-host-only", "--offload-host-only"})
    EXPECT_THAT(devices({reading, "a.hip"}), IsEmpty()) << reading;
}

TEST_F(HipccPlan, NamesWithSomethingBehindThemAreRefused) {
  for (const char *name : {"pvc:fast", "skl:pvc", "pvc+x", "pvc/../x", "p v c", "pvc;true"}) {
    const Plan result = plan({"-c", "a.hip", std::string("--offload-arch=") + name});
    EXPECT_THAT(result.error, HasSubstr(name));
    EXPECT_THAT(result.commands, IsEmpty());
  }
}

TEST_F(HipccPlan, OtherOptionsOfLlvmAreKept) {
  EXPECT_TRUE(
      containsInOrder(only({"-c", "a.hip", "-mllvm", "-inline-threshold=9"}), {"-mllvm", "-inline-threshold=9"}));
}

TEST_F(HipccPlan, OptionsForHostCodeDoNotReachDeviceCode) {
  EXPECT_TRUE(containsInOrder(only({"-c", "a.hip", "-fsanitize=address"}), {"-Xarch_host", "-fsanitize=address"}));
  EXPECT_THAT(only({"a.o", "-fsanitize=address"}), Not(Contains("-Xarch_host")));
  for (const char *option : {"-finstrument-functions", "-fpatchable-function-entry=2"})
    EXPECT_TRUE(containsInOrder(only({"-c", "a.hip", option}), {"-Xarch_host", option}));
}

TEST_F(HipccPlan, QuotesAndSpacesInsideWordsAreNotTouched) {
  EXPECT_THAT(only({"-c", "a.hip", "-DX=\"a b\"", "-DY='$z'"}),
              testing::AllOf(Contains("-DX=\"a b\""), Contains("-DY='$z'")));
}

TEST_F(HipccPlan, GencoMakesABundleOfDeviceCode) {
  EXPECT_TRUE(containsInOrder(only({"--genco", "a.hip", "-o", "a.co"}),
                              {"--cuda-device-only", "--gpu-bundle-output", "-c", "-x", "hip", "a.hip", "-o", "a.co"}));
  const Plan result = plan({"--genco", "-fgpu-rdc", "a.hip"});
  EXPECT_THAT(result.notes, SizeIs(1));
  EXPECT_THAT(result.commands.at(0), Not(Contains("-fgpu-rdc")));
}

TEST_F(HipccPlan, DependenciesAreAskedOfTheHostSideAlone) {
  EXPECT_THAT(only({"-MM", "a.hip"}), Contains("--cuda-host-only"));
  EXPECT_THAT(only({"-MD", "-c", "a.hip"}), Not(Contains("--cuda-host-only")));
  EXPECT_THAT(only({"-MM", "a.c"}), Not(Contains("--cuda-host-only")));
}

TEST_F(HipccPlan, AssemblyTakesTheDeviceCodeIn) {
  const Plan result = plan({"-S", "a.hip", "-o", "a.s", "-MD", "-DX"});
  ASSERT_THAT(result.commands, SizeIs(2));
  EXPECT_TRUE(
      containsInOrder(result.commands[0], {"--cuda-device-only", "--gpu-bundle-output", "-c", "-o", "/t/0.hipfb"}));
  EXPECT_THAT(result.commands[0],
              testing::AllOf(Not(Contains("-S")), Not(Contains("a.s")), Not(Contains("-MD")), Contains("-DX")));
  EXPECT_THAT(result.commands[1],
              testing::AllOf(Contains("-S"), Contains("a.s"), Contains("-MD"), Contains("--cuda-host-only")));
  EXPECT_TRUE(containsInOrder(result.commands[1], {"-Xclang", "-fcuda-include-gpubinary", "-Xclang", "/t/0.hipfb"}));
  EXPECT_THAT(plan({"-S", "a.hip", "b.hip"}).commands, SizeIs(4));
  EXPECT_THAT(plan({"-S", "-emit-llvm", "a.hip"}).commands, SizeIs(1));
}

TEST_F(HipccPlan, RelocatableDeviceCodeIsLinked) {
  EXPECT_THAT(only({"-fgpu-rdc", "-c", "a.hip"}), Not(Contains("--hip-link")));
  EXPECT_THAT(only({"-fgpu-rdc", "dev1.o", "main.o", "dev2.o", "-Ldir", "-lkernels", "-lm", "-o", "app"}),
              ElementsAreArray(kOffload +
                               Words{"-fgpu-rdc", "dev1.o", "-Xlinker", "main.o", "dev2.o", "-Ldir", "-Xlinker",
                                     "dir/libkernels.a", "-lm", "-o", "app", "/t/k.o", "--hip-link", "-no-hip-rt",
                                     "-Wl,-z,noexecstack"} +
                               kLibrary));
  EXPECT_THAT(only({"-fgpu-rdc", "-fno-gpu-rdc", "dev1.o"}), Not(Contains("--hip-link")));
}

TEST_F(HipccPlan, AmdsRuntimeIsNeverLinked) {
  EXPECT_THAT(only({"--hip-link", "a.o"}), Contains("-no-hip-rt"));
  EXPECT_THAT(only({"-no-hip-rt", "a.o"}), Not(Contains("-lhiplz")));
  EXPECT_THAT(only({"-r", "a.o", "b.o"}), Not(Contains("-lhiplz")));
}

TEST_F(HipccPlan, WithoutInputsNothingIsAdded) {
  EXPECT_THAT(only({"-v"}), ElementsAreArray(Words{"-v"}));
  EXPECT_THAT(only({"--version"}), ElementsAreArray(Words{"--version"}));
  EXPECT_THAT(only({}), IsEmpty());
  EXPECT_THAT(only({"-print-search-dirs"}), ElementsAreArray(Words{"-print-search-dirs"}));
}

TEST_F(HipccPlan, FlagsFromTheEnvironmentGoWithTheirSteps) {
  settings.compileFlags = {"-DFROM_ENV"};
  settings.linkFlags = {"-lextra"};
  EXPECT_THAT(only({"-c", "a.hip"}), testing::AllOf(Contains("-DFROM_ENV"), Not(Contains("-lextra"))));
  EXPECT_THAT(only({"a.o"}), testing::AllOf(Not(Contains("-DFROM_ENV")), Contains("-lextra")));
  EXPECT_THAT(only({"a.hip"}), testing::AllOf(Contains("-DFROM_ENV"), Contains("-lextra")));
  EXPECT_THAT(only({"--version"}), ElementsAreArray(Words{"--version"}));
}

TEST_F(HipccPlan, StandardInputIsHipUnlessItIsToldOtherwise) {
  EXPECT_TRUE(containsInOrder(only({"-E", "-"}), {"-x", "hip", "-"}));
  EXPECT_TRUE(containsInOrder(only({"-E", "-x", "c", "-"}), {"-x", "c", "-"}));
}

TEST_F(HipccPlan, NamesOfOtherCompilersAreTranslated) {
  for (const char *name : {"-use_fast_math", "--use_fast_math"})
    EXPECT_THAT(only({"-c", name, "a.hip"}), testing::AllOf(Contains("-ffast-math"), Not(Contains(name))));
  EXPECT_THAT(only({"-c", "--offload-device-only", "a.hip"}), Contains("--cuda-device-only"));
  EXPECT_THAT(only({"-c", "--offload-host-only", "a.hip"}),
              testing::AllOf(Contains("--cuda-host-only"), Not(Contains("-Xarch_device"))));
}

TEST_F(HipccPlan, HeadersOfThePrefixComeBeforeTheSystemsInEveryCompilation) {
  for (const char *source : {"a.hip", "a.c"})
    for (const char *stop : {"-c", "-E", "-M", "-fsyntax-only", "-S", "-fgpu-rdc"})
      for (const Words &command : plan({stop, source}).commands)
        EXPECT_TRUE(containsInOrder(command, kHeaders)) << stop << " " << source;
  EXPECT_THAT(only({"-c", "-x", "c++", "a.cpp", "-isystem", "/other"}), Contains("/p/include"));
  EXPECT_THAT(only({"a.o"}), Not(Contains("/p/include")));
}

TEST_F(HipccPlan, RelocatableObjectsTakeNoDevicesPlace) {
  const Plan bundled = plan({"-fgpu-rdc", "-c", "a.hip", "-o/dev/null"});
  EXPECT_TRUE(containsInOrder(bundled.commands.at(0), {"-o", "/t/0.o"}));
  EXPECT_EQ(bundled.output.file, "/t/0.o");
  EXPECT_EQ(bundled.output.target, "/dev/null");
  for (const Words &words : {Words{"-fgpu-rdc", "-c", "a.hip", "-o", "a.o"}, Words{"-c", "a.hip", "-o", "/dev/null"},
                             Words{"-fgpu-rdc", "-E", "a.hip", "-o", "/dev/null"},
                             Words{"-fgpu-rdc", "a.hip", "-o", "/dev/null"}, Words{"-fgpu-rdc", "-c", "a.hip"}})
    EXPECT_EQ(plan(words).output.file, "") << testing::PrintToString(words);
}

TEST_F(HipccPlan, SomebodyStaysForTheFilesThatClangForgets) {
  for (const Words &words : {Words{"a.hip"}, Words{"-c", "a.hip"}, Words{"-fgpu-rdc", "dev1.o"}, Words{"a.hip", "b.c"}})
    EXPECT_TRUE(plan(words).makesTemporaryFiles) << testing::PrintToString(words);
  for (const Words &words : {Words{"a.o"}, Words{"-c", "a.c"}, Words{"-###", "a.hip"}})
    EXPECT_FALSE(plan(words).makesTemporaryFiles) << testing::PrintToString(words);
}
