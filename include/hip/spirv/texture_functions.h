// SPDX-License-Identifier: MIT
// The texture functions of kernels: tex1Dfetch, tex1D ... texCubemapLayeredGrad, tex2Dgather. Each has three forms:
//   T tex2D<T>(object, x, y)           the type of the texel is stated; it must fit to the format of the texture
//   void tex2D(T* result, object, x, y)
//   auto tex2D(reference, x, y)        for texture<T, hipTextureType2D, mode>; fractions are floats
#pragma once

#include "hip/spirv/texture_sampling.h"

namespace __hiplz {

/// The type of a value read through a texture reference.
template <class T, hipTextureReadMode mode> struct TextureResult {
  typedef T type;
};
template <class T> struct TextureResult<T, hipReadModeNormalizedFloat> {
  typedef float type;
};
template <class T, unsigned n> struct TextureResult<HIP_vector_type<T, n>, hipReadModeNormalizedFloat> {
  typedef HIP_vector_type<float, n> type;
};
/// Four components, one of each gathered texel.
template <class T, hipTextureReadMode mode> struct GatherResult {
  typedef HIP_vector_type<typename TexelType<typename TextureResult<T, mode>::type>::Scalar, 4> type;
};

} // namespace __hiplz

template <class T, hipTextureReadMode mode> using __hip_tex_ret_t = typename __hiplz::TextureResult<T, mode>::type;
template <class T, hipTextureReadMode mode>
using __hip_tex2dgather_ret_t = typename __hiplz::GatherResult<T, mode>::type;

#define __HIPLZ_UNPACK(...) __VA_ARGS__
#define __HIPLZ_IF_TEXEL(T) typename std::enable_if<__hiplz::TexelType<T>::value>::type * = nullptr

// A function with its parameters, and its value, which may use T and `object`.
#define __HIPLZ_TEXTURE(name, type, Result, parameters, arguments, value)                                              \
  template <class T, __HIPLZ_IF_TEXEL(T)>                                                                              \
  __HIPLZ_DEVICE T name(hipTextureObject_t object, __HIPLZ_UNPACK parameters) {                                        \
    return value;                                                                                                      \
  }                                                                                                                    \
  template <class T, __HIPLZ_IF_TEXEL(T)>                                                                              \
  __HIPLZ_DEVICE void name(T *result, hipTextureObject_t object, __HIPLZ_UNPACK parameters) {                          \
    *result = name<T>(object, __HIPLZ_UNPACK arguments);                                                               \
  }                                                                                                                    \
  template <class T, hipTextureReadMode mode>                                                                          \
  __HIPLZ_DEVICE Result<T, mode> name(const texture<T, type, mode> &reference, __HIPLZ_UNPACK parameters) {            \
    return name<Result<T, mode>>(reference.textureObject, __HIPLZ_UNPACK arguments);                                   \
  }

#define __HIPLZ_SAMPLE(name, type, dims, parameters, arguments, place, detail)                                         \
  __HIPLZ_TEXTURE(                                                                                                     \
      name, type, __hip_tex_ret_t, parameters, arguments,                                                              \
      (__hiplz::sampleTexture<dims, T>(object, __hiplz::TexturePlace{__HIPLZ_UNPACK place, false}, detail)))

__HIPLZ_TEXTURE(tex1Dfetch, hipTextureType1D, __hip_tex_ret_t, (int x), (x), __hiplz::fetchTexel<T>(object, x))

__HIPLZ_SAMPLE(tex1D, hipTextureType1D, 1, (float x), (x), (x, 0, 0, 0), 0)
__HIPLZ_SAMPLE(tex1DLod, hipTextureType1D, 1, (float x, float level), (x, level), (x, 0, 0, 0), level)
__HIPLZ_SAMPLE(tex1DGrad, hipTextureType1D, 1, (float x, float dx, float dy), (x, dx, dy), (x, 0, 0, 0),
               __hiplz::detailOf<1>(object, float4(dx, 0, 0, 0), float4(dy, 0, 0, 0)))

__HIPLZ_SAMPLE(tex2D, hipTextureType2D, 2, (float x, float y), (x, y), (x, y, 0, 0), 0)
__HIPLZ_SAMPLE(tex2DLod, hipTextureType2D, 2, (float x, float y, float level), (x, y, level), (x, y, 0, 0), level)
__HIPLZ_SAMPLE(tex2DGrad, hipTextureType2D, 2, (float x, float y, float2 dx, float2 dy), (x, y, dx, dy), (x, y, 0, 0),
               __hiplz::detailOf<2>(object, float4(dx.x, dx.y, 0, 0), float4(dy.x, dy.y, 0, 0)))

__HIPLZ_SAMPLE(tex3D, hipTextureType3D, 3, (float x, float y, float z), (x, y, z), (x, y, z, 0), 0)
__HIPLZ_SAMPLE(tex3DLod, hipTextureType3D, 3, (float x, float y, float z, float level), (x, y, z, level), (x, y, z, 0),
               level)
__HIPLZ_SAMPLE(tex3DGrad, hipTextureType3D, 3, (float x, float y, float z, float4 dx, float4 dy), (x, y, z, dx, dy),
               (x, y, z, 0), __hiplz::detailOf<3>(object, dx, dy))

__HIPLZ_SAMPLE(tex1DLayered, hipTextureType1DLayered, 1, (float x, int layer), (x, layer), (x, 0, 0, unsigned(layer)),
               0)
__HIPLZ_SAMPLE(tex1DLayeredLod, hipTextureType1DLayered, 1, (float x, int layer, float level), (x, layer, level),
               (x, 0, 0, unsigned(layer)), level)
__HIPLZ_SAMPLE(tex1DLayeredGrad, hipTextureType1DLayered, 1, (float x, int layer, float dx, float dy),
               (x, layer, dx, dy), (x, 0, 0, unsigned(layer)),
               __hiplz::detailOf<1>(object, float4(dx, 0, 0, 0), float4(dy, 0, 0, 0)))

__HIPLZ_SAMPLE(tex2DLayered, hipTextureType2DLayered, 2, (float x, float y, int layer), (x, y, layer),
               (x, y, 0, unsigned(layer)), 0)
__HIPLZ_SAMPLE(tex2DLayeredLod, hipTextureType2DLayered, 2, (float x, float y, int layer, float level),
               (x, y, layer, level), (x, y, 0, unsigned(layer)), level)
__HIPLZ_SAMPLE(tex2DLayeredGrad, hipTextureType2DLayered, 2, (float x, float y, int layer, float2 dx, float2 dy),
               (x, y, layer, dx, dy), (x, y, 0, unsigned(layer)),
               __hiplz::detailOf<2>(object, float4(dx.x, dx.y, 0, 0), float4(dy.x, dy.y, 0, 0)))
#undef __HIPLZ_SAMPLE

namespace __hiplz {
template <class T> __HIPLZ_DEVICE T sampleCube(const void *object, float x, float y, float z, int layer, float level) {
  return sampleTexture<2, T>(object, cubePlace(cubeFace(x, y, z), cubeLayer(object, layer)), level);
}
template <class T>
__HIPLZ_DEVICE T sampleCube(const void *object, float x, float y, float z, int layer, float4 dx, float4 dy) {
  const CubeFace at = cubeFace(x, y, z);
  return sampleTexture<2, T>(object, cubePlace(at, cubeLayer(object, layer)), cubeDetail(object, at, dx, dy));
}
} // namespace __hiplz

#define __HIPLZ_CUBE(name, type, parameters, arguments, ...)                                                           \
  __HIPLZ_TEXTURE(name, type, __hip_tex_ret_t, parameters, arguments,                                                  \
                  (__hiplz::sampleCube<T>(object, x, y, z, __VA_ARGS__)))

__HIPLZ_CUBE(texCubemap, hipTextureTypeCubemap, (float x, float y, float z), (x, y, z), 0, 0.0f)
__HIPLZ_CUBE(texCubemapLod, hipTextureTypeCubemap, (float x, float y, float z, float level), (x, y, z, level), 0, level)
__HIPLZ_CUBE(texCubemapGrad, hipTextureTypeCubemap, (float x, float y, float z, float4 dx, float4 dy),
             (x, y, z, dx, dy), 0, dx, dy)
__HIPLZ_CUBE(texCubemapLayered, hipTextureTypeCubemapLayered, (float x, float y, float z, int layer), (x, y, z, layer),
             layer, 0.0f)
__HIPLZ_CUBE(texCubemapLayeredLod, hipTextureTypeCubemapLayered, (float x, float y, float z, int layer, float level),
             (x, y, z, layer, level), layer, level)
__HIPLZ_CUBE(texCubemapLayeredGrad, hipTextureTypeCubemapLayered,
             (float x, float y, float z, int layer, float4 dx, float4 dy), (x, y, z, layer, dx, dy), layer, dx, dy)
#undef __HIPLZ_CUBE

namespace __hiplz {
template <class T> __HIPLZ_DEVICE T gather(const void *object, float x, float y, int component) {
  const Components<typename TexelType<T>::Word, 4> four =
      gatherTexels<typename TexelType<T>::Word>(object, x, y, (unsigned)component);
  Components<typename TexelType<T>::Word, TexelType<T>::kComponents> wanted;
#pragma unroll
  for (unsigned i = 0; i < TexelType<T>::kComponents; ++i)
    wanted.word[i] = four.word[i];
  return toTexel<T>(wanted);
}
} // namespace __hiplz
__HIPLZ_TEXTURE(tex2Dgather, hipTextureType2D, __hip_tex2dgather_ret_t, (float x, float y, int component = 0),
                (x, y, component), __hiplz::gather<T>(object, x, y, component))

#undef __HIPLZ_TEXTURE
#undef __HIPLZ_IF_TEXEL
#undef __HIPLZ_UNPACK

/// A channel as the 32 bits that a sampler returns for it: narrow types as an int of their value, others bit by bit. U
/// has 32 bits.
template <typename U, typename T> __HIPLZ_DEVICE const U __hipMapTo(const T &t) {
  U word;
  if (sizeof(T) < sizeof word) {
    const int wide = (int)t;
    __builtin_memcpy(&word, &wide, sizeof word);
  } else {
    __builtin_memcpy(&word, &t, sizeof word);
  }
  return word;
}

/// The channel of type T in the 32 bits that a sampler returns for it.
template <typename T, typename U> __HIPLZ_DEVICE const T __hipMapFrom(const U &u) {
  T channel;
  __builtin_memcpy(&channel, &u, sizeof channel); // the low bytes of a narrow type come first
  return channel;
}
