// SPDX-License-Identifier: MIT
// cucc: compiles CUDA programs with the options of nvcc. It translates them into those of hipcc and runs hipcc.
#include "fatbin/device_objects.h"
#include "hiplz/version.h"
#include "tools/cucc/explain.h"
#include "tools/cucc/translate.h"
#include "tools/prefix.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace hiplz::cucc {

namespace {

constexpr const char kHelp[] =
    R"(usage: cucc [options] files...
Compiles and links CUDA programs for every device that speaks oneAPI Level Zero, by way of HIP. Files that end in .cu
are CUDA, .cpp .cc .cxx are C++, .c is C; anything else is for the linker. It understands nvcc's options: those that
are about NVIDIA's GPUs and tools (-arch, -gencode, -Xptxas, -ccbin, -lcudart, ...) are ignored, -v tells which. All of
clang's and hipcc's options work as well (hipcc --help). Sources include <cuda_runtime.h> implicitly; <cuda.h>, <cuda_fp16.h>,
<cooperative_groups.h>, <nvrtc.h> and others exist too.

  -V, --version        print the version of CUDA whose names exist
  -h, --help           this text

The environment variables are those of hipcc.
)";

// nvcc's option for response files is -optf, or --options-file, besides @file.
Words responseFilesAsWords(const Words &given) {
  Words words;
  for (size_t i = 0; i < given.size(); ++i) {
    const std::string &word = given[i];
    const size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const bool named = name == "-optf" || name == "--options-file" || name == "-options-file" || name == "--optf";
    const std::string files = !named                 ? std::string()
                              : equals != word.npos  ? word.substr(equals + 1)
                              : i + 1 < given.size() ? given[++i]
                                                     : std::string();
    for (const std::string &file : hipcc::splitNames(files))
      words.push_back("@" + file);
    if (!named)
      words.push_back(word);
  }
  return words;
}

bool holdsDeviceCode(const std::string &input, const Words &folders) {
  if (input.starts_with("-l") || input.ends_with(".a"))
    return !deviceCodesOfLibrary(findStaticLibrary(input, folders)).empty();
  const std::optional<std::string> object = readFile(input);
  return object && deviceCodeOf(*object);
}

int run(const Words &given) {
  const auto has = [&](std::initializer_list<const char *> options) {
    return std::ranges::any_of(given, [&](const std::string &word) { return std::ranges::count(options, word) != 0; });
  };
  if (has({"-h", "--help", "-help"})) {
    std::fputs(kHelp, stdout);
    return 0;
  }
  if (has({"-V", "--version", "-version"})) {
    // In the form in which build systems look for the number.
    std::printf("cucc: HIPLZ " HIPLZ_VERSION_STRING ", which compiles CUDA programs by way of HIP\n"
                "Cuda compilation tools, release 13.0, V13.0.0\n");
    return 0;
  }
  if (has({"--list-gpu-arch", "-arch-ls", "--list-gpu-code", "-code-ls"})) {
    std::puts(has({"--list-gpu-arch", "-arch-ls"}) ? "compute_60" : "sm_60");
    return 0;
  }
  const std::string prefix = installedPrefix();
  const Translation translation =
      translate(hipcc::expandResponseFiles(responseFilesAsWords(given), readFile), prefix, holdsDeviceCode);
  if (!translation.error.empty()) {
    std::fprintf(stderr, "cucc: %s\n", translation.error.c_str());
    return 1;
  }
  if (std::ranges::count(translation.words, "-v") != 0)
    for (const std::string &note : translation.notes)
      std::fprintf(stderr, "cucc: note: %s\n", note.c_str());
  Words command = {prefix + "/bin/hipcc"};
  command.insert(command.end(), translation.words.begin(), translation.words.end());
  return runAndExplain(std::move(command));
}

} // namespace

} // namespace hiplz::cucc

int main(int count, char **arguments) { return hiplz::cucc::run({arguments + 1, arguments + count}); }
