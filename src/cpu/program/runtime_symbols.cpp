// SPDX-License-Identifier: MIT
// A fixed table: compiled code cannot reach anything else in the process. The vector math functions live in libmvec,
// which is opened when the first of them is asked for.
#include "cpu/program/runtime_symbols.h"
#include "cpu/abi/check_functions.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <vector>

extern "C" {
// Conversions of half precision that code for processors without them calls; part of the compiler's support library.
void __truncsfhf2();
void __truncdfhf2();
void __extendhfsf2();
// 128-bit integer arithmetic, which the multiplication and division of 64-bit numbers may need.
void __udivti3();
void __divti3();
void __umodti3();
void __modti3();
void __multi3();
// Conversions between 128-bit integers and floating point, which saturating conversions to 64 bits may need.
void __fixsfti();
void __fixdfti();
void __fixunssfti();
void __fixunsdfti();
void __floattisf();
void __floattidf();
void __floatuntisf();
void __floatuntidf();
double exp10(double);
float exp10f(float);
}

namespace hiplz::cpu {
namespace {

struct Entry {
  std::string_view name;
  void *address;
};

template <typename Function> void *addressOf(Function *function) { return reinterpret_cast<void *>(function); }

const std::vector<Entry> &table() {
  static const std::vector<Entry> entries = [] {
    std::vector<Entry> list = {
#define HIPLZ_RUNTIME_FUNCTION(constant, function) {runtime::constant.name, addressOf(&function)},
        HIPLZ_CPU_RUNTIME_FUNCTIONS(HIPLZ_RUNTIME_FUNCTION) HIPLZ_CPU_CHECK_FUNCTIONS(HIPLZ_RUNTIME_FUNCTION)
#undef HIPLZ_RUNTIME_FUNCTION
            {"memcpy", addressOf<void *(void *, const void *, size_t)>(&::memcpy)},
        {"memmove", addressOf<void *(void *, const void *, size_t)>(&::memmove)},
        {"memset", addressOf<void *(void *, int, size_t)>(&::memset)},
        {"memcmp", addressOf<int(const void *, const void *, size_t)>(&::memcmp)},
        {"bcmp", addressOf<int(const void *, const void *, size_t)>(&::memcmp)},
        {"__truncsfhf2", addressOf(&__truncsfhf2)},
        {"__gnu_f2h_ieee", addressOf(&__truncsfhf2)},
        {"__truncdfhf2", addressOf(&__truncdfhf2)},
        {"__extendhfsf2", addressOf(&__extendhfsf2)},
        {"__gnu_h2f_ieee", addressOf(&__extendhfsf2)},
        {"__udivti3", addressOf(&__udivti3)},
        {"__divti3", addressOf(&__divti3)},
        {"__umodti3", addressOf(&__umodti3)},
        {"__modti3", addressOf(&__modti3)},
        {"__multi3", addressOf(&__multi3)},
        {"__fixsfti", addressOf(&__fixsfti)},
        {"__fixdfti", addressOf(&__fixdfti)},
        {"__fixunssfti", addressOf(&__fixunssfti)},
        {"__fixunsdfti", addressOf(&__fixunsdfti)},
        {"__floattisf", addressOf(&__floattisf)},
        {"__floattidf", addressOf(&__floattidf)},
        {"__floatuntisf", addressOf(&__floatuntisf)},
        {"__floatuntidf", addressOf(&__floatuntidf)},
    };
#define HIPLZ_UNARY(name)                                                                                              \
  list.push_back({#name, addressOf<double(double)>(&::name)});                                                         \
  list.push_back({#name "f", addressOf<float(float)>(&::name##f)});
#define HIPLZ_BINARY(name)                                                                                             \
  list.push_back({#name, addressOf<double(double, double)>(&::name)});                                                 \
  list.push_back({#name "f", addressOf<float(float, float)>(&::name##f)});
#define HIPLZ_OTHER(name, signature, signatureF)                                                                       \
  list.push_back({#name, addressOf<signature>(&::name)});                                                              \
  list.push_back({#name "f", addressOf<signatureF>(&::name##f)});
#define HIPLZ_EXTENDED(name) list.push_back({#name "l", addressOf<long double(long double)>(&::name##l)});
#include "cpu/program/math_functions.def"
#undef HIPLZ_UNARY
#undef HIPLZ_BINARY
#undef HIPLZ_OTHER
#undef HIPLZ_EXTENDED
    std::sort(list.begin(), list.end(), [](const Entry &a, const Entry &b) { return a.name < b.name; });
    return list;
  }();
  return entries;
}

void *findVectorFunction(std::string_view name) {
  // Opened anew each time until that succeeds, and never closed.
  static std::atomic<void *> opened{nullptr};
  void *library = opened.load();
  if (!library && (library = dlopen("libmvec.so.1", RTLD_NOW | RTLD_LOCAL)))
    opened.store(library);
  return library ? dlsym(library, std::string(name).c_str()) : nullptr;
}

} // namespace

void *findRuntimeSymbol(std::string_view name) {
  const std::vector<Entry> &entries = table();
  auto found = std::lower_bound(entries.begin(), entries.end(), name,
                                [](const Entry &entry, std::string_view wanted) { return entry.name < wanted; });
  if (found != entries.end() && found->name == name)
    return found->address;
  return name.starts_with("_ZGV") ? findVectorFunction(name) : nullptr;
}

} // namespace hiplz::cpu
