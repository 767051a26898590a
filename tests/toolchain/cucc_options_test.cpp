// SPDX-License-Identifier: MIT
// What cucc makes of nvcc's options, without running anything.
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
