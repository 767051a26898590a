// SPDX-License-Identifier: MIT
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

constexpr std::string_view kIgnored = " is ignored: device code is compiled to SPIR-V and runs on every device";

// Options that make sense for one vendor's GPUs only, or that would lead clang to another HIP installation.
bool belongsToAnotherCompiler(const Argument &argument) {
  if (startsWithAny(argument, {"--cuda-gpu-arch=", "--no-cuda-gpu-arch=", "--amdgpu-target=", "-amdgpu-target=",
                               "-mcode-object-version=", "--gpu-max-threads-per-block=", "--hip-path=",
                               "--hip-version=", "--rocm-path=", "--rocm-device-lib-path=", "--cuda-path=",
                               "--hip-device-lib-path=", "--hip-device-lib=", "--offload=", "-parallel-jobs=",
                               "-mllvm=-amdgpu", "-Xarch_gfx", "-Xarch_sm_"}))
    return true;
  if (isAny(argument, {"-munsafe-fp-atomics",
                       "-mno-unsafe-fp-atomics",
                       "-mcumode",
                       "-mno-cumode",
                       "-mwavefrontsize64",
                       "-mno-wavefrontsize64",
                       "-mxnack",
                       "-mno-xnack",
                       "-msram-ecc",
                       "-mno-sram-ecc",
                       "-mtgsplit",
                       "-mno-tgsplit",
                       "-famd-opt",
                       "-fgpu-sanitize",
                       "-fno-gpu-sanitize",
                       "--offload-compress",
                       "--no-offload-compress",
                       "--offload-new-driver",
                       "--no-offload-new-driver",
                       "-fgpu-flush-denormals-to-zero",
                       "-fno-gpu-flush-denormals-to-zero",
                       "-fcuda-flush-denormals-to-zero",
                       "-fno-cuda-flush-denormals-to-zero",
                       "-fgpu-approx-transcendentals",
                       "-fno-gpu-approx-transcendentals",
                       "-ffp-contract=fast-honor-pragmas", // the default, which clang's driver cannot name before 17
                       "--hipcc-func-supp",
                       "--hipcc-no-func-supp",
                       "-use-staticlib",
                       "-use-sharedlib"}))
    return true;
  if (argument.is("-Xarch_device") && argument.value.starts_with("-mllvm=-amdgpu"))
    return true;
  return argument.is("-mllvm") && argument.value.starts_with("-amdgpu");
}

// Names in --offload-arch= that are not Intel's: gfx90a:xnack-, sm_70, and those that stand for whatever is there.
bool isOtherDevice(std::string_view name) {
  constexpr std::string_view kOthers[] = {"native", "generic", "default", "amdgcnspirv", "spirv64", "spirv"};
  const auto isNumbered = [&](std::string_view family) {
    const auto isHex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
    return name.starts_with(family) && name.size() > family.size() && isHex(name[family.size()]);
  };
  return std::ranges::find(kOthers, name) != std::end(kOthers) || isNumbered("gfx") || isNumbered("sm_") ||
         isNumbered("compute_");
}

// One device, one release or one family as ocloc knows them: "pvc", "adl-s", "xe-hpc", "12.60.7", "0x0bd5".
bool isPlainName(std::string_view name) {
  return std::ranges::all_of(name, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' ||
           c == '.';
  });
}

// Options that are meant for host code and that clang refuses, or the translator stumbles over, in device code.
bool isForHostCodeOnly(const Argument &argument) {
  return startsWithAny(argument, {"-fsanitize", "-fno-sanitize", "-fcf-protection", "-mfpmath=", "-fprofile-",
                                  "-fcoverage-mapping", "-finstrument-functions", "-fpatchable-function-entry="}) ||
         isAny(argument, {"--coverage", "-coverage", "-ftest-coverage"});
}

// The passes through clang that end before the linker.
bool stopsBeforeLinking(const Argument &argument) {
  return isAny(argument, {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "--genco", "--precompile", "-emit-ast",
                          "--analyze", "--emit-static-lib"}) ||
         argument.startsWith("-print-") || argument.startsWith("--print-");
}

bool isStandard(const Argument &argument, bool ofCxx) {
  for (const std::string_view prefix : {"-std=", "--std="})
    if (argument.startsWith(prefix))
      return (argument.name.find("++") != argument.name.npos) == ofCxx;
  return false;
}

// True if the last of the options that begin with -g asks for debug information.
bool wantsDebugInfo(const std::vector<Argument> &arguments) {
  bool wanted = false;
  for (const Argument &argument : arguments)
    if (argument.is("-g0"))
      wanted = false;
    else if (argument.is("-g") || argument.is("-g1") || argument.is("-g2") || argument.is("-g3") ||
             argument.is("-gline-tables-only") || argument.startsWith("-ggdb") || argument.startsWith("-gdwarf"))
      wanted = true;
  return wanted;
}

bool has(const std::vector<Argument> &arguments, std::string_view option) {
  return std::ranges::any_of(arguments, [&](const Argument &argument) { return argument.is(option); });
}

bool hasInput(const std::vector<Argument> &arguments, Language language) {
  return std::ranges::any_of(arguments, [&](const Argument &argument) {
    return argument.kind == Argument::Kind::input && argument.inputLanguage() == language;
  });
}

// True if the last of the two options says yes.
bool isOn(const std::vector<Argument> &arguments, std::string_view yes, std::string_view no) {
  bool on = false;
  for (const Argument &argument : arguments)
    on = argument.is(yes) || (on && !argument.is(no));
  return on;
}

Argument option(std::string name) { return {Argument::Kind::option, std::move(name), {}, false, {}}; }
Argument option(std::string name, std::string value) {
  return {Argument::Kind::option, std::move(name), std::move(value), true, {}};
}
Argument input(std::string name) { return {Argument::Kind::input, std::move(name), {}, false, "none"}; }

// The work of one run of clang, as its arguments tell.
struct Run {
  explicit Run(const std::vector<Argument> &arguments)
      : hip(hasInput(arguments, Language::hip)), c(hasInput(arguments, Language::c)),
        other(hasInput(arguments, Language::other)) {
    relocatable = isOn(arguments, "-fgpu-rdc", "-fno-gpu-rdc");
    links = std::ranges::none_of(arguments, stopsBeforeLinking) &&
            std::ranges::any_of(arguments, [](const Argument &argument) {
              return argument.kind == Argument::Kind::input || argument.startsWith("-l") ||
                     argument.startsWith("-Wl,") || argument.is("-Xlinker");
            });
    hostOnly = has(arguments, "--cuda-host-only") || has(arguments, "-M") || has(arguments, "-MM");
    onlyReads = hostOnly || has(arguments, "-E") || has(arguments, "-fsyntax-only");
    writesAssembly = hip && !hostOnly && has(arguments, "-S") && !has(arguments, "-emit-llvm") &&
                     !has(arguments, "--cuda-device-only") && !has(arguments, "--genco");
  }
  bool compiles() const { return hip || c || other; }
  bool linksDeviceCode() const { return links && relocatable; }
  bool makesDeviceImage() const { return linksDeviceCode() || (hip && !relocatable && !onlyReads); }

  bool hip, c, other;       // which sources there are
  bool relocatable = false; // device code of several objects is linked at the end
  bool links = false;       // nothing stops before the linker, and there is something to link
  bool hostOnly = false;    // device code is not wanted
  bool onlyReads = false;   // no code is made
  bool writesAssembly = false;
};

class Planner {
public:
  Planner(const Words &words, const Settings &settings) : settings_(settings), arguments_(parseArguments(words)) {
    const Run run(arguments_);
    if (run.compiles())
      append(settings.compileFlags);
    if (run.links)
      append(settings.linkFlags);
    chooseDevices(settings);
    dropForeignArguments();
    if (has(arguments_, "--genco") && std::erase_if(arguments_, [](const Argument &a) { return a.is("-fgpu-rdc"); }))
      plan_.notes.push_back("-fgpu-rdc is ignored: --genco makes a code object that is linked");
  }

  Plan plan() {
    if (!plan_.error.empty())
      return std::move(plan_);
    const Run all(arguments_);
    const bool onlyTells = has(arguments_, "-###");
    plan_.makesTemporaryFiles = (all.hip || all.linksDeviceCode() || has(arguments_, "--version")) && !onlyTells;
    if (all.hip && all.relocatable && !all.links && !all.onlyReads && !onlyTells)
      writeBesideSpecialFile();
    // Several outputs and one name for them: clang refuses that, and would not notice it in commands for one file each.
    const bool clash = has(arguments_, "-o") && !Run(arguments_).links &&
                       std::ranges::count(arguments_, Argument::Kind::input, &Argument::kind) > 1;
    // nvcc and g++ only warn of a standard of C++ for C alone.
    if (hasInput(arguments_, Language::c) && !speaksCxx())
      std::erase_if(arguments_, [](const Argument &argument) { return isStandard(argument, true); });
    if (!clash && hasInput(arguments_, Language::c) && speaksCxx()) {
      separateC();
      plan_.makesTemporaryFiles = true; // several commands
    }
    const Run run(arguments_);
    if (run.writesAssembly && run.relocatable) {
      plan_.notes.push_back("-S with -fgpu-rdc writes the assembly of the host code alone");
      arguments_.push_back(option("--cuda-host-only"));
    } else if (run.writesAssembly && !clash) {
      planAssembly();
      return std::move(plan_);
    }
    plan_.commands.push_back(command(arguments_));
    return std::move(plan_);
  }

private:
  void append(const Words &words) {
    for (Argument &argument : parseArguments(words))
      arguments_.push_back(std::move(argument));
  }

  // Takes out --offload-arch= and --no-offload-arch=, which add and remove names from left to right.
  void chooseDevices(const Settings &settings) {
    std::vector<Argument> kept;
    for (Argument &argument : arguments_) {
      constexpr std::string_view kAdd = "--offload-arch=", kRemove = "--no-offload-arch=";
      const bool adds = argument.startsWith(kAdd);
      if (!adds && !argument.startsWith(kRemove)) {
        kept.push_back(std::move(argument));
        continue;
      }
      for (const std::string &name :
           splitNames(std::string_view(argument.name).substr((adds ? kAdd : kRemove).size()))) {
        if (isOtherDevice(name))
          plan_.notes.push_back(argument.name.substr(0, argument.name.find('=') + 1) + name + std::string(kIgnored));
        else if (adds)
          addDevice(name);
        else if (name == "all")
          devices_.clear();
        else
          std::erase(devices_, name);
      }
    }
    arguments_ = std::move(kept);
    if (devices_.empty())
      for (const std::string &name : settings.devices)
        if (!isOtherDevice(name))
          addDevice(name);
  }

  void addDevice(const std::string &name) {
    if (!isPlainName(name) && plan_.error.empty())
      plan_.error = "--offload-arch=" + name +
                    ": native code is made for the names of single devices, releases or families "
                    "that ocloc knows, such as pvc, dg2-g10 or xe-hpc, without a suffix";
    if (std::ranges::find(devices_, name) == devices_.end())
      devices_.push_back(name);
  }

  void dropForeignArguments() {
    std::vector<Argument> kept;
    bool rounds = true;
    for (Argument &argument : arguments_) {
      if (argument.kind == Argument::Kind::option && belongsToAnotherCompiler(argument)) {
        if (argument.is("-mwavefrontsize64"))
          plan_.warnings.push_back("-mwavefrontsize64 is ignored: warps have 32 lanes on every device");
        plan_.notes.push_back(argument.name + (argument.hasValue ? " " + argument.value : "") + std::string(kIgnored));
        continue;
      }
      if (constexpr std::string_view kStack = "--recursion-stack="; argument.startsWith(kStack)) {
        setRecursionStack(argument.name.substr(kStack.size()));
        continue;
      }
      constexpr std::pair<std::string_view, const char *> kOtherNames[] = {
          {"--offload-device-only", "--cuda-device-only"},
          {"--offload-host-only", "--cuda-host-only"},
          {"-use_fast_math", "-ffast-math"},
          {"--use_fast_math", "-ffast-math"},
          {"-mprintf-kind=buffered", "-D__HIPLZ_PRINTF_BUFFERED__"},
          {"-mprintf-kind=hostcall", "-U__HIPLZ_PRINTF_BUFFERED__"}};
      for (auto [name, own] : kOtherNames)
        if (argument.is(name))
          argument.name = own;
      const bool exact = argument.is("-fhip-fp32-correctly-rounded-divide-sqrt");
      if (exact || argument.is("-fno-hip-fp32-correctly-rounded-divide-sqrt"))
        rounds = exact;
      else
        kept.push_back(std::move(argument));
    }
    // Clang's driver knows it for AMD's processors only, clang itself for all.
    if (!rounds)
      kept.push_back(option("-Xclang", "-fno-hip-fp32-correctly-rounded-divide-sqrt"));
    arguments_ = std::move(kept);
  }

  // For the link-time passes, which read it from the environment.
  void setRecursionStack(const std::string &bytes) {
    const bool isNumber = !bytes.empty() && std::ranges::all_of(bytes, [](char c) { return c >= '0' && c <= '9'; });
    if ((!isNumber || bytes.size() > 9) && plan_.error.empty())
      plan_.error =
          "--recursion-stack=" + bytes + ": the bytes that each thread has for recursive functions are a number";
    plan_.recursionStack = bytes;
  }

  // Clang's bundler, which makes objects with relocatable device code, would put a file in the place of /dev/null.
  void writeBesideSpecialFile() {
    const auto output = std::ranges::find_if(arguments_, [](const Argument &argument) { return argument.is("-o"); });
    if (output != arguments_.end() && settings_.isSpecialFile(output->value)) {
      plan_.output = {settings_.temporaryFile(".o"), output->value};
      output->value = plan_.output.file;
    }
  }

  // True if there are HIP or C++ sources, whose language options C refuses.
  bool speaksCxx() const {
    return hasInput(arguments_, Language::hip) ||
           (hasInput(arguments_, Language::other) &&
            std::ranges::any_of(arguments_, [](const Argument &argument) { return isStandard(argument, true); }));
  }

  // C and HIP in one command take different -std options, which clang would apply to both. The C files go first, in
  // commands of their own; where the command links, their objects stand in the files' places.
  void separateC() {
    const bool links = Run(arguments_).links;
    std::vector<Argument> c, rest;
    for (const Argument &argument : arguments_) {
      const bool isCInput = argument.kind == Argument::Kind::input && argument.inputLanguage() == Language::c;
      if (argument.kind == Argument::Kind::option ? !isStandard(argument, true) : isCInput && !links)
        c.push_back(argument);
      if (!isStandard(argument, false) && (links || !isCInput))
        rest.push_back(argument);
    }
    if (!links) {
      plan_.commands.push_back(command(c));
    } else {
      std::erase_if(c, [](const Argument &argument) { return argument.is("-o"); });
      c.push_back(option("-c"));
      c.push_back(option("-Qunused-arguments")); // those for the linker
      for (Argument &argument : rest) {
        if (argument.kind != Argument::Kind::input || argument.inputLanguage() != Language::c)
          continue;
        std::vector<Argument> compile = c;
        compile.push_back(argument);
        argument = input(settings_.temporaryFile(".o"));
        compile.push_back(option("-o", argument.name));
        plan_.commands.push_back(command(compile));
      }
    }
    arguments_ = std::move(rest);
  }

  // Clang embeds device code when it makes an object, but cannot write assembly for both sides in one run. So device
  // code is made first, and the assembly of the host code takes it in.
  void planAssembly() {
    for (size_t i = 0; i < arguments_.size(); ++i) {
      const Argument &source = arguments_[i];
      if (source.kind != Argument::Kind::input)
        continue;
      std::vector<Argument> host;
      for (size_t j = 0; j < arguments_.size(); ++j)
        if (arguments_[j].kind == Argument::Kind::option || j == i)
          host.push_back(arguments_[j]);
      if (source.inputLanguage() == Language::hip) {
        std::vector<Argument> device;
        for (const Argument &argument : host)
          if (!isAny(argument, {"-S", "-o", "-MF", "-MT", "-MQ", "-MD", "-MMD", "-MP"}))
            device.push_back(argument);
        const std::string binary = settings_.temporaryFile(".hipfb");
        device.push_back(option("--genco"));
        device.push_back(option("-o", binary));
        plan_.commands.push_back(command(device));
        for (const Argument &argument :
             {option("--cuda-host-only"), option("-Xclang", "-fcuda-include-gpubinary"), option("-Xclang", binary)})
          host.push_back(argument);
      }
      plan_.commands.push_back(command(host));
    }
  }

  // The words of one run of clang.
  Words command(const std::vector<Argument> &arguments) {
    const Run run(arguments);
    Words words = {settings_.clang};
    const auto add = [&](std::initializer_list<std::string> more) { words.insert(words.end(), more); };
    if (!devices_.empty() && run.makesDeviceImage()) {
      add({"-B" + settings_.prefix + "/lib/hiplz/native"}); // a clang-offload-bundler that calls ocloc
      plan_.devices = devices_;
    }
    if (run.hip || run.linksDeviceCode())
      add({"--offload=spirv64", "--hip-path=" + settings_.prefix, "-B" + settings_.prefix + "/lib/hiplz/bin"});
    // For host code clang itself looks into the prefix behind the system's folders, where another HIP may be.
    if (run.compiles())
      add({"-isystem", settings_.prefix + "/include"});
    if (run.hip && run.hostOnly)
      add({"--cuda-host-only"});
    // The C++ library would offer 128-bit functions, which SPIR-V has no type for. Passes refuse code with its line; nothing of that is
    // left in it without -g. Of variables clang must not tell its translator, which fails over some descriptions. Kernels hand on
    // variables that only some work-items have set; with noundef clang concludes that all have. One pass runs in clang itself.
    if (run.hip && !run.hostOnly)
      add({"-Xarch_device", "-U__FLOAT128__", "-Xarch_device", "-U__SIZEOF_FLOAT128__", "-Xarch_device",
           "-Wp,-no-enable-noundef-analysis", "-Xarch_device",
           "-fpass-plugin=" + settings_.prefix + "/lib/libLLVMHipSpvPasses.so", "-Xarch_device",
           wantsDebugInfo(arguments) ? "-Wp,-debug-info-kind=line-tables-only"
                                     : "-Wp,-debug-info-kind=line-directives-only"});
    // The language that current HIP compilers speak; stock clang 15 starts HIP at C++11.
    if (run.hip && std::ranges::none_of(arguments, [](const Argument &a) { return isStandard(a, true); }))
      add({"-std=gnu++17"});
    // Without a level it is -O3, also with -g, as in AMD's hipcc.
    if (run.compiles() && std::ranges::none_of(arguments, [](const Argument &a) { return a.startsWith("-O"); }))
      add({"-O3"});
    // Sources without any include know the qualifiers, and std::complex works in device code. The wrapper is found among the
    // system's headers, so that -MM does not list it.
    if (run.hip && !has(arguments, "-nogpuinc"))
      add({"-include", "hip/spirv/compiler_wrapper.h", "-isystem", settings_.prefix + "/include/hip/spirv/std"});
    appendArguments(arguments, run, words);
    // Clang's object with the device code says nothing about the stack, which ld takes for "executable".
    if (run.linksDeviceCode())
      add({"--hip-link", "-no-hip-rt", "-Wl,-z,noexecstack"});
    else if (has(arguments, "--hip-link") && !has(arguments, "-no-hip-rt"))
      add({"-no-hip-rt"}); // or clang adds -lamdhip64
    if (run.links && !has(arguments, "-r") && !has(arguments, "-no-hip-rt"))
      add({"-L" + settings_.prefix + "/lib", "-lhiplz", "-Wl,-rpath," + settings_.prefix + "/lib"});
    return words;
  }

  void appendArguments(const std::vector<Argument> &arguments, const Run &run, Words &words) const {
    std::string language = "none"; // what the -x before has told clang
    const auto addInput = [&](const std::string &name, const std::string &wanted) {
      if (wanted != language) {
        words.push_back("-x");
        words.push_back(wanted);
      }
      language = wanted;
      words.push_back(name.size() > 1 && name[0] == '-' ? "./" + name : name);
    };
    const Words folders = libraryFolders(arguments);
    Words deviceObjects; // of static libraries
    for (const Argument &argument : arguments) {
      const std::string library = run.linksDeviceCode() ? libraryName(argument) : std::string();
      const LibraryWithDeviceCode found =
          library.empty() ? LibraryWithDeviceCode() : settings_.deviceCodeOfLibrary(library, folders);
      if (!found.objects.empty()) {
        // By its path: clang 19 looks into the files that are named for what they need of the device code's object.
        words.push_back("-Xlinker");
        words.push_back(found.path);
        deviceObjects.insert(deviceObjects.end(), found.objects.begin(), found.objects.end());
      } else if (argument.is("--genco")) {
        for (const char *word : {"--cuda-device-only", "--gpu-bundle-output", "-c"})
          words.push_back(word);
      } else if (argument.kind == Argument::Kind::option) {
        if ((run.hip || run.linksDeviceCode()) && isForHostCodeOnly(argument))
          words.push_back("-Xarch_host");
        argument.appendTo(words);
      } else if (const std::string wanted = languageWord(argument);
                 run.linksDeviceCode() && wanted == "none" && !settings_.holdsDeviceCode(argument.name)) {
        // Clang unbundles every object of such a link; one without device code would add an empty module and a warning.
        words.push_back("-Xlinker");
        words.push_back(argument.name);
      } else {
        addInput(argument.name, wanted);
      }
    }
    for (const std::string &object : deviceObjects) // clang does not look into static libraries for device code
      addInput(object, "none");
  }

  static std::string languageWord(const Argument &source) {
    switch (source.inputLanguage()) {
    case Language::hip: return "hip";
    case Language::c: return "c";
    case Language::other: return source.language;
    case Language::none: break;
    }
    return "none";
  }

  static Words libraryFolders(const std::vector<Argument> &arguments) {
    Words folders;
    for (const Argument &argument : arguments)
      if (argument.startsWith("-L"))
        folders.push_back(argument.hasValue ? argument.value : argument.name.substr(2));
    return folders;
  }

  // The file or the -l that may be a static library, or nothing.
  static std::string libraryName(const Argument &argument) {
    if (argument.kind == Argument::Kind::input)
      return argument.name.ends_with(".a") ? argument.name : std::string();
    if (!argument.startsWith("-l"))
      return {};
    return argument.hasValue ? "-l" + argument.value : argument.name;
  }

  const Settings &settings_;
  std::vector<Argument> arguments_;
  Words devices_; // to make native code for
  Plan plan_;
};

} // namespace

Plan makePlan(const Words &words, const Settings &settings) { return Planner(words, settings).plan(); }

} // namespace hiplz::hipcc
