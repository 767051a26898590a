// SPDX-License-Identifier: MIT
// Half precision: __half and __half2 (half, half2), with arithmetic, comparisons and conversions for host and device code
// and mathematics for device code. Arithmetic is that of _Float16: each operation rounds once, to nearest. Where the
// compiler has no _Float16, and in C, only the types are here.
#ifndef HIPLZ_HIP_FP16_H
#define HIPLZ_HIP_FP16_H

#include "spirv/user_macros_off.h"

#include "hip_common.h"
#include "hip_vector_types.h"

#if defined(__cplusplus) && defined(__FLT16_MAX__)

#include <type_traits>

#ifdef __HIP__
#include "hip_runtime.h"
#endif

#ifdef __clang__
typedef _Float16 _Float16_2 __attribute__((ext_vector_type(2)));
#else
typedef _Float16 _Float16_2 __attribute__((vector_size(4)));
#endif

/// The bits of a half, or its value.
struct __half_raw {
  __extension__ union {
    _Float16 data;
    unsigned short x;
  };
};
struct __half2_raw {
  __extension__ union {
    __extension__ struct {
      __half_raw x;
      __half_raw y;
    };
    _Float16_2 data;
  };
};

#ifdef __HIPLZ_CUDA_SOURCE__
struct __hip_bfloat16;
#endif

struct __half {
protected:
  __extension__ union {
    _Float16 data;
    unsigned short __x;
  };

public:
  __half() = default;
  __half(const __half &) = default;
  __half(__half &&) = default;
  __half &operator=(const __half &) = default;
  __half &operator=(__half &&) = default;
  ~__half() = default;

  __HOST_DEVICE__ constexpr __half(const __half_raw &raw) : data(raw.data) {}
  __HOST_DEVICE__ constexpr __half(_Float16 value) : data(value) {}
#ifdef __HIPLZ_CUDA_SOURCE__ // CUDA converts between its two formats
  __HOST_DEVICE__ explicit __half(const __hip_bfloat16 &value);
#endif
  __HOST_DEVICE__ operator __half_raw() const {
    __half_raw raw;
    raw.x = __x;
    return raw;
  }
  __HOST_DEVICE__ operator __half_raw() const volatile {
    __half_raw raw;
    raw.x = __x;
    return raw;
  }
#define HIPLZ_HALF_FROM_RAW(Raw, VOLATILE)                                                                             \
  __HOST_DEVICE__ VOLATILE __half &operator=(Raw raw) VOLATILE {                                                       \
    __x = raw.x;                                                                                                       \
    return *this;                                                                                                      \
  }
  HIPLZ_HALF_FROM_RAW(const __half_raw &, )
  HIPLZ_HALF_FROM_RAW(__half_raw &&, )
  HIPLZ_HALF_FROM_RAW(const __half_raw &, volatile)
  HIPLZ_HALF_FROM_RAW(const volatile __half_raw &, volatile)
  HIPLZ_HALF_FROM_RAW(__half_raw &&, volatile)
  HIPLZ_HALF_FROM_RAW(volatile __half_raw &&, volatile)
#undef HIPLZ_HALF_FROM_RAW

#ifndef __HIP_NO_HALF_CONVERSIONS__
  template <typename T, typename std::enable_if<std::is_floating_point<T>::value>::type * = nullptr>
  __HOST_DEVICE__ constexpr __half(T value) : data(static_cast<_Float16>(value)) {}
  template <typename T, typename std::enable_if<std::is_integral<T>::value, int>::type * = nullptr>
  __HOST_DEVICE__ constexpr __half(T value) : data(static_cast<_Float16>(value)) {}
  template <typename T, typename std::enable_if<std::is_floating_point<T>::value>::type * = nullptr>
  __HOST_DEVICE__ __half &operator=(T value) {
    data = static_cast<_Float16>(value);
    return *this;
  }
  template <typename T, typename std::enable_if<std::is_integral<T>::value, int>::type * = nullptr>
  __HOST_DEVICE__ __half &operator=(T value) {
    data = static_cast<_Float16>(value);
    return *this;
  }
  template <typename T, typename std::enable_if<std::is_floating_point<T>::value>::type * = nullptr>
  __HOST_DEVICE__ operator T() const {
    return static_cast<T>(data);
  }
  template <typename T, typename std::enable_if<std::is_integral<T>::value, int>::type * = nullptr>
  __HOST_DEVICE__ operator T() const {
    return static_cast<T>(data);
  }
#endif

#ifndef __HIP_NO_HALF_OPERATORS__
#define HIPLZ_HALF_OPERATOR(OP)                                                                                        \
  __HOST_DEVICE__ __half &operator OP##=(const __half &right) {                                                        \
    data = static_cast<_Float16>(data OP right.data);                                                                  \
    return *this;                                                                                                      \
  }                                                                                                                    \
  friend __HOST_DEVICE__ __half operator OP(const __half &left, const __half &right) {                                 \
    return __half(static_cast<_Float16>(left.data OP right.data));                                                     \
  }
  HIPLZ_HALF_OPERATOR(+)
  HIPLZ_HALF_OPERATOR(-)
  HIPLZ_HALF_OPERATOR(*)
  HIPLZ_HALF_OPERATOR(/)
#undef HIPLZ_HALF_OPERATOR
  __HOST_DEVICE__ __half &operator++() { return *this += __half(static_cast<_Float16>(1)); }
  __HOST_DEVICE__ __half &operator--() { return *this -= __half(static_cast<_Float16>(1)); }
  __HOST_DEVICE__ __half operator++(int) {
    __half before(*this);
    ++*this;
    return before;
  }
  __HOST_DEVICE__ __half operator--(int) {
    __half before(*this);
    --*this;
    return before;
  }
  __HOST_DEVICE__ __half operator+() const { return *this; }
  __HOST_DEVICE__ __half operator-() const {
    __half result(*this);
    result.__x ^= 0x8000;
    return result;
  }
#define HIPLZ_HALF_COMPARISON(OP)                                                                                      \
  friend __HOST_DEVICE__ bool operator OP(const __half &left, const __half &right) { return left.data OP right.data; }
  HIPLZ_HALF_COMPARISON(==)
  HIPLZ_HALF_COMPARISON(!=)
  HIPLZ_HALF_COMPARISON(<)
  HIPLZ_HALF_COMPARISON(<=)
  HIPLZ_HALF_COMPARISON(>)
  HIPLZ_HALF_COMPARISON(>=)
#undef HIPLZ_HALF_COMPARISON
#endif
};

/// Two halves. With clang they share their four bytes with a vector, `data`; GCC has no such unions.
struct alignas(4) __half2 {
#ifdef __clang__
  __extension__ union {
    __extension__ struct {
      __half x;
      __half y;
    };
    _Float16_2 data;
  };
#else
  __half x;
  __half y;
#endif

  __half2() = default;
  __half2(const __half2 &) = default;
  __half2(__half2 &&) = default;
  __half2 &operator=(const __half2 &) = default;
  __half2 &operator=(__half2 &&) = default;
  ~__half2() = default;

  __HOST_DEVICE__ __half2(const __half &first, const __half &second) : x(first), y(second) {}
  __HOST_DEVICE__ __half2(const __half2_raw &raw) : x(raw.x), y(raw.y) {}
  __HOST_DEVICE__ __half2(_Float16_2 values) : x(values[0]), y(values[1]) {}
  __HOST_DEVICE__ operator _Float16_2() const {
    return _Float16_2{static_cast<__half_raw>(x).data, static_cast<__half_raw>(y).data};
  }
  __HOST_DEVICE__ operator __half2_raw() const {
    __half2_raw raw;
    raw.x = x;
    raw.y = y;
    return raw;
  }
  __HOST_DEVICE__ __half2 &operator=(const __half2_raw &raw) {
    x = raw.x;
    y = raw.y;
    return *this;
  }

#ifndef __HIP_NO_HALF_OPERATORS__
#define HIPLZ_HALF_OPERATOR(OP)                                                                                        \
  __HOST_DEVICE__ __half2 &operator OP##=(const __half2 &right) {                                                      \
    x OP## = right.x;                                                                                                  \
    y OP## = right.y;                                                                                                  \
    return *this;                                                                                                      \
  }                                                                                                                    \
  friend __HOST_DEVICE__ __half2 operator OP(const __half2 &left, const __half2 &right) {                              \
    return __half2(left.x OP right.x, left.y OP right.y);                                                              \
  }
  HIPLZ_HALF_OPERATOR(+)
  HIPLZ_HALF_OPERATOR(-)
  HIPLZ_HALF_OPERATOR(*)
  HIPLZ_HALF_OPERATOR(/)
#undef HIPLZ_HALF_OPERATOR
  __HOST_DEVICE__ __half2 &operator++() {
    ++x;
    ++y;
    return *this;
  }
  __HOST_DEVICE__ __half2 &operator--() {
    --x;
    --y;
    return *this;
  }
  __HOST_DEVICE__ __half2 operator++(int) {
    __half2 before(*this);
    ++*this;
    return before;
  }
  __HOST_DEVICE__ __half2 operator--(int) {
    __half2 before(*this);
    --*this;
    return before;
  }
  __HOST_DEVICE__ __half2 operator+() const { return *this; }
  __HOST_DEVICE__ __half2 operator-() const { return __half2(-x, -y); }
  // == < > hold if they hold for both components; != <= >= are the contraries of == > <. In CUDA <= and >= are like < and >.
#define HIPLZ_HALF_COMPARISON(OP)                                                                                      \
  friend __HOST_DEVICE__ bool operator OP(const __half2 &left, const __half2 &right) {                                 \
    return left.x OP right.x && left.y OP right.y;                                                                     \
  }
  HIPLZ_HALF_COMPARISON(==)
  HIPLZ_HALF_COMPARISON(<)
  HIPLZ_HALF_COMPARISON(>)
#ifdef __HIPLZ_CUDA_SOURCE__
  HIPLZ_HALF_COMPARISON(<=)
  HIPLZ_HALF_COMPARISON(>=)
#else
  friend __HOST_DEVICE__ bool operator<=(const __half2 &left, const __half2 &right) { return !(left > right); }
  friend __HOST_DEVICE__ bool operator>=(const __half2 &left, const __half2 &right) { return !(left < right); }
#endif
#undef HIPLZ_HALF_COMPARISON
  friend __HOST_DEVICE__ bool operator!=(const __half2 &left, const __half2 &right) { return !(left == right); }
#endif
};

#include "spirv/half_functions.h"
#ifdef __HIP__
#include "spirv/half_device.h"
#endif

#else

typedef struct __half_raw {
  unsigned short x;
} __half_raw;
typedef struct __half2_raw {
  unsigned short x;
  unsigned short y;
} __half2_raw;
typedef struct __half {
  unsigned short __x;
} __half;
typedef struct __attribute__((aligned(4))) __half2 {
  __half x;
  __half y;
} __half2;

#endif

#ifndef HIP_NO_HALF
typedef __half half;
typedef __half2 half2;
#endif

#define HIPRT_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define HIPRT_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define HIPRT_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define HIPRT_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#define HIPRT_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000U)
#define HIPRT_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)
#define HIPRT_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)

#include "spirv/user_macros_on.h"
#endif
