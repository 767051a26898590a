// SPDX-License-Identifier: MIT
// The header of a compressed bundle, all little-endian:
//
//     version 1   "CCOB" u16 version, u16 method,                u32 plain bytes, u64 hash
//     version 2   "CCOB" u16 version, u16 method, u32 all bytes, u32 plain bytes, u64 hash
//     version 3   "CCOB" u16 version, u16 method, u64 all bytes, u64 plain bytes, u64 hash
//
// The method is 0 for zlib and 1 for zstd. The hash is not compared: compilers have used two functions for it, and a
// damaged stream is noticed by the stream's own checks or by the parser of the bundle.
//
// zlib and zstd are loaded with the first bundle that needs them: few programs have one, and every program would wait for the
// two libraries when it starts.
#include "fatbin/decompress.h"
#include "fatbin/byte_reader.h"

#include <algorithm>
#include <climits>
#include <dlfcn.h>
#include <memory>
#include <string>
#include <zlib.h>
#include <zstd.h>

namespace hiplz {
namespace {

constexpr std::string_view kMagic = "CCOB";
constexpr size_t kFirstStep = 64 * 1024;

/// A library that is loaded on demand and stays. Its functions are found by their names.
class Library {
public:
  explicit Library(const char *name) : handle_(::dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)) {
    if (!handle_)
      throw ParseError("the compressed fat binary cannot be read: " + std::string(::dlerror()));
  }
  template <class Function> Function *find(const char *name, Function *) const {
    if (void *function = ::dlsym(handle_, name))
      return reinterpret_cast<Function *>(function);
    throw ParseError("the compressed fat binary cannot be read: " + std::string(::dlerror()));
  }

private:
  void *handle_;
};
#define HIPLZ_FUNCTION(library, name) const auto name = (library).find(#name, static_cast<decltype(&::name)>(nullptr))

/// Room for more output: at least one byte, at most up to `limit` in all.
std::span<std::byte> grow(std::vector<std::byte> &output, size_t used, uint64_t limit) {
  if (used == output.size()) {
    size_t wanted = std::min<uint64_t>(std::max<size_t>(output.size() * 2, kFirstStep), limit);
    if (wanted <= used)
      throw ParseError("the compressed fat binary holds more than its header says");
    output.resize(wanted);
  }
  return std::span(output).subspan(used);
}

std::vector<std::byte> inflateZlib(std::span<const std::byte> input, uint64_t plainBytes) {
  const Library zlib("libz.so.1");
  HIPLZ_FUNCTION(zlib, inflateInit_);
  HIPLZ_FUNCTION(zlib, inflate);
  HIPLZ_FUNCTION(zlib, inflateEnd);
  z_stream stream{};
  if (inflateInit_(&stream, ZLIB_VERSION, sizeof stream) != Z_OK)
    throw ParseError("zlib cannot be initialised");
  std::unique_ptr<z_stream, int (*)(z_stream *)> guard(&stream, inflateEnd);
  std::vector<std::byte> output;
  size_t used = 0;
  int result = Z_OK;
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<std::byte *>(input.data()));
  const Bytef *inputEnd = stream.next_in + input.size();
  while (result != Z_STREAM_END) {
    auto room = used == plainBytes ? std::span<std::byte>() : grow(output, used, plainBytes);
    std::byte none;
    stream.next_out = reinterpret_cast<Bytef *>(room.empty() ? &none : room.data());
    stream.avail_out = std::min<size_t>(room.size(), UINT_MAX);
    stream.avail_in = std::min<size_t>(inputEnd - stream.next_in, UINT_MAX);
    const Bytef *before = stream.next_in;
    uInt roomBefore = stream.avail_out;
    result = inflate(&stream, Z_NO_FLUSH);
    used += roomBefore - stream.avail_out;
    bool stuck = stream.next_in == before && roomBefore == stream.avail_out;
    if (result != Z_STREAM_END && (result != Z_OK || stuck))
      throw ParseError("the zlib stream of the compressed fat binary is damaged or cut off");
  }
  output.resize(used);
  return output;
}

std::vector<std::byte> inflateZstd(std::span<const std::byte> input, uint64_t plainBytes) {
  const Library zstd("libzstd.so.1");
  HIPLZ_FUNCTION(zstd, ZSTD_createDStream);
  HIPLZ_FUNCTION(zstd, ZSTD_freeDStream);
  HIPLZ_FUNCTION(zstd, ZSTD_decompressStream);
  HIPLZ_FUNCTION(zstd, ZSTD_isError);
  std::unique_ptr<ZSTD_DStream, size_t (*)(ZSTD_DStream *)> stream(ZSTD_createDStream(), ZSTD_freeDStream);
  if (!stream)
    throw ParseError("zstd cannot be initialised");
  std::vector<std::byte> output;
  ZSTD_inBuffer from{input.data(), input.size(), 0};
  size_t used = 0;
  for (size_t left = 1; left != 0;) {
    auto room = used == plainBytes ? std::span<std::byte>() : grow(output, used, plainBytes);
    ZSTD_outBuffer to{room.data(), room.size(), 0};
    size_t before = from.pos;
    left = ZSTD_decompressStream(stream.get(), &to, &from);
    used += to.pos;
    if (ZSTD_isError(left) || (left != 0 && from.pos == before && to.pos == 0))
      throw ParseError("the zstd stream of the compressed fat binary is damaged or cut off");
  }
  output.resize(used);
  return output;
}

} // namespace

bool isCompressedBundle(std::span<const std::byte> bytes) { return startsWith(bytes, kMagic); }

std::vector<std::byte> decompressBundle(std::span<const std::byte> bytes) {
  ByteReader reader(bytes, "the compressed fat binary");
  reader.take(kMagic.size());
  auto version = reader.read<uint16_t>();
  auto method = reader.read<uint16_t>();
  if (version < 1 || version > 3)
    throw ParseError("the compressed fat binary has version " + std::to_string(version) + "; 1 to 3 are known");
  auto size = [&]() -> uint64_t { return version == 3 ? reader.read<uint64_t>() : reader.read<uint32_t>(); };
  uint64_t allBytes = version == 1 ? bytes.size() : size();
  uint64_t plainBytes = size();
  reader.take(sizeof(uint64_t));
  if (allBytes < reader.position() || allBytes > bytes.size())
    throw ParseError("the compressed fat binary says that it has " + std::to_string(allBytes) + " bytes, but " +
                     std::to_string(bytes.size()) + " are there");
  auto stream = bytes.first(allBytes).subspan(reader.position());
  if (method > 1)
    throw ParseError("the compressed fat binary uses compression method " + std::to_string(method) +
                     "; 0 (zlib) and 1 (zstd) are known");
  auto plain = method == 0 ? inflateZlib(stream, plainBytes) : inflateZstd(stream, plainBytes);
  if (plain.size() != plainBytes)
    throw ParseError("the compressed fat binary holds " + std::to_string(plain.size()) + " bytes, not the " +
                     std::to_string(plainBytes) + " of its header");
  return plain;
}

} // namespace hiplz
