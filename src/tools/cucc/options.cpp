// SPDX-License-Identifier: MIT
#include "tools/cucc/options.h"

#include <algorithm>
#include <iterator>

namespace hiplz::cucc {

namespace {

constexpr std::string_view kNoPtx = "there is no PTX here: kernels are compiled to SPIR-V";
constexpr std::string_view kNoDeviceLink =
    "-dlink makes an object of device code alone, which does not exist here: link everything with cucc -rdc=true";

constexpr Option kOptions[] = {
    // Options that go on under another name
    {"output-file", "o", true, Fate::separate, "-o"},
    {"pre-include", "include", true, Fate::separate, "-include"},
    {"library", "l", true, Fate::join, "-l"},
    {"define-macro", "D", true, Fate::join, "-D"},
    {"undefine-macro", "U", true, Fate::join, "-U"},
    {"include-path", "I", true, Fate::join, "-I"},
    {"system-include", "isystem", true, Fate::separate, "-isystem"},
    {"library-path", "L", true, Fate::join, "-L"},
    {"dependency-output", "MF", true, Fate::separate, "-MF"},
    {"dependency-target-name", "MT", true, Fate::separate, "-MT"},
    {"generate-dependency-targets", "MP", false, Fate::rename, "-MP"},
    {"generate-dependencies", "M", false, Fate::rename, "-M"},
    {"generate-nonsystem-dependencies", "MM", false, Fate::rename, "-MM"},
    {"generate-dependencies-with-compile", "MD", false, Fate::rename, "-MD"},
    {"generate-nonsystem-dependencies-with-compile", "MMD", false, Fate::rename, "-MMD"},
    {"compile", "c", false, Fate::rename, "-c"},
    {"preprocess", "E", false, Fate::rename, "-E"},
    {"shared", "shared", false, Fate::rename, "-shared"},
    {"std", "std", true, Fate::join, "-std="},
    {"optimize", "O", true, Fate::join, "-O"},
    {"debug", "g", false, Fate::rename, "-g"},
    {"profile", "pg", false, Fate::rename, "-pg"},
    {"device-debug", "G", false, Fate::deviceDebug, "-g"},
    {"generate-line-info", "lineinfo", false, Fate::rename, "-gline-tables-only"},
    {"use_fast_math", "use_fast_math", false, Fate::rename, "-ffast-math"},
    {"disable-warnings", "w", false, Fate::rename, "-w"},
    {"verbose", "v", false, Fate::rename, "-v"},
    {"dryrun", "dryrun", false, Fate::rename, "-###"},
    {"expt-extended-lambda", "expt-extended-lambda", false, Fate::rename, "-D__CUDACC_EXTENDED_LAMBDA__"},
    {"extended-lambda", "extended-lambda", false, Fate::rename, "-D__CUDACC_EXTENDED_LAMBDA__"},
    {"ftemplate-depth", "ftemplate-depth", true, Fate::join, "-ftemplate-depth="},
    {"ftemplate-backtrace-limit", "ftemplate-backtrace-limit", true, Fate::join, "-ftemplate-backtrace-limit="},
    {"frandom-seed", "frandom-seed", true, Fate::join, "-frandom-seed="},
    {"fdevice-syntax-only", "fdevice-syntax-only", false, Fate::rename, "-fsyntax-only"},
    {"host-relocatable-link", "r", false, Fate::rename, "-r"},
    {"expt-relaxed-constexpr", "expt-relaxed-constexpr", false, Fate::rename, "-D__CUDACC_RELAXED_CONSTEXPR__"},
    {"lib", "lib", false, Fate::rename, "--emit-static-lib"},
    {"cubin", "cubin", false, Fate::rename, "--genco"},
    {"fatbin", "fatbin", false, Fate::rename, "--genco"},
    {"ptx", "ptx", false, Fate::rename, "--genco"},
    // Options with rules of their own
    {"compiler-options", "Xcompiler", true, Fate::passHost, {}},
    {"linker-options", "Xlinker", true, Fate::passLinker, {}},
    {"x", "x", true, Fate::language, {}},
    {"relocatable-device-code", "rdc", true, Fate::relocatable, {}},
    {"device-c", "dc", false, Fate::rename, "-fgpu-rdc"},
    {"device-w", "dw", false, Fate::rename, "-c"},
    {"default-stream", "default-stream", true, Fate::perThread, {}},
    {"fmad", "fmad", true, Fate::contraction, {}},
    {"prec-div", "prec-div", true, Fate::precision, {}},
    {"prec-sqrt", "prec-sqrt", true, Fate::precision, {}},
    {"Werror", "Werror", true, Fate::werror, {}},
    {"output-directory", "odir", true, Fate::outputFolder, {}},
    // Options for what does not exist here
    {"optix-ir", "optix-ir", false, Fate::refuse, kNoPtx},
    {"ltoir", "ltoir", false, Fate::refuse, kNoPtx},
    {"device-link", "dlink", false, Fate::refuse, kNoDeviceLink},
    {"cuda", "cuda", false, Fate::refuse, "there is no source between CUDA and the object to be kept"},
    {"run", "run", false, Fate::refuse, "--run is not there: start the program by its name"},
    // Options without a meaning here
    {"gpu-architecture", "arch", true, Fate::ignore, {}},
    {"gpu-code", "code", true, Fate::ignore, {}},
    {"generate-code", "gencode", true, Fate::ignore, {}},
    {"ptxas-options", "Xptxas", true, Fate::ignore, {}},
    {"nvlink-options", "Xnvlink", true, Fate::ignore, {}},
    {"fatbin-options", "Xfatbin", true, Fate::ignore, {}},
    {"archive-options", "Xarchive", true, Fate::ignore, {}},
    {"cudafe-options", "Xcudafe", true, Fate::ignore, {}},
    {"compiler-bindir", "ccbin", true, Fate::ignore, {}},
    {"allow-unsupported-compiler", "allow-unsupported-compiler", false, Fate::ignore, {}},
    {"archiver-binary", "arbin", true, Fate::ignore, {}},
    {"cudart", "cudart", true, Fate::ignore, {}},
    {"cudadevrt", "cudadevrt", true, Fate::ignore, {}},
    {"libdevice-directory", "ldir", true, Fate::ignore, {}},
    {"target-directory", "target-dir", true, Fate::ignore, {}},
    {"machine", "m", true, Fate::ignore, {}},
    {"link", "link", false, Fate::ignore, {}},
    {"maxrregcount", "maxrregcount", true, Fate::ignore, {}},
    {"entries", "e", true, Fate::ignore, {}},
    {"ftz", "ftz", true, Fate::ignore, {}},
    {"extra-device-vectorization", "extra-device-vectorization", false, Fate::ignore, {}},
    {"dopt", "dopt", true, Fate::ignore, {}},
    {"Ofast-compile", "Ofc", true, Fate::ignore, {}},
    {"dlink-time-opt", "dlto", false, Fate::ignore, {}},
    {"gen-opt-lto", "gen-opt-lto", false, Fate::ignore, {}},
    {"lto", "lto", false, Fate::ignore, {}},
    {"threads", "t", true, Fate::ignore, {}},
    {"split-compile", "split-compile", true, Fate::ignore, {}},
    {"keep", "keep", false, Fate::ignore, {}},
    {"save-temps", "save-temps", false, Fate::ignore, {}},
    {"keep-dir", "keep-dir", true, Fate::ignore, {}},
    {"clean-targets", "clean", false, Fate::ignore, {}},
    {"time", "time", true, Fate::ignore, {}},
    {"resource-usage", "res-usage", false, Fate::ignore, {}},
    {"restrict", "restrict", false, Fate::ignore, {}},
    {"source-in-ptx", "src-in-ptx", false, Fate::ignore, {}},
    {"no-device-link", "nodlink", false, Fate::ignore, {}},
    {"no-align-double", "no-align-double", false, Fate::ignore, {}},
    {"objdir-as-tempdir", "objtemp", false, Fate::ignore, {}},
    {"extensible-whole-program", "ewp", false, Fate::ignore, {}},
    {"compress-mode", "compress-mode", true, Fate::ignore, {}},
    {"optimization-info", "opt-info", true, Fate::ignore, {}},
    {"split-compile-extended", "split-compile-extended", true, Fate::ignore, {}},
    {"jobserver", "jobserver", false, Fate::ignore, {}},
    {"no-host-device-initializer-list", "no-host-device-initializer-list", false, Fate::ignore, {}},
    {"no-host-device-move-forward", "no-host-device-move-forward", false, Fate::ignore, {}},
    {"host-linker-script", "hls", true, Fate::ignore, {}},
    {"augment-host-linker-script", "aug-hls", false, Fate::ignore, {}},
    {"dont-use-profile", "noprof", false, Fate::ignore, {}},
    {"run-args", "run-args", true, Fate::ignore, {}},
    {"use-local-env", "use-local-env", false, Fate::ignore, {}},
    {"input-drive-prefix", "idp", true, Fate::ignore, {}},
    {"dependency-drive-prefix", "ddp", true, Fate::ignore, {}},
    {"drive-prefix", "dp", true, Fate::ignore, {}},
    {"device-stack-protector", "device-stack-protector", true, Fate::ignore, {}},
    {"device-time-trace", "fdevice-time-trace", true, Fate::ignore, {}},
    {"qpp-config", "qpp-config", true, Fate::ignore, {}},
    {"minimal", "minimal", false, Fate::ignore, {}},
    {"relocatable-ptx", "reloc-ptx", false, Fate::ignore, {}},
    {"jump-table-density", "jtd", true, Fate::ignore, {}},
    {"brief-diagnostics", "brief-diag", true, Fate::ignore, {}},
    {"no-compress", "no-compress", false, Fate::ignore, {}},
    {"no-exceptions", "noeh", false, Fate::rename, "-fno-exceptions"},
    {"Wno-deprecated-gpu-targets", "Wno-deprecated-gpu-targets", false, Fate::ignore, {}},
    {"Wdefault-stream-launch", "Wdefault-stream-launch", false, Fate::ignore, {}},
    {"Wmissing-launch-bounds", "Wmissing-launch-bounds", false, Fate::ignore, {}},
    {"Wext-lambda-captures-this", "Wext-lambda-captures-this", false, Fate::ignore, {}},
    {"display-error-number", "err-no", false, Fate::ignore, {}},
    {"no-display-error-number", "no-err-no", false, Fate::ignore, {}},
    {"diag-error", "diag-error", true, Fate::ignore, {}},
    {"diag-suppress", "diag-suppress", true, Fate::ignore, {}},
    {"diag-warn", "diag-warn", true, Fate::ignore, {}},
    {"static-global-template-stub", "static-global-template-stub", true, Fate::ignore, {}},
    {"device-entity-has-hidden-visibility", "device-entity-has-hidden-visibility", true, Fate::ignore, {}},
    {"forward-unknown-to-host-compiler", "forward-unknown-to-host-compiler", false, Fate::ignore, {}},
    {"forward-unknown-to-host-linker", "forward-unknown-to-host-linker", false, Fate::ignore, {}},
    {"forward-unknown-opts", "forward-unknown-opts", false, Fate::ignore, {}},
};

} // namespace

const Option *findOption(std::string_view word, std::optional<std::string_view> &value) {
  value.reset();
  if (word.size() < 2 || word[0] != '-')
    return nullptr;
  std::string_view name = word.substr(word[1] == '-' ? 2 : 1);
  const auto named = [&](std::string_view wanted) {
    const auto *found = std::ranges::find_if(
        kOptions, [&](const Option &option) { return wanted == option.longName || wanted == option.shortName; });
    return found == std::end(kOptions) ? nullptr : found;
  };
  if (const Option *option = named(name))
    return option;
  if (const size_t equals = name.find('='); equals != name.npos) {
    const Option *option = named(name.substr(0, equals));
    if (option && option->takesValue) {
      value = name.substr(equals + 1);
      return option;
    }
  }
  return nullptr;
}

} // namespace hiplz::cucc
