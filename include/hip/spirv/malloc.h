// SPDX-License-Identifier: MIT
// Memory that kernels allocate: malloc, free, new and delete. All kernels of a device share one heap, which the runtime makes
// when the first module that uses it is loaded (docs/design/kernel-services.md). Memory that one kernel allocates can be used
// and freed by a later one; the host's functions do not know it.
//
// The heap consists of pages. Small blocks come from a page of blocks of one size class, in which each taken block is a
// bit; everything else is a run of whole pages. There are no locks, because work-items that wait for another one of the
// same sub-group may wait for ever: a page's state and each word of bits change by one atomic operation.
#pragma once

#include "hip/spirv/builtins.h"
#include "hip/spirv/heap_layout.h"

#include <new>

/// The address of the heap. The runtime fills it; the link-time passes define it.
extern "C" __attribute__((device)) unsigned long __hiplz_heap;

namespace __hiplz {

struct Heap : HeapHeader {
  static constexpr unsigned largestSmall = 2048;
  static constexpr unsigned none = ~0u;
  // The state of a page. Free, or within a run: 0. First page of a run: `run` and the number of pages. Page of small blocks:
  // 1 + the size class in the highest byte, and how many blocks are taken or promised.
  static constexpr unsigned run = 0xff;

  __HIPLZ_DEVICE unsigned *used() { return (unsigned *)(this + 1); }
  __HIPLZ_DEVICE unsigned *state(unsigned page) { return used() + pages / 32 + page; }
  __HIPLZ_DEVICE unsigned *slots(unsigned page) {
    return used() + pages / 32 + pages + (unsigned long)page * slotWords;
  }
  __HIPLZ_DEVICE void *address(unsigned page) { return (void *)(data + (unsigned long)page * pageBytes); }

  // 16, 32, 48, 64, 96, 128, 192 ... 2048 bytes.
  __HIPLZ_DEVICE static unsigned classOf(unsigned bytes) {
    unsigned units = (bytes + 15) / 16;
    if (units <= 2)
      return units <= 1 ? 0 : 1;
    unsigned power = 31 - __builtin_clz(units - 1);
    return 2 * power + (units > 3u << (power - 1));
  }
  __HIPLZ_DEVICE static unsigned bytesOf(unsigned sizeClass) {
    if (sizeClass == 0)
      return 16;
    return sizeClass & 1 ? 16u << (sizeClass + 1) / 2 : 24u << sizeClass / 2;
  }

  __HIPLZ_DEVICE static unsigned load(unsigned *word) {
    return __spirv_AtomicLoad(word, __hiplz_scope_device, __hiplz_relaxed);
  }
  __HIPLZ_DEVICE static void store(unsigned *word, unsigned value) {
    (void)__spirv_AtomicExchange(word, __hiplz_scope_device, __hiplz_relaxed, value);
  }
  // Freeing memory happens before it is allocated again, so these order all memory.
  __HIPLZ_DEVICE static unsigned setBits(unsigned *word, unsigned bits) {
    return __spirv_AtomicOr(word, __hiplz_scope_device, __hiplz_acquire_release, bits);
  }
  __HIPLZ_DEVICE static unsigned clearBits(unsigned *word, unsigned bits) {
    return __spirv_AtomicAnd(word, __hiplz_scope_device, __hiplz_acquire_release, ~bits);
  }
  // Returns what it found, which is `expected` if it has written.
  __HIPLZ_DEVICE static unsigned exchange(unsigned *word, unsigned expected, unsigned desired) {
    return __spirv_AtomicCompareExchange(word, __hiplz_scope_device, __hiplz_acquire_release, __hiplz_relaxed, desired,
                                         expected);
  }

  // One of the bits that are set; work-items with different `start` tend to get different ones. `bits` is not 0.
  __HIPLZ_DEVICE static unsigned pickBit(unsigned bits, unsigned start) {
    unsigned rotated = bits >> (start & 31) | bits << (-start & 31);
    return (__builtin_ctz(rotated) + start) & 31;
  }

  // One free page, from the end of the heap, so that runs find room at its beginning.
  __HIPLZ_DEVICE unsigned takePage(unsigned start) {
    unsigned words = (unsigned)(pages / 32);
    unsigned first = load(&top);
    if (first == 0 || first > words)
      first = words;
    for (unsigned tried = 0; tried < words; ++tried) {
      unsigned word = first > tried ? first - 1 - tried : first - 1 - tried + words;
      unsigned taken = load(used() + word);
      while (~taken) {
        unsigned bit = pickBit(~taken, start);
        unsigned old = setBits(used() + word, 1u << bit);
        if (!(old >> bit & 1)) {
          if (tried)
            store(&top, word + 1);
          return word * 32 + bit;
        }
        taken = old;
      }
    }
    return none;
  }

  // Calls visit(word, its bits) for each word of `used` that has pages of the run, until it returns false; returns how many
  // pages were visited before.
  template <class Visit> __HIPLZ_DEVICE unsigned forEachWord(unsigned page, unsigned count, Visit visit) {
    unsigned done = 0;
    while (done < count) {
      unsigned at = (page + done) & 31;
      unsigned length = count - done < 32 - at ? count - done : 32 - at;
      if (!visit(used() + (page + done) / 32, (length == 32 ? ~0u : (1u << length) - 1) << at))
        break;
      done += length;
    }
    return done;
  }

  __HIPLZ_DEVICE void givePages(unsigned page, unsigned count) {
    forEachWord(
        page, count, [](unsigned *word, unsigned bits) __attribute__((device)) {
          clearBits(word, bits);
          return true;
        });
    unsigned end = (page + count - 1) / 32 + 1;
    if (load(&top) < end)
      store(&top, end);
  }

  // Pages that follow each other; all of them or none. A run within one word of `used` is taken at once. Of two longer
  // ones that meet, the one that is ahead goes on, because both go upwards.
  __HIPLZ_DEVICE bool takeRun(unsigned page, unsigned count) {
    unsigned done = forEachWord(
        page, count, [](unsigned *word, unsigned bits) __attribute__((device)) {
          unsigned taken = load(word);
          while (!(taken & bits)) {
            unsigned found = exchange(word, taken, taken | bits);
            if (found == taken)
              return true;
            taken = found;
          }
          return false;
        });
    if (done < count && done > 0)
      givePages(page, done);
    return done == count;
  }

  __HIPLZ_DEVICE unsigned findRun(unsigned count) {
    unsigned end = (unsigned)pages, begin = 0, page = 0;
    while (page < end) {
      unsigned left = 32 - page % 32;
      unsigned taken = load(used() + page / 32) >> page % 32;
      if (taken & 1) {
        unsigned busy = ~taken ? __builtin_ctz(~taken) : 32;
        begin = page += busy < left ? busy : left;
        continue;
      }
      unsigned free = taken ? __builtin_ctz(taken) : 32;
      page += free < left ? free : left;
      if (page - begin < count)
        continue;
      if (takeRun(begin, count))
        return begin;
      page = begin; // somebody has taken a part of it: look again
    }
    return none;
  }

  // Promises a block of the page to the caller, if it is a page of this class and has one.
  __HIPLZ_DEVICE bool promise(unsigned page, unsigned sizeClass) {
    unsigned capacity = pageBytes / bytesOf(sizeClass);
    unsigned seen = load(state(page));
    while (seen >> kindShift == sizeClass + 1 && (seen & countMask) < capacity) {
      unsigned found = exchange(state(page), seen, seen + 1);
      if (found == seen)
        return true;
      seen = found;
    }
    return false;
  }

  // Takes back a promise or a block that has been freed. The last one gives the page away.
  __HIPLZ_DEVICE void withdraw(unsigned page, unsigned place) {
    unsigned seen = load(state(page));
    for (;;) {
      bool last = (seen & countMask) == 1;
      unsigned found = exchange(state(page), seen, last ? 0 : seen - 1);
      if (found != seen) {
        seen = found;
        continue;
      }
      unsigned sizeClass = (seen >> kindShift) - 1;
      if (last)
        givePages(page, 1);
      else if ((seen & countMask) == pageBytes / bytesOf(sizeClass))
        store(&recent[sizeClass][place], page + 1);
      return;
    }
  }

  // The block that was promised: one of the bits is clear, or will be before others get a promise.
  __HIPLZ_DEVICE void *takeSlot(unsigned page, unsigned sizeClass, unsigned start) {
    unsigned bytes = bytesOf(sizeClass), capacity = pageBytes / bytes;
    unsigned words = (capacity + 31) / 32;
    for (unsigned i = start;; ++i) {
      unsigned word = i % words;
      unsigned valid = capacity - word * 32 < 32 ? (1u << (capacity - word * 32)) - 1 : ~0u;
      unsigned free = ~load(slots(page) + word) & valid;
      if (!free)
        continue;
      unsigned bit = pickBit(free, start);
      if (!(setBits(slots(page) + word, 1u << bit) >> bit & 1))
        return (char *)address(page) + (word * 32 + bit) * bytes;
    }
  }

  // A page with a block that is promised to the caller.
  __HIPLZ_DEVICE unsigned findPage(unsigned sizeClass, unsigned place, unsigned start) {
    unsigned *guess = &recent[sizeClass][place];
    unsigned known = load(guess);
    if (known && promise(known - 1, sizeClass))
      return known - 1;
    unsigned page = takePage(start);
    if (page != none) {
      store(state(page), (sizeClass + 1) << kindShift | 1);
      // All work-items of a sub-group come here together. One page is enough for them.
      unsigned found = exchange(guess, known, page + 1);
      if (found == known)
        return page;
      if (found && found - 1 != page && promise(found - 1, sizeClass)) {
        withdraw(page, place);
        return found - 1;
      }
      store(guess, page + 1);
      return page;
    }
    unsigned count = (unsigned)pages, first = start * 32 % count;
    for (unsigned i = 0; i < count; ++i) {
      page = first + i < count ? first + i : first + i - count;
      if (promise(page, sizeClass)) {
        store(guess, page + 1);
        return page;
      }
    }
    return none;
  }

  __HIPLZ_DEVICE void *allocate(size_t bytes) {
    if (bytes > largestSmall) {
      if (bytes > pages * pageBytes)
        return nullptr;
      unsigned count = (unsigned)((bytes + pageBytes - 1) / pageBytes);
      unsigned page = findRun(count);
      if (page == none)
        return nullptr;
      store(state(page), run << kindShift | count);
      return address(page);
    }
    unsigned lane = (unsigned)__spirv_BuiltInLocalInvocationId(0);
    unsigned start = lane + 5 * (unsigned)__spirv_BuiltInLocalInvocationId(1);
    unsigned place = (lane / 32 + 7 * (unsigned)__spirv_BuiltInWorkgroupId(0)) % places;
    unsigned sizeClass = classOf((unsigned)bytes);
    unsigned page = findPage(sizeClass, place, start);
    return page == none ? nullptr : takeSlot(page, sizeClass, start);
  }

  // Addresses that are no block, or are free already, are ignored.
  __HIPLZ_DEVICE void release(void *block) {
    unsigned long offset = (unsigned long)block - data;
    if (offset >= pages * pageBytes)
      return;
    unsigned page = (unsigned)(offset / pageBytes), within = (unsigned)(offset % pageBytes);
    unsigned seen = load(state(page));
    unsigned kind = seen >> kindShift;
    if (kind == run) {
      if (within == 0 && exchange(state(page), seen, 0) == seen)
        givePages(page, seen & countMask);
      return;
    }
    if (kind == 0 || within % bytesOf(kind - 1))
      return;
    unsigned slot = within / bytesOf(kind - 1);
    if (clearBits(slots(page) + slot / 32, 1u << slot % 32) >> slot % 32 & 1)
      withdraw(page, slot % places);
  }
};

// One copy of each in a program: they are too large for their callers.
inline __attribute__((device, noinline)) void *heapAllocate(size_t bytes) {
  auto *heap = (Heap *)__hiplz_heap;
  return heap ? heap->allocate(bytes) : nullptr;
}
inline __attribute__((device, noinline)) void heapRelease(void *block) {
  auto *heap = (Heap *)__hiplz_heap;
  if (heap && block)
    heap->release(block);
}

// Blocks whose size is a power of two lie at multiples of it, up to the size of a page.
__HIPLZ_DEVICE void *heapAllocateAligned(size_t bytes, size_t alignment) {
  if (alignment > Heap::pageBytes)
    return nullptr;
  size_t size = bytes > alignment ? bytes : alignment;
  if (alignment > 16 && size <= Heap::largestSmall)
    size = (size_t)1 << (64 - __builtin_clzl(size - 1));
  return heapAllocate(size);
}

} // namespace __hiplz

typedef __SIZE_TYPE__ __hip_size_t;

/// Memory of the device's heap, aligned to 16 bytes, a block of its own for each call; null when the heap is exhausted.
/// hipDeviceSetLimit(hipLimitMallocHeapSize) decides its size.
extern "C" __HIPLZ_DEVICE void *malloc(size_t size) { return __hiplz::heapAllocate(size); }
/// Frees what malloc returned, in this or an earlier kernel. The null pointer is ignored.
extern "C" __HIPLZ_DEVICE void free(void *block) { __hiplz::heapRelease(block); }
namespace std {
using ::free;
using ::malloc;
} // namespace std

// There are no exceptions on the device: when the heap is exhausted, every form of new returns the null pointer. As on
// other GPUs, the compiler assumes that the forms without std::nothrow_t cannot, and a constructor would write there.
#define __HIPLZ_NEW(name)                                                                                              \
  __HIPLZ_DEVICE void *operator name(size_t size) { return __hiplz::heapAllocate(size); }                              \
  __HIPLZ_DEVICE void *operator name(size_t size, const std::nothrow_t &) noexcept {                                   \
    return __hiplz::heapAllocate(size);                                                                                \
  }
#define __HIPLZ_DELETE(name)                                                                                           \
  __HIPLZ_DEVICE void operator name(void *block) noexcept { __hiplz::heapRelease(block); }                             \
  __HIPLZ_DEVICE void operator name(void *block, size_t) noexcept { __hiplz::heapRelease(block); }                     \
  __HIPLZ_DEVICE void operator name(void *block, const std::nothrow_t &) noexcept { __hiplz::heapRelease(block); }
__HIPLZ_NEW(new)
__HIPLZ_NEW(new[])
__HIPLZ_DELETE(delete)
__HIPLZ_DELETE(delete[])
#undef __HIPLZ_NEW
#undef __HIPLZ_DELETE

#ifdef __cpp_aligned_new
#define __HIPLZ_ALIGNED(suffix)                                                                                        \
  __HIPLZ_DEVICE void *operator new suffix(size_t size, std::align_val_t alignment) {                                  \
    return __hiplz::heapAllocateAligned(size, (size_t)alignment);                                                      \
  }                                                                                                                    \
  __HIPLZ_DEVICE void *operator new suffix(size_t size, std::align_val_t alignment, const std::nothrow_t &) noexcept { \
    return __hiplz::heapAllocateAligned(size, (size_t)alignment);                                                      \
  }                                                                                                                    \
  __HIPLZ_DEVICE void operator delete suffix(void *block, std::align_val_t) noexcept { __hiplz::heapRelease(block); }  \
  __HIPLZ_DEVICE void operator delete suffix(void *block, size_t, std::align_val_t) noexcept {                         \
    __hiplz::heapRelease(block);                                                                                       \
  }                                                                                                                    \
  __HIPLZ_DEVICE void operator delete suffix(void *block, std::align_val_t, const std::nothrow_t &) noexcept {         \
    __hiplz::heapRelease(block);                                                                                       \
  }
__HIPLZ_ALIGNED()
__HIPLZ_ALIGNED([])
#undef __HIPLZ_ALIGNED
#endif

// The forms of new that construct in memory that is there, and their counterparts.
__HIPLZ_DEVICE void *operator new(size_t, void *place) noexcept { return place; }
__HIPLZ_DEVICE void *operator new[](size_t, void *place) noexcept { return place; }
__HIPLZ_DEVICE void operator delete(void *, void *) noexcept {}
__HIPLZ_DEVICE void operator delete[](void *, void *) noexcept {}
