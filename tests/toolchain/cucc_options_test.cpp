// SPDX-License-Identifier: MIT
// The options that cucc makes of nvcc's, without running anything.
#include "tools/cucc/explain.h"
#include "tools/cucc/lenient.h"
#include "tools/cucc/translate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace hiplz::cucc;
using testing::HasSubstr;

namespace {

// Files whose names begin with "device" hold device code.
bool holdsDeviceCode(const std::string &input, const Words &folders) {
  return input.starts_with("device") || (input == "-ldevice" && folders == Words{"folder"});
}

// The words for hipcc behind those that every command gets.
Words translated(const Words &words) {
  const Translation translation = translate(words, "/p", holdsDeviceCode);
  EXPECT_EQ(translation.error, "");
  const Words always = {"-isystem", "/p/include/hiplz/cuda", "-isystem",           "/p/include/hiplz/cuda_absent",
                        "-include", "hiplz/cuda/cucc.h",     "-Wno-error=register"};
  EXPECT_TRUE(translation.words.size() >= always.size() &&
              std::equal(always.begin(), always.end(), translation.words.begin()));
  return {translation.words.begin() + always.size(), translation.words.end()};
}
std::string errorOf(const Words &words) { return translate(words, "/p", holdsDeviceCode).error; }

} // namespace

TEST(CuccOptions, PassesWhatClangKnows) {
  const Words words = {"-O2", "-std=c++14", "-Idir", "-DX=1", "-c", "a.cu", "-o", "a.o", "-Wall", "-fPIC", "-MD", "-v"};
  EXPECT_EQ(translated(words), words);
}

TEST(CuccOptions, TakesLongNamesAndValuesInBothForms) {
  EXPECT_EQ(translated({"--compile", "--std", "c++17", "--optimize=3", "--output-file=x.o", "-I", "dir",
                        "--include-path=d", "--define-macro", "A=2", "-O", "1"}),
            (Words{"-c", "-std=c++17", "-O3", "-o", "x.o", "-Idir", "-Id", "-DA=2", "-O1"}));
  EXPECT_EQ(translated({"-lineinfo", "-use_fast_math", "--dryrun"}),
            (Words{"-gline-tables-only", "-ffast-math", "-###"}));
}

TEST(CuccOptions, OnlyTheDebuggerOfKernelsTurnsTheirOptimisationOff) {
  EXPECT_EQ(translated({"-g", "-lineinfo", "a.cu"}), (Words{"-g", "-gline-tables-only", "a.cu"}));
  EXPECT_EQ(translated({"-G", "-O3", "a.cu"}), (Words{"-g", "-O3", "a.cu", "-Xarch_device", "-O0"}));
}

TEST(CuccOptions, DivisionsAndRootsAreInexactWhereBothMayBe) {
  const std::string inexact = "-fno-hip-fp32-correctly-rounded-divide-sqrt";
  EXPECT_EQ(translated({"-prec-div=false", "a.cu", "--prec-sqrt", "false"}), (Words{"a.cu", inexact}));
  EXPECT_EQ(translated({"-prec-div=false", "a.cu"}), (Words{"a.cu"}));
  EXPECT_EQ(translated({"-prec-div=true", "-prec-sqrt=false", "a.cu"}), (Words{"a.cu"}));
  EXPECT_EQ(translated({"-prec-div=false", "-prec-sqrt=false", "-prec-sqrt=true", "a.cu"}), (Words{"a.cu"}));
}

TEST(CuccOptions, IgnoresWhatIsAboutNvidiasGpusAndTools) {
  const Words words = {"-arch=sm_70",
                       "--gpu-architecture",
                       "compute_80",
                       "-gencode",
                       "arch=compute_60,code=sm_60",
                       "-gencode=arch=compute_70,code=\"sm_70,compute_70\"",
                       "-code=sm_70",
                       "-Xptxas",
                       "-v,-O3",
                       "--ptxas-options=-v",
                       "-maxrregcount=32",
                       "--maxrregcount",
                       "64",
                       "-ccbin",
                       "g++-10",
                       "-ccbin=gcc",
                       "-m64",
                       "-m",
                       "64",
                       "-cudart",
                       "static",
                       "--cudart=shared",
                       "-lcudart",
                       "-lcudart_static",
                       "-lcuda",
                       "-l",
                       "cudadevrt",
                       "-t0",
                       "-t",
                       "4",
                       "--keep",
                       "-res-usage",
                       "-Wno-deprecated-gpu-targets",
                       "-diag-suppress=20012",
                       "-Xcudafe",
                       "--diag_suppress=x"};
  const Translation translation = translate(words, "/p", holdsDeviceCode);
  EXPECT_EQ(translation.words, (Words{"-isystem", "/p/include/hiplz/cuda", "-isystem", "/p/include/hiplz/cuda_absent",
                                      "-include", "hiplz/cuda/cucc.h", "-Wno-error=register"}));
  EXPECT_EQ(translation.notes.size(), 26u);
  EXPECT_THAT(translation.notes[0], HasSubstr("-arch=sm_70 is ignored"));
}

TEST(CuccOptions, HandsOnWhatIsForTheHostCompilerAndTheLinker) {
  EXPECT_EQ(translated({"-Xcompiler", "-Wall,-Wextra", "-Xcompiler=-fPIC", "--compiler-options", "-O2 -g"}),
            (Words{"-Wall", "-Wextra", "-fPIC", "-O2", "-g"}));
  EXPECT_EQ(translated({"-Xcompiler=\"-fopenmp\"", R"(-Xcompiler=-Wl\,-rpath\,/x)"}),
            (Words{"-fopenmp", "-Wl,-rpath,/x"}));
  EXPECT_EQ(translated({"-Xlinker", "-rpath,/x", "--linker-options=--as-needed"}),
            (Words{"-Xlinker", "-rpath", "-Xlinker", "/x", "-Xlinker", "--as-needed"}));
}

TEST(CuccOptions, LinksDeviceCodeOfSeveralFiles) {
  EXPECT_EQ(translated({"-rdc=true", "-c", "a.cu"}), (Words{"-fgpu-rdc", "-c", "a.cu", "-D__CUDACC_RDC__"}));
  EXPECT_EQ(translated({"-dc", "a.cu"}), (Words{"-fgpu-rdc", "-c", "a.cu", "-D__CUDACC_RDC__"}));
  EXPECT_EQ(translated({"--relocatable-device-code", "false", "-c", "a.cu"}), (Words{"-fno-gpu-rdc", "-c", "a.cu"}));
  EXPECT_THAT(errorOf({"-dlink", "a.o", "-o", "d.o"}), HasSubstr("-rdc=true"));
}

TEST(CuccOptions, LinksDeviceCodeWithoutBeingTold) {
  EXPECT_EQ(translated({"a.o", "device.o", "-o", "app"}), (Words{"a.o", "device.o", "-o", "app", "-fgpu-rdc"}));
  EXPECT_EQ(translated({"main.cu", "device.a"}), (Words{"main.cu", "device.a", "-fgpu-rdc"}));
  EXPECT_EQ(translated({"a.o", "-L", "folder", "-ldevice"}), (Words{"a.o", "-Lfolder", "-ldevice", "-fgpu-rdc"}));
  EXPECT_EQ(translated({"a.o", "b.a", "-o", "device.o"}), (Words{"a.o", "b.a", "-o", "device.o"}));
  EXPECT_EQ(translated({"-c", "device.o"}), (Words{"-c", "device.o"}));
}

TEST(CuccOptions, LeavesCxxSourcesToCxx) {
  EXPECT_EQ(translated({"a.cu", "b.cpp", "c.c", "d.o"}),
            (Words{"a.cu", "-x", "c++", "b.cpp", "-x", "none", "c.c", "d.o"}));
  EXPECT_EQ(translated({"-x", "cu", "b.cpp"}), (Words{"-x", "hip", "b.cpp"}));
  EXPECT_THAT(errorOf({"k.ptx"}), HasSubstr("compile its source"));
}

TEST(CuccOptions, KnowsNvccsOwnRules) {
  EXPECT_EQ(translated({"--default-stream", "per-thread"}), (Words{"-fgpu-default-stream=per-thread"}));
  EXPECT_EQ(translated({"-default-stream=legacy"}), Words());
  EXPECT_THAT(errorOf({"--default-stream=mine"}), HasSubstr("per-thread"));
  EXPECT_EQ(translated({"-DCUDA_API_PER_THREAD_DEFAULT_STREAM"}),
            (Words{"-DCUDA_API_PER_THREAD_DEFAULT_STREAM", "-fgpu-default-stream=per-thread"}));
  EXPECT_EQ(translated({"-fmad=false"}), (Words{"-ffp-contract=off"}));
  EXPECT_EQ(translated({"-Werror", "all-warnings", "-Werror=reorder"}), (Words{"-Werror"}));
  EXPECT_EQ(translated({"--extended-lambda", "--expt-relaxed-constexpr"}),
            (Words{"-D__CUDACC_EXTENDED_LAMBDA__", "-D__CUDACC_RELAXED_CONSTEXPR__"}));
  EXPECT_EQ(translated({"-odir", "out", "-c", "dir/a.cu"}), (Words{"-c", "dir/a.cu", "-o", "out/a.o"}));
  EXPECT_THAT(errorOf({"-odir", "out", "a.cu"}), HasSubstr("one source"));
  EXPECT_EQ(translated({"-cubin", "k.cu", "-o", "k.cubin"}), (Words{"--genco", "k.cu", "-o", "k.cubin"}));
  EXPECT_THAT(errorOf({"-optix-ir", "k.cu"}), HasSubstr("PTX"));
  EXPECT_EQ(translated({"a.cu", "-lnvrtc", "-lm"}), (Words{"a.cu", "-lhiprtc", "-lm"}));
  EXPECT_THAT(errorOf({"-arch"}), HasSubstr("lacks its value"));
}

TEST(CuccOptions, KnowsEveryOptionOfNvcc) {
  for (const char *flag : {"-objtemp",
                           "-ewp",
                           "-no-compress",
                           "-dlto",
                           "-jobserver",
                           "-no-host-device-initializer-list",
                           "-aug-hls",
                           "-noprof",
                           "-use-local-env",
                           "-minimal",
                           "-reloc-ptx",
                           "-extra-device-vectorization",
                           "-restrict",
                           "-src-in-ptx",
                           "-nodlink",
                           "-keep",
                           "-clean",
                           "-Wmissing-launch-bounds",
                           "--no-host-device-move-forward",
                           "--extensible-whole-program"})
    EXPECT_EQ(translated({flag, "a.cu"}), Words{"a.cu"}) << flag;
  for (const char *valued :
       {"-compress-mode", "-opt-info", "-split-compile-extended", "-hls", "-run-args", "-idp", "-ddp", "-dp", "-jtd",
        "-brief-diag", "--device-stack-protector", "--fdevice-time-trace", "-Ofc", "-dopt", "-time", "-arbin", "-ldir"})
    EXPECT_EQ(translated({valued, "value", "a.cu"}), Words{"a.cu"}) << valued;
  EXPECT_EQ(translated({"-MT", "t", "--ftemplate-depth=9", "--frandom-seed", "7", "--fdevice-syntax-only"}),
            (Words{"-MT", "t", "-ftemplate-depth=9", "-frandom-seed=7", "-fsyntax-only"}));
  EXPECT_THAT(errorOf({"-ltoir", "k.cu"}), HasSubstr("PTX"));
}

TEST(CuccLeniency, FindsPlacesInClangsMessages) {
  const std::string messages =
      "a.cu:3:5: error: invalid % escape in inline assembly string\n"
      "  asm(...)\n"
      "b.h:7:1: error: invalid output constraint '=l' in asm\n"
      "./b.h:2:9: note: expanded from macro 'M'\n"
      "\x1b[1ma.cu:4:6: \x1b[0m\x1b[0;1;31merror: \x1b[0m'alignas' attribute cannot be applied to types\n"
      "a.cu:9:1: error: something else\n";
  const auto found = lenienciesIn(messages);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found.at("a.cu"), (std::vector<Leniency>{{3, 5, LeniencyKind::escape}, {4, 6, LeniencyKind::alignment}}));
  EXPECT_EQ(found.at("b.h"), (std::vector<Leniency>{{7, 1, LeniencyKind::constraint}}));
  EXPECT_EQ(found.at("./b.h"), (std::vector<Leniency>{{2, 9, LeniencyKind::constraint}}));
  EXPECT_EQ(findLeniency("a.cu:9:1: error: something else\n"), std::string::npos);
}

TEST(CuccLeniency, PutsRightWhatStandsThere) {
  EXPECT_EQ(
      putRight("printf(\"%clock\");\nasm(\"mov %0, %clock;\"\n    \"mov %1, %%tid.x, %tid.y;\" : "
               "\"=r\"(x));\nf(\"%tid\");\n",
               {{2, 15, LeniencyKind::escape}}),
      "printf(\"%clock\");\nasm(\"mov %0, %%clock;\"\n    \"mov %1, %%tid.x, %%tid.y;\" : \"=r\"(x));\nf(\"%tid\");\n");
  EXPECT_EQ(putRight("x: \"=l\"(a), \"+&f\"(b), \"=r\"(c)",
                     {{1, 4, LeniencyKind::constraint}, {1, 13, LeniencyKind::constraint}}),
            "x: \"=r\"(a), \"+&r\"(b), \"=r\"(c)");
  EXPECT_EQ(putRight("X<T>::f<1>() + x.g<2>()", {{1, 7, LeniencyKind::keyword}, {1, 18, LeniencyKind::keyword}}),
            "X<T>::template f<1>() + x.template g<2>()");
  EXPECT_EQ(putRight("  X<T, U>::f<n>(a::g<1>(), y)", {{1, 3, LeniencyKind::scope}}),
            "  X<T, U>::template f<n>(a::g<1>(), y)");
  EXPECT_EQ(putRight("  f<n>(y);", {{1, 3, LeniencyKind::scope}}), "  f<n>(y);");
  EXPECT_EQ(putRight("__shared__ alignas(16) int x;", {{1, 12, LeniencyKind::alignment}}),
            "__shared__ _Alignas(16) int x;");
  EXPECT_EQ(putRight("other\n", {{1, 1, LeniencyKind::alignment}, {5, 1, LeniencyKind::constraint}}), "other\n");
}

TEST(CuccExplanation, NamesThePackageOfAMissingHeader) {
  EXPECT_THAT(explanationOf("a.cu:1:10: fatal error: 'thrust/sort.h' file not found\n"), HasSubstr("librocthrust-dev"));
  EXPECT_THAT(explanationOf("cub.cuh:6:10: fatal error: 'hipcub/hipcub.hpp' file not found\n"),
              HasSubstr("libhipcub-dev"));
  EXPECT_THAT(explanationOf("c.h:6:10: fatal error: 'rocrand/rocrand_kernel.h' file not found\n"),
              HasSubstr("librocrand-dev"));
  EXPECT_EQ(explanationOf("a.cu:1:10: fatal error: 'mine.h' file not found\n"), "");
}
