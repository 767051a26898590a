// Entry file: Header, then the key, then the payload. The file's name is the hash of the key; the whole key is compared
// on load, so that two keys with one hash miss instead of mixing, and the payload carries a checksum of its own.
#include "base/disk_cache.h"
#include "base/env.h"
#include "base/log.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace hiplz {
namespace {

struct Header {
  char magic[8];
  uint64_t keyBytes;
  uint64_t payloadBytes;
  uint64_t payloadHash[2];
};
constexpr char kMagic[8] = {'H', 'I', 'P', 'L', 'Z', 'C', '0', '1'};

std::string hexHash(std::span<const std::byte> bytes) {
  XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  char text[33];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  return text;
}

std::string cacheRoot() {
  if (!envFlag(EnvVar::HIPLZ_CACHE))
    return {};
  if (std::string folder = envString(EnvVar::HIPLZ_CACHE_DIR); !folder.empty())
    return folder;
  if (const char *xdg = std::getenv("XDG_CACHE_HOME"); xdg && *xdg)
    return std::string(xdg) + "/hiplz";
  if (const char *home = std::getenv("HOME"); home && *home)
    return std::string(home) + "/.cache/hiplz";
  return {};
}

class File {
public:
  File(const std::string &path, int flags) : descriptor_(::open(path.c_str(), flags | O_CLOEXEC, 0644)) {}
  ~File() {
    if (descriptor_ >= 0)
      ::close(descriptor_);
  }
  File(const File &) = delete;
  File &operator=(const File &) = delete;
  explicit operator bool() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }

  bool readAll(void *to, size_t bytes) {
    return transfer(static_cast<char *>(to), bytes, [this](char *at, size_t n) { return ::read(descriptor_, at, n); });
  }
  bool writeAll(const void *from, size_t bytes) {
    return transfer(static_cast<const char *>(from), bytes,
                    [this](const char *at, size_t n) { return ::write(descriptor_, at, n); });
  }

private:
  template <class Pointer, class Call> bool transfer(Pointer at, size_t bytes, Call call) {
    while (bytes) {
      ssize_t done = call(at, bytes);
      if (done < 0 && errno == EINTR)
        continue;
      if (done <= 0)
        return false;
      at += done;
      bytes -= done;
    }
    return true;
  }
  int descriptor_;
};

} // namespace

std::string contentKey(std::span<const std::byte> bytes) {
  return hexHash(bytes) + ":" + std::to_string(bytes.size());
}

DiskCache::DiskCache(std::string_view name) : folder_(cacheRoot()) {
  if (!folder_.empty())
    folder_ += "/" + std::string(name);
}

std::string DiskCache::pathFor(std::string_view key) const {
  return folder_.empty() ? folder_ : folder_ + "/" + hexHash(std::as_bytes(std::span(key)));
}

std::optional<std::vector<std::byte>> DiskCache::load(std::string_view key) const {
  if (folder_.empty())
    return std::nullopt;
  std::string path = pathFor(key);
  File file(path, O_RDONLY);
  if (!file)
    return std::nullopt;
  Header header;
  struct stat status;
  bool whole = ::fstat(file.descriptor(), &status) == 0 && file.readAll(&header, sizeof header) &&
               std::memcmp(header.magic, kMagic, sizeof kMagic) == 0 &&
               header.keyBytes <= static_cast<uint64_t>(status.st_size) &&
               header.payloadBytes <= static_cast<uint64_t>(status.st_size) &&
               sizeof header + header.keyBytes + header.payloadBytes == static_cast<uint64_t>(status.st_size);
  if (whole) {
    std::string storedKey(header.keyBytes, '\0');
    std::vector<std::byte> payload(header.payloadBytes);
    whole = file.readAll(storedKey.data(), storedKey.size()) && file.readAll(payload.data(), payload.size());
    if (whole && storedKey != key)
      return std::nullopt;
    XXH128_hash_t hash = XXH3_128bits(payload.data(), payload.size());
    if (whole && hash.low64 == header.payloadHash[0] && hash.high64 == header.payloadHash[1])
      return payload;
  }
  HIPLZ_LOG_INFO("the cache entry %s is damaged; it is removed and made again", path.c_str());
  ::unlink(path.c_str());
  return std::nullopt;
}

void DiskCache::store(std::string_view key, std::span<const std::byte> payload) const {
  if (folder_.empty())
    return;
  static std::atomic<unsigned> sequence{0};
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  std::string path = pathFor(key);
  std::string temporary = path + "." + std::to_string(::getpid()) + "." + std::to_string(sequence++);
  XXH128_hash_t hash = XXH3_128bits(payload.data(), payload.size());
  Header header{{}, key.size(), payload.size(), {hash.low64, hash.high64}};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  bool written = false;
  {
    File file(temporary, O_WRONLY | O_CREAT | O_EXCL);
    written = file && file.writeAll(&header, sizeof header) && file.writeAll(key.data(), key.size()) &&
              file.writeAll(payload.data(), payload.size());
  }
  if (!written || ::rename(temporary.c_str(), path.c_str()) != 0) {
    HIPLZ_LOG_INFO("the cache folder %s cannot be written (%s); programs start more slowly", folder_.c_str(),
                   std::strerror(errno));
    ::unlink(temporary.c_str());
  }
}

} // namespace hiplz
