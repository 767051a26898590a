// SPDX-License-Identifier: MIT
// A checksum over everything behind the header rejects damage; every length is checked all the same, because the bytes
// come from files and from callers.
#include "cpu/program/binary_format.h"
#include "base/serial.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstring>

namespace hiplz::cpu {
namespace {

struct Header {
  char magic[8];
  uint32_t version;
  uint32_t flags; // bit 0: debug information
  uint64_t bodyBytes;
  uint64_t bodyHash;
  uint64_t reserved[4];
};
static_assert(sizeof(Header) == 64);
constexpr char kMagic[8] = {'H', 'I', 'P', 'L', 'Z', 'C', 'P', 'U'};

void writeKernel(SerialWriter &out, const KernelInfo &kernel) {
  out.text(kernel.name);
  out.number(kernel.args.size());
  for (const ArgInfo &arg : kernel.args) {
    out.number(static_cast<uint32_t>(arg.kind));
    out.number(arg.offset);
    out.number(arg.size);
    out.number(arg.align);
  }
  out.number(kernel.argBlockBytes);
  out.number(kernel.staticLocalBytes);
  for (uint32_t size : kernel.requiredGroupSize)
    out.number(size);
  out.number(kernel.requiredSubgroupSize);
  out.number(kernel.gainsFromSize);
  out.text(kernel.sourceAttributes);
}

KernelInfo readKernel(SerialReader &in) {
  KernelInfo kernel;
  kernel.name = in.text();
  for (uint64_t n = in.count(); n > 0 && in.good(); --n) {
    ArgInfo arg;
    arg.kind = static_cast<ArgKind>(in.number32());
    arg.offset = in.number32();
    arg.size = in.number32();
    arg.align = in.number32();
    kernel.args.push_back(arg);
  }
  kernel.argBlockBytes = in.number32();
  kernel.staticLocalBytes = in.number32();
  for (uint32_t &size : kernel.requiredGroupSize)
    size = in.number32();
  kernel.requiredSubgroupSize = in.number32();
  kernel.gainsFromSize = in.number() != 0;
  kernel.sourceAttributes = in.text();
  return kernel;
}

void writeSymbols(SerialWriter &out, const std::vector<LinkSymbol> &symbols) {
  out.number(symbols.size());
  for (const LinkSymbol &symbol : symbols) {
    out.text(symbol.name);
    out.number(symbol.isFunction);
  }
}

std::vector<LinkSymbol> readSymbols(SerialReader &in) {
  std::vector<LinkSymbol> symbols;
  for (uint64_t n = in.count(); n > 0 && in.good(); --n) {
    LinkSymbol symbol;
    symbol.name = in.text();
    symbol.isFunction = in.number() != 0;
    symbols.push_back(std::move(symbol));
  }
  return symbols;
}

constexpr size_t kObjectAlign = 16; // within the binary

void writeObject(SerialWriter &out, std::span<const std::byte> object) {
  out.number(object.size());
  out.body.resize((out.body.size() + kObjectAlign - 1) / kObjectAlign * kObjectAlign);
  out.append(object.data(), object.size());
}

std::span<const std::byte> readObject(SerialReader &in) {
  const uint64_t size = in.number();
  in.align(kObjectAlign);
  return in.bytes(size);
}

const GroupSize kAnySize(0, 0, 0); // as it is written

void writePiece(SerialWriter &out, const KernelPiece &piece) {
  out.text(piece.kernel);
  out.number(piece.code.shapes);
  const GroupSize size = piece.code.onlySize.value_or(kAnySize);
  for (unsigned d = 0; d < 3; ++d)
    out.number(size[d]);
  out.number(piece.code.privateBytes);
  out.number(piece.code.yields);
  out.number(piece.code.frameBytes);
  out.number(piece.code.isQuick);
  writeObject(out, piece.object);
}

KernelPiece readPiece(SerialReader &in) {
  KernelPiece piece;
  piece.kernel = in.text();
  piece.code.shapes = in.number32();
  const uint32_t x = in.number32(), y = in.number32(), z = in.number32();
  if (const GroupSize size(x, y, z); size != kAnySize)
    piece.code.onlySize = size;
  piece.code.privateBytes = in.number32();
  piece.code.yields = in.number() != 0;
  piece.code.frameBytes = in.number32();
  piece.code.isQuick = in.number() != 0;
  piece.object = readObject(in);
  return piece;
}

bool consistent(const KernelInfo &kernel) {
  for (const ArgInfo &arg : kernel.args)
    if (arg.kind > ArgKind::sampler || uint64_t(arg.offset) + arg.size > kernel.argBlockBytes)
      return false;
  return true;
}

} // namespace

std::string kernelSymbol(std::string_view kernelName) { return "hiplz.kernel." + std::string(kernelName); }
std::string oneByOneSymbol(std::string_view kernelName) { return "hiplz.one-by-one." + std::string(kernelName); }
std::string functionSymbol(std::string_view functionName) { return "hiplz.export." + std::string(functionName); }
std::string globalSymbol(std::string_view globalName) { return "hiplz.global." + std::string(globalName); }

std::vector<std::byte> serializeBinary(const BinaryContents &contents) {
  SerialWriter out;
  Header header{};
  out.append(&header, sizeof header);
  out.text(contents.hostKey);
  out.number(contents.kernels.size());
  for (const KernelInfo &kernel : contents.kernels)
    writeKernel(out, kernel);
  out.number(contents.globals.size());
  for (const GlobalInfo &global : contents.globals) {
    out.text(global.name);
    out.number(global.size);
  }
  writeSymbols(out, contents.imports);
  writeSymbols(out, contents.exports);
  out.text(contents.flags);
  writeObject(out, contents.source);
  writeObject(out, contents.shared);
  out.number(contents.pieces.size());
  for (const KernelPiece &piece : contents.pieces)
    writePiece(out, piece);
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.version = kBinaryVersion;
  header.flags = contents.hasDebugInfo ? 1 : 0;
  header.bodyBytes = out.body.size() - sizeof header;
  header.bodyHash = XXH3_64bits(out.body.data() + sizeof header, header.bodyBytes);
  std::memcpy(out.body.data(), &header, sizeof header);
  return std::move(out.body);
}

std::optional<BinaryContents> parseBinary(std::span<const std::byte> bytes, std::string &error) {
  Header header;
  if (bytes.size() < sizeof header || std::memcmp(bytes.data(), kMagic, sizeof kMagic) != 0) {
    error = "native binary: these bytes are not a program binary of the HIPLZ CPU device";
    return std::nullopt;
  }
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.version != kBinaryVersion) {
    error = "native binary: made by another version of the HIPLZ CPU device (format " + std::to_string(header.version) +
            ", this one reads " + std::to_string(kBinaryVersion) + ")";
    return std::nullopt;
  }
  auto body = bytes.subspan(sizeof header);
  if (header.bodyBytes != body.size() || XXH3_64bits(body.data(), body.size()) != header.bodyHash) {
    error = "native binary: truncated or damaged";
    return std::nullopt;
  }
  BinaryContents contents;
  contents.hasDebugInfo = header.flags & 1;
  SerialReader in(body);
  contents.hostKey = in.text();
  bool sound = true;
  for (uint64_t n = in.count(); n > 0 && in.good(); --n) {
    contents.kernels.push_back(readKernel(in));
    sound = sound && consistent(contents.kernels.back());
  }
  for (uint64_t n = in.count(); n > 0 && in.good(); --n) {
    GlobalInfo global;
    global.name = in.text();
    global.size = in.number();
    contents.globals.push_back(std::move(global));
  }
  contents.imports = readSymbols(in);
  contents.exports = readSymbols(in);
  contents.flags = in.text();
  contents.source = readObject(in);
  contents.shared = readObject(in);
  for (uint64_t n = in.count(); n > 0 && in.good(); --n)
    contents.pieces.push_back(readPiece(in));
  if (!in.good() || !sound) {
    error = "native binary: its tables are damaged";
    return std::nullopt;
  }
  return contents;
}

} // namespace hiplz::cpu
