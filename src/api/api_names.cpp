// SPDX-License-Identifier: MIT
// Two views of one list: by name and by number.
#include "api/api_names.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace hiplz {
namespace {

struct Name {
  std::string_view name; // of a literal, so it ends with a zero
  hip_api_id_t id;
};

constexpr Name kByName[] = {
#define HIPLZ_API_NAME(name) {#name, HIP_API_ID_##name},
#include "api/api_names.def"
#undef HIPLZ_API_NAME
};
static_assert(std::is_sorted(std::begin(kByName), std::end(kByName),
                             [](const Name &a, const Name &b) { return a.name < b.name; }));

constexpr auto kById = [] {
  std::array<const char *, HIP_API_ID_LAST + 1> names{};
  for (const Name &name : kByName)
    names[name.id] = name.name.data();
  return names;
}();

} // namespace

const char *apiName(uint32_t id) noexcept { return id < kById.size() && kById[id] ? kById[id] : "unknown"; }

hip_api_id_t apiId(std::string_view name) noexcept {
  const Name *found = std::lower_bound(std::begin(kByName), std::end(kByName), name,
                                       [](const Name &entry, std::string_view wanted) { return entry.name < wanted; });
  return found != std::end(kByName) && found->name == name ? found->id : HIP_API_ID_NONE;
}

} // namespace hiplz
