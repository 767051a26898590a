// SPDX-License-Identifier: MIT
// Entry file: Header, then the key, then the payload. The file's name is the hash of the key; the whole key is compared
// on load, so that two keys with one hash miss instead of mixing, and the payload carries a checksum of its own.
#include "base/disk_cache.h"
#include "base/cache_folder.h"
#include "base/cancellation.h"
#include "base/env.h"
#include "base/log.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
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
  if (const char *xdg = ::secure_getenv("XDG_CACHE_HOME"); xdg && *xdg == '/')
    return std::string(xdg) + "/hiplz";
  if (const char *home = ::secure_getenv("HOME"); home && *home)
    return std::string(home) + "/.cache/hiplz";
  return {};
}

/// The most bytes of all caches together.
uint64_t sizeLimit() {
  const uint64_t limit = envNumber(EnvVar::HIPLZ_CACHE_SIZE).value_or(0);
  return limit ? limit : UINT64_MAX;
}

// Scanning all entries costs more than storing one: it is done at the first store of a process, and then after so many
// bytes that the caches cannot have grown by more than a fraction of the limit.
bool isTimeToTrim(uint64_t stored, uint64_t limit) {
  static std::atomic<uint64_t> sinceLast{UINT64_MAX / 2};
  if (limit == UINT64_MAX || sinceLast.fetch_add(stored) + stored < limit / 16)
    return false;
  sinceLast.store(0);
  return true;
}

// A write beyond the limit ends the process.
bool exceedsFileSizeLimit(uint64_t bytes) {
  rlimit limit;
  return ::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && bytes > limit.rlim_cur;
}

// Entries are removed by the time of their last use, which reading does not note on most systems.
void noteUse(const OpenFile &file, const struct stat &status) {
  constexpr time_t kHour = 3600; // so that programs that start often do not write each time
  if (status.st_mtim.tv_sec + kHour < ::time(nullptr))
    ::futimens(file.descriptor(), nullptr);
}

std::string nameOf(std::string_view key) { return hexHash(std::as_bytes(std::span(key))); }

// False with errno set.
bool write(const OpenFile &folder, std::string_view key, std::span<const std::byte> payload) {
  static std::atomic<unsigned> sequence{0};
  const std::string name = nameOf(key);
  const std::string temporary = name + "." + std::to_string(::getpid()) + "." + std::to_string(sequence++);
  XXH128_hash_t hash = XXH3_128bits(payload.data(), payload.size());
  Header header{{}, key.size(), payload.size(), {hash.low64, hash.high64}};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  OpenFile file(::openat(folder.descriptor(), temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file)
    return false;
  if (file.writeAll(&header, sizeof header) && file.writeAll(key.data(), key.size()) &&
      file.writeAll(payload.data(), payload.size()) && file.close() &&
      ::renameat(folder.descriptor(), temporary.c_str(), folder.descriptor(), name.c_str()) == 0)
    return true;
  const int reason = errno;
  ::unlinkat(folder.descriptor(), temporary.c_str(), 0);
  errno = reason;
  return false;
}

} // namespace

std::string contentKey(std::span<const std::byte> bytes) { return hexHash(bytes) + ":" + std::to_string(bytes.size()); }

DiskCache::DiskCache(std::string_view name) : root_(cacheRoot()) {
  if (!root_.empty())
    folder_ = root_ + "/" + std::string(name);
}

std::string DiskCache::root() { return cacheRoot(); }

std::string DiskCache::pathFor(std::string_view key) const {
  return folder_.empty() ? folder_ : folder_ + "/" + nameOf(key);
}

std::optional<std::vector<std::byte>> DiskCache::load(std::string_view key) const {
  if (folder_.empty())
    return std::nullopt;
  const CancellationOff notNow;
  const OpenFile folder = openCacheFolder(folder_, false);
  if (!folder)
    return std::nullopt;
  const std::string name = nameOf(key);
  // Whatever it is, opening it does not wait.
  OpenFile file(::openat(folder.descriptor(), name.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC));
  if (!file && (errno == ENOENT || errno == EMFILE || errno == ENFILE))
    return std::nullopt;
  Header header;
  struct stat status;
  std::string why = "it is damaged";
  bool whole = file && ::fstat(file.descriptor(), &status) == 0 && S_ISREG(status.st_mode) && isOurs(status, why) &&
               static_cast<uint64_t>(status.st_size) <= sizeLimit() && file.readAll(&header, sizeof header) &&
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
    if (whole && hash.low64 == header.payloadHash[0] && hash.high64 == header.payloadHash[1]) {
      noteUse(file, status);
      return payload;
    }
  }
  HIPLZ_LOG_INFO("the cache entry %s/%s is damaged (%s); it is removed and made again", folder_.c_str(), name.c_str(),
                 why.c_str());
  ::unlinkat(folder.descriptor(), name.c_str(), 0);
  return std::nullopt;
}

void DiskCache::store(std::string_view key, std::span<const std::byte> payload) const {
  if (folder_.empty())
    return;
  const CancellationOff notNow;
  const OpenFile folder = openCacheFolder(folder_, true);
  const char *why = nullptr;
  const uint64_t bytes = sizeof(Header) + key.size() + payload.size(), limit = sizeLimit();
  if (!folder)
    why = std::strerror(errno);
  else if (exceedsFileSizeLimit(bytes))
    why = "the process may not write files that large";
  else if (bytes > limit)
    why = "the entry is larger than HIPLZ_CACHE_SIZE";
  else if (!write(folder, key, payload))
    why = std::strerror(errno);
  if (why)
    HIPLZ_LOG_INFO("the cache folder %s is not writable (%s); programs will start more slowly", folder_.c_str(), why);
  else if (isTimeToTrim(bytes, limit))
    trimCaches(root_, limit);
}

} // namespace hiplz
