// SPDX-License-Identifier: MIT
#include "tools/cucc/translate.h"

#include "tools/cucc/options.h"

#include <algorithm>
#include <filesystem>

namespace hiplz::cucc {

namespace {

constexpr std::string_view kRuntimeLibraries[] = {"cudart", "cudart_static", "cudadevrt", "cuda",
                                                  "curand", "curand_static", "nvToolsExt"};

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

class Translator {
public:
  Translator(const Words &words, const std::string &prefix, const HoldsDeviceCode &holdsDeviceCode)
      : words_(words), holdsDeviceCode_(holdsDeviceCode) {
    // nvcc warns of `register`, which clang takes for an error since C++17.
    // The second folder stands in front of headers that NVIDIA's toolkit may have put into the system's folders.
    result_.words = {"-isystem",           prefix + "/include/hiplz/cuda",
                     "-isystem",           prefix + "/include/hiplz/cuda_absent",
                     "-include",           "hiplz/cuda/cucc.h",
                     "-Wno-error=register"};
  }

  Translation translate() {
    for (next_ = 0; next_ < words_.size() && result_.error.empty();) {
      const std::string &word = words_[next_++];
      std::optional<std::string_view> value;
      if (word.size() < 2 || word[0] != '-') {
        addInput(word);
      } else if (const Option *option = findOption(word, value)) {
        if (option->takesValue && !value && next_ == words_.size())
          result_.error = word + " lacks its value";
        else
          apply(*option, word, value ? std::string(*value) : option->takesValue ? words_[next_++] : std::string());
      } else {
        addOther(word);
      }
    }
    finish();
    return std::move(result_);
  }

private:
  void add(std::string word) { result_.words.push_back(std::move(word)); }
  void note(const std::string &text) { result_.notes.push_back(text); }

  void apply(const Option &option, const std::string &word, const std::string &value) {
    switch (option.fate) {
    case Fate::ignore: note(word + " is ignored: it has no meaning for devices of oneAPI Level Zero"); break;
    case Fate::refuse: result_.error = option.becomes; break;
    case Fate::rename: rename(option); break;
    case Fate::join: option.becomes == "-l" ? addLibrary(value) : addJoined(std::string(option.becomes), value); break;
    case Fate::separate:
      add(std::string(option.becomes));
      add(value);
      hasOutput_ |= option.becomes == "-o";
      break;
    case Fate::passHost: // all of clang's options are for both sides
      for (std::string &passed : splitPassedOptions(value))
        add(std::move(passed));
      break;
    case Fate::passLinker:
      for (std::string &passed : splitPassedOptions(value)) {
        add("-Xlinker");
        add(std::move(passed));
      }
      break;
    case Fate::language:
      language_ = value == "cu" ? "hip" : value;
      add("-x");
      add(language_);
      break;
    case Fate::relocatable:
      add(value == "true" ? "-fgpu-rdc" : "-fno-gpu-rdc");
      relocatable_ = value == "true";
      break;
    case Fate::perThread:
      if (value == "per-thread")
        add("-fgpu-default-stream=per-thread");
      else if (!isOneOf(value, {"legacy", "null"}))
        result_.error = "--default-stream is legacy, null or per-thread, and not " + value;
      break;
    case Fate::contraction: add(value == "false" ? "-ffp-contract=off" : "-ffp-contract=fast"); break;
    case Fate::precision: (option.longName == "prec-div" ? divides_ : roots_) = value != "false"; break;
    case Fate::werror:
      if (value.find("all-warnings") != value.npos)
        add("-Werror");
      else
        note(word + " " + value + " is ignored: clang has other names for its warnings");
      break;
    case Fate::outputFolder: folder_ = value; break;
    case Fate::deviceDebug:
      add(std::string(option.becomes));
      debugsKernels_ = true;
      break;
    }
  }

  void rename(const Option &option) {
    add(std::string(option.becomes));
    if (option.longName == "device-c")
      add("-c");
    relocatable_ |= option.longName == "device-c";
    compilesOnly_ |= isOneOf(option.longName, {"compile", "device-c", "device-w"});
    if (isOneOf(option.longName, {"cubin", "fatbin", "ptx"}))
      note("--" + std::string(option.longName) + " makes a code object for cuModuleLoad, and no text");
  }

  void addJoined(const std::string &name, const std::string &value) {
    add(name + value);
    if (name == "-D" && value.starts_with("CUDA_API_PER_THREAD_DEFAULT_STREAM"))
      add("-fgpu-default-stream=per-thread");
  }

  void addLibrary(const std::string &name) {
    linked_.push_back("-l" + name);
    if (std::ranges::find(kRuntimeLibraries, name) != std::end(kRuntimeLibraries))
      note("-l" + name + " is ignored: libhiplz takes its place");
    else
      add(name == "nvrtc" || name == "nvrtc_static" ? "-lhiprtc" : "-l" + name);
  }

  // Options of one letter with the value joined to them, and those that are clang's own.
  void addOther(const std::string &word) {
    const std::string value = word.substr(2);
    if (word.starts_with("-l"))
      addLibrary(value);
    else if (word.starts_with("-D"))
      addJoined("-D", value);
    else if (word.starts_with("-o"))
      add(word), hasOutput_ = true;
    else if (word == "-m64" || (word.starts_with("-t") && value.find_first_not_of("0123456789") == value.npos))
      note(word + " is ignored: programs have 64 bits, and files are compiled one after the other");
    else
      add(word);
  }

  void addInput(const std::string &word) {
    const std::string extension = std::filesystem::path(word).extension().string();
    if (isOneOf(extension, {".ptx", ".cubin", ".fatbin"})) {
      result_.error = word + ": NVIDIA's device code does not run here; compile its source";
      return;
    }
    ++inputs_;
    input_ = word;
    if (isOneOf(extension, {".o", ".obj", ".a"}))
      linked_.push_back(word);
    // nvcc gives C++ sources to the host's compiler; hipcc would look for kernels in them.
    const bool cxx = language_.empty() && isOneOf(extension, {".cpp", ".cc", ".cxx", ".C", ".c++", ".cp", ".CPP"});
    if (cxx) {
      add("-x");
      add("c++");
    }
    add(word);
    if (cxx) {
      add("-x");
      add("none");
    }
  }

  void finish() {
    if (!result_.error.empty())
      return;
    if (relocatable_)
      add("-D__CUDACC_RDC__");
    else if (!compilesOnly_ && linksDeviceCode())
      add("-fgpu-rdc");
    if (debugsKernels_) // behind any -O, which is for the host then
      for (const char *word : {"-Xarch_device", "-O0"})
        add(word);
    if (!divides_ && !roots_) // drivers round both kinds correctly or neither
      add("-fno-hip-fp32-correctly-rounded-divide-sqrt");
    if (folder_.empty() || hasOutput_)
      return;
    if (!compilesOnly_ || inputs_ != 1) {
      result_.error = "--output-directory is for the object of one source: say -c, or name the output with -o";
      return;
    }
    add("-o");
    add((std::filesystem::path(folder_) / std::filesystem::path(input_).stem()).string() + ".o");
  }

  bool linksDeviceCode() const {
    Words folders;
    for (const std::string &word : result_.words)
      if (word.starts_with("-L"))
        folders.push_back(word.substr(2));
    return std::ranges::any_of(linked_, [&](const std::string &input) { return holdsDeviceCode_(input, folders); });
  }

  const Words &words_;
  const HoldsDeviceCode &holdsDeviceCode_;
  size_t next_ = 0;
  Translation result_;
  std::string language_, folder_, input_;
  Words linked_; // objects and libraries
  int inputs_ = 0;
  bool hasOutput_ = false, compilesOnly_ = false, relocatable_ = false, debugsKernels_ = false;
  bool divides_ = true, roots_ = true; // correctly rounded, of float
};

} // namespace

Words splitPassedOptions(std::string_view text) {
  Words options;
  std::string option;
  char quote = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (i < text.size() && quote) {
      if (c == quote)
        quote = 0;
      else
        option += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '\\' && i + 1 < text.size()) {
      option += text[++i];
    } else if (c == ',' || c == ' ' || c == '\t' || c == '\n') {
      if (!option.empty())
        options.push_back(std::move(option));
      option.clear();
    } else {
      option += c;
    }
  }
  return options;
}

Translation translate(const Words &words, const std::string &prefix, const HoldsDeviceCode &holdsDeviceCode) {
  return Translator(words, prefix, holdsDeviceCode).translate();
}

} // namespace hiplz::cucc
