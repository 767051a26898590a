// SPDX-License-Identifier: MIT
#include "rtc/compiler/precompiled.h"
#include "base/disk_cache.h"
#include "base/lockable.h"
#include "hiplz/version.h"
#include "rtc/dependencies.h"

#include "clang/Basic/Version.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Serialization/ASTWriter.h"

#include <map>

namespace hiplz::rtc {
namespace {

/// Parses and keeps the result in memory.
class PrecompileAction : public clang::ASTFrontendAction {
public:
  explicit PrecompileAction(Precompiled &result) : result_(result) {}

private:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &instance, llvm::StringRef) override {
    return std::make_unique<clang::PCHGenerator>(instance.getPreprocessor(), instance.getModuleCache(), "", "", buffer_,
                                                 llvm::ArrayRef<std::shared_ptr<clang::ModuleFileExtension>>(), false,
                                                 /*IncludeTimestamps=*/false);
  }
  bool BeginSourceFileAction(clang::CompilerInstance &instance) override {
    instance.getLangOpts().CompilingPCH = true;
    return true;
  }
  void EndSourceFileAction() override {
    if (!buffer_->IsComplete)
      return;
    result_.bytes.assign(buffer_->Data.begin(), buffer_->Data.end());
    for (const auto &entry : getCompilerInstance().getPreprocessor().getIdentifierTable())
      result_.identifiers.insert(entry.getKey().str());
  }
  clang::TranslationUnitKind getTranslationUnitKind() override { return clang::TU_Prefix; }
  bool hasASTFileSupport() const override { return false; }

  Precompiled &result_;
  std::shared_ptr<clang::PCHBuffer> buffer_ = std::make_shared<clang::PCHBuffer>();
};

std::shared_ptr<Precompiled> make(const std::string &prefix, const std::vector<std::string> &options) {
  Files files;
  files.add(kImplicitName, implicitText());
  std::string log;
  auto invocation = makeInvocation(prefix, options, pathOf(kImplicitName), files, log);
  if (!invocation)
    return nullptr;
  invocation->getPreprocessorOpts().Includes.clear(); // the program's own, which come behind these headers
  auto result = std::make_shared<Precompiled>();
  PrecompileAction action(*result);
  if (!execute(std::move(invocation), action, files, log) || result->bytes.empty())
    return nullptr;
  result->files = files.lookedFor();
  result->files.push_back(prefix + "/lib/hiplz/libhiplz_rtc_compiler.so"); // its choices are in the header too
  return result;
}

std::shared_ptr<Precompiled> load(const DiskCache &cache, const std::string &key) {
  const auto stored = cache.load(key);
  if (!stored)
    return nullptr;
  SerialReader reader(*stored);
  auto result = std::make_shared<Precompiled>();
  if (!readDependencies(reader, &result->files))
    return nullptr;
  for (uint64_t count = reader.number(); count > 0 && reader.good(); --count)
    result->identifiers.emplace(reader.text());
  result->bytes = reader.text();
  return reader.good() ? result : nullptr;
}

void store(const DiskCache &cache, const std::string &key, const Precompiled &result, const timespec &begin) {
  SerialWriter writer;
  if (!writeDependencies(writer, result.files, begin))
    return;
  writer.number(result.identifiers.size());
  for (const std::string &identifier : result.identifiers)
    writer.text(identifier);
  writer.text(result.bytes);
  cache.store(key, writer.body);
}

struct Entry {
  bool begun = false; ///< somebody makes it, has made it, or was cut short
  std::shared_ptr<const Precompiled> result;
};

} // namespace

const std::string &implicitText() {
  static const std::string &text = *[] { // never destroyed, like the entries below
    auto *lines = new std::string;
    for (const char *header : kImplicitHeaders)
      *lines += std::string("#include <") + header + ">\n";
    return lines;
  }();
  return text;
}

std::shared_ptr<const Precompiled> precompiledFor(const std::string &prefix, const std::vector<std::string> &options) {
  std::string key =
      implicitText() + "for hipRTC " HIPLZ_VERSION_STRING " " + clang::getClangFullRepositoryVersion() + " " + prefix;
  for (const std::string &option : options)
    key += '\0' + option;
  key += '\0' + compilerEnvironment();
  // Never destroyed: a compilation may be under way when the process ends.
  static auto &table = *new Lockable<std::map<std::string, std::shared_ptr<Lockable<Entry>>>>(LockRank::rtcHeaderTable);
  std::shared_ptr<Lockable<Entry>> shared;
  {
    const auto entries = table.lock();
    std::shared_ptr<Lockable<Entry>> &place = (*entries)[key];
    if (!place)
      place = std::make_shared<Lockable<Entry>>(LockRank::rtcHeader);
    shared = place;
  }
  const DiskCache cache("rtc-headers");
  {
    const auto entry = shared->lock();
    if (entry->begun)
      return entry->result;
    entry->begun = true;
    if ((entry->result = load(cache, key)))
      return entry->result;
  }
  // Nobody waits for clang: if it crashes, its thread stops here for good.
  const timespec begin = fileTime();
  std::shared_ptr<const Precompiled> result = make(prefix, options);
  if (!result)
    return nullptr;
  store(cache, key, *result, begin);
  return shared->lock()->result = std::move(result);
}

} // namespace hiplz::rtc
