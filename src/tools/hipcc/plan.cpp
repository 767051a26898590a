#include "tools/hipcc/plan.h"

#include <algorithm>

namespace hiplz::hipcc {

namespace {

bool startsWithAny(const Argument &argument, std::initializer_list<std::string_view> prefixes) {
  return std::ranges::any_of(prefixes, [&](std::string_view prefix) { return argument.startsWith(prefix); });
}

bool isAny(const Argument &argument, std::initializer_list<std::string_view> options) {
  return std::ranges::any_of(options, [&](std::string_view option) { return argument.is(option); });
}

// Options that make sense for one vendor's GPUs only, or that would lead clang to another HIP installation.
bool belongsToAnotherCompiler(const Argument &argument) {
  if (startsWithAny(argument,
                    {"--offload-arch=", "--no-offload-arch=", "--cuda-gpu-arch=", "--no-cuda-gpu-arch=",
                     "--amdgpu-target=", "-amdgpu-target=", "-mcode-object-version=", "--gpu-max-threads-per-block=",
                     "--hip-path=", "--hip-version=", "--rocm-path=", "--rocm-device-lib-path=", "--cuda-path=",
                     "--hip-device-lib-path=", "--hip-device-lib=", "--offload=", "-parallel-jobs=", "-Xarch_gfx",
                     "-Xarch_sm_"}))
    return true;
  if (isAny(argument, {"-munsafe-fp-atomics", "-mno-unsafe-fp-atomics", "-mcumode", "-mno-cumode", "-mwavefrontsize64",
                       "-mno-wavefrontsize64", "-mtgsplit", "-mno-tgsplit", "-famd-opt", "-fgpu-sanitize",
                       "-fno-gpu-sanitize", "--offload-compress", "--no-offload-compress", "--offload-new-driver",
                       "--no-offload-new-driver", "-fgpu-flush-denormals-to-zero", "-fno-gpu-flush-denormals-to-zero",
                       "-fcuda-flush-denormals-to-zero", "-fno-cuda-flush-denormals-to-zero",
                       "-fhip-fp32-correctly-rounded-divide-sqrt", "-fno-hip-fp32-correctly-rounded-divide-sqrt"}))
    return true;
  return argument.is("-mllvm") && argument.value.starts_with("-amdgpu");
}

// Options that are meant for host code and that clang refuses, or the translator stumbles over, in device code.
bool isForHostCodeOnly(const Argument &argument) {
  return startsWithAny(argument, {"-fsanitize", "-fno-sanitize", "-fcf-protection", "-mfpmath=", "-fprofile-",
                                  "-fcoverage-mapping"}) ||
         isAny(argument, {"--coverage", "-coverage", "-ftest-coverage"});
}

// The passes through clang that end before the linker.
bool stopsBeforeLinking(const Argument &argument) {
  return isAny(argument, {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "--genco", "--precompile", "-emit-ast",
                          "--analyze", "--emit-static-lib"}) ||
         argument.startsWith("-print-") || argument.startsWith("--print-");
}

// One run of hipcc: the arguments, and what follows from all of them together.
class Planner {
public:
  Planner(const Words &words, const Settings &settings) : settings_(settings), arguments_(parseArguments(words)) {
    links_ = std::ranges::none_of(arguments_, stopsBeforeLinking);
    linksSomething_ = links_ && std::ranges::any_of(arguments_, [](const Argument &argument) {
                        return argument.kind == Argument::Kind::input || argument.startsWith("-l") ||
                               argument.startsWith("-Wl,") || argument.is("-Xlinker");
                      });
    findLanguages();
    if (hasHip_ || hasOtherSource_)
      append(settings.compileFlags);
    if (linksSomething_)
      append(settings.linkFlags);
    findLanguages();
    dropForeignArguments();
    relocatable_ = isOn("-fgpu-rdc", "-fno-gpu-rdc");
    if (has("--genco") && relocatable_) {
      relocatable_ = false;
      std::erase_if(arguments_, [](const Argument &argument) { return argument.is("-fgpu-rdc"); });
      plan_.notes.push_back("-fgpu-rdc is ignored: --genco makes a code object that is linked");
    }
    hostOnly_ = has("-M") || has("-MM"); // one rule for make, not one for each side
    if (relocatable_ && writesAssembly()) {
      hostOnly_ = true;
      plan_.notes.push_back("-S with -fgpu-rdc writes the assembly of the host code alone");
    }
  }

  Plan plan() {
    if (writesAssembly() && !hostOnly_)
      planAssembly();
    else
      plan_.commands.push_back(command(arguments_));
    return std::move(plan_);
  }

private:
  bool has(std::string_view option) const {
    return std::ranges::any_of(arguments_, [&](const Argument &argument) { return argument.is(option); });
  }

  bool writesAssembly() const {
    return hasHip_ && has("-S") && !has("-emit-llvm") && !has("--cuda-device-only") && !has("--cuda-host-only") &&
           !has("--genco");
  }

  bool isOn(std::string_view yes, std::string_view no) const {
    bool on = false;
    for (const Argument &argument : arguments_)
      on = argument.is(yes) || (on && !argument.is(no));
    return on;
  }

  void append(const Words &words) {
    for (Argument &argument : parseArguments(words))
      arguments_.push_back(std::move(argument));
  }

  void findLanguages() {
    hasHip_ = hasOtherSource_ = false;
    for (const Argument &argument : arguments_) {
      if (argument.kind != Argument::Kind::input)
        continue;
      const Language language = argument.inputLanguage();
      hasHip_ |= language == Language::hip;
      hasOtherSource_ |= language == Language::c || language == Language::other;
    }
  }

  void dropForeignArguments() {
    std::vector<Argument> kept;
    for (Argument &argument : arguments_) {
      if (argument.kind == Argument::Kind::option && belongsToAnotherCompiler(argument)) {
        plan_.notes.push_back(argument.name + (argument.hasValue ? " " + argument.value : "") +
                              " is ignored: device code is compiled to SPIR-V and fits every device");
        continue;
      }
      // Newer compilers' names of two options.
      if (argument.is("--offload-device-only"))
        argument.name = "--cuda-device-only";
      if (argument.is("--offload-host-only"))
        argument.name = "--cuda-host-only";
      kept.push_back(std::move(argument));
    }
    arguments_ = std::move(kept);
  }

  // Clang embeds device code when it makes an object, but cannot write assembly for both sides in one run. So device
  // code is made first and the assembly of the host code takes it in.
  void planAssembly() {
    for (size_t i = 0; i < arguments_.size(); ++i) {
      const Argument &input = arguments_[i];
      if (input.kind != Argument::Kind::input || input.inputLanguage() == Language::none)
        continue;
      std::vector<Argument> host = withOneInput(i);
      if (input.inputLanguage() == Language::hip) {
        const std::string binary = settings_.temporaryFile(".hipfb");
        std::vector<Argument> device;
        for (const Argument &argument : host)
          if (!isAny(argument, {"-S", "-o", "-MF", "-MT", "-MQ", "-MD", "-MMD", "-MP"}))
            device.push_back(argument);
        for (const char *option : {"--cuda-device-only", "--gpu-bundle-output", "-c"})
          device.push_back(option_(option));
        device.push_back(option_("-o", binary));
        plan_.commands.push_back(command(device));
        for (const Argument &argument :
             {option_("--cuda-host-only"), option_("-Xclang", "-fcuda-include-gpubinary"), option_("-Xclang", binary)})
          host.push_back(argument);
      }
      plan_.commands.push_back(command(host));
    }
  }

  std::vector<Argument> withOneInput(size_t index) const {
    std::vector<Argument> result;
    for (size_t i = 0; i < arguments_.size(); ++i)
      if (arguments_[i].kind == Argument::Kind::option || i == index)
        result.push_back(arguments_[i]);
    return result;
  }

  static Argument option_(std::string name) { return {Argument::Kind::option, std::move(name), {}, false, {}}; }
  static Argument option_(std::string name, std::string value) {
    return {Argument::Kind::option, std::move(name), std::move(value), true, {}};
  }

  // The words of one run of clang.
  Words command(const std::vector<Argument> &arguments) {
    Words words = {settings_.clang};
    const bool linksDeviceCode = linksSomething_ && relocatable_;
    if (hasHip_ || linksDeviceCode) {
      words.push_back("--offload=spirv64");
      words.push_back("--hip-path=" + settings_.prefix);
      words.push_back("-B" + settings_.prefix + "/lib/hiplz/bin");
    }
    if (hasHip_ || hasOtherSource_) {
      // As other HIP compilers do. Whoever asks for debug information without a level wants to step through the code.
      if (std::ranges::none_of(arguments, [](const Argument &a) { return a.startsWith("-g") || a.startsWith("-O"); }))
        words.push_back("-O3");
    }
    if (hasOtherSource_)
      words.insert(words.end(), {"-isystem", settings_.prefix + "/include"});
    if (hasHip_ && hostOnly_)
      words.push_back("--cuda-host-only");
    appendArguments(arguments, words, linksDeviceCode);
    if (linksSomething_)
      appendLibraries(words, linksDeviceCode);
    return words;
  }

  void appendArguments(const std::vector<Argument> &arguments, Words &words, bool linksDeviceCode) {
    std::string language = "none"; // what the -x before has told clang
    for (const Argument &argument : arguments) {
      if (argument.kind == Argument::Kind::option) {
        if (argument.is("--genco")) {
          words.insert(words.end(), {"--cuda-device-only", "--gpu-bundle-output", "-c"});
          continue;
        }
        if ((hasHip_ || linksDeviceCode) && isForHostCodeOnly(argument))
          words.push_back("-Xarch_host");
        argument.appendTo(words);
        continue;
      }
      const std::string wanted = languageWord(argument);
      const std::string name = argument.name.size() > 1 && argument.name[0] == '-' ? "./" + argument.name : argument.name;
      // Clang unbundles every object of such a link; one without device code would add an empty module with a warning.
      if (linksDeviceCode && wanted == "none" && !settings_.holdsDeviceCode(name)) {
        words.insert(words.end(), {"-Xlinker", name});
        continue;
      }
      if (wanted != language) {
        words.insert(words.end(), {"-x", wanted});
        language = wanted;
      }
      words.push_back(name);
    }
    if (linksDeviceCode)
      appendLibraryDeviceCode(arguments, words, language);
  }

  static std::string languageWord(const Argument &input) {
    switch (input.inputLanguage()) {
    case Language::hip:
      return "hip";
    case Language::c:
      return "c";
    case Language::other:
      return input.language;
    case Language::none:
      break;
    }
    return "none";
  }

  // Clang does not look into static libraries for the device code of an -fgpu-rdc link.
  void appendLibraryDeviceCode(const std::vector<Argument> &arguments, Words &words, const std::string &language) {
    Words folders;
    for (const Argument &argument : arguments)
      if (argument.startsWith("-L"))
        folders.push_back(argument.hasValue ? argument.value : argument.name.substr(2));
    Words objects;
    for (const Argument &argument : arguments) {
      std::string library;
      if (argument.kind == Argument::Kind::input && argument.name.ends_with(".a"))
        library = argument.name;
      else if (argument.startsWith("-l"))
        library = argument.hasValue ? "-l" + argument.value : argument.name;
      else
        continue;
      for (std::string &object : settings_.deviceObjectsOfLibrary(library, folders))
        objects.push_back(std::move(object));
    }
    if (!objects.empty() && language != "none")
      words.insert(words.end(), {"-x", "none"});
    words.insert(words.end(), objects.begin(), objects.end());
  }

  void appendLibraries(Words &words, bool linksDeviceCode) {
    if (linksDeviceCode) // Clang's object with the device code says nothing about the stack, which ld takes for "executable".
      words.insert(words.end(), {"--hip-link", "-no-hip-rt", "-Wl,-z,noexecstack"});
    else if (has("--hip-link") && !has("-no-hip-rt"))
      words.push_back("-no-hip-rt"); // or clang adds -lamdhip64
    if (!has("-r") && !has("-no-hip-rt"))
      words.insert(words.end(),
                   {"-L" + settings_.prefix + "/lib", "-lhiplz", "-Wl,-rpath," + settings_.prefix + "/lib"});
  }

  const Settings &settings_;
  std::vector<Argument> arguments_;
  Plan plan_;
  bool links_ = false;          // nothing stops before the linker
  bool linksSomething_ = false; // and there is something to link
  bool hasHip_ = false;
  bool hasOtherSource_ = false;
  bool relocatable_ = false; // device code of several objects is linked: -fgpu-rdc
  bool hostOnly_ = false;
};

} // namespace

Plan makePlan(const Words &words, const Settings &settings) { return Planner(words, settings).plan(); }

} // namespace hiplz::hipcc
