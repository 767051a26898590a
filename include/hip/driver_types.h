// SPDX-License-Identifier: MIT
// Plain types that describe memory: copy directions, extents, arrays, and the resource and view descriptors of
// textures.
#ifndef HIPLZ_DRIVER_TYPES_H
#define HIPLZ_DRIVER_TYPES_H

#include "spirv/user_macros_off.h"

#include "host_defines.h"
#ifndef __cplusplus
#include <stdbool.h>
#endif
#include <stddef.h>
#include <stdint.h>

/// An address in device memory. In sources with CUDA's names it is a number, as CUdeviceptr is.
#ifdef __HIPLZ_CUDA_SOURCE__
typedef unsigned long long hipDeviceptr_t;
#else
typedef void *hipDeviceptr_t;
#endif

/// Where memory is.
typedef enum hipMemoryType {
  hipMemoryTypeUnregistered = 0, ///< host memory that HIP does not know
  hipMemoryTypeHost,             ///< pinned host memory
  hipMemoryTypeDevice,
  hipMemoryTypeManaged,
  hipMemoryTypeArray = 10,
  hipMemoryTypeUnified, ///< either, found out from the address
} hipMemoryType;

/// Direction of a copy.
typedef enum hipMemcpyKind {
  hipMemcpyHostToHost = 0,
  hipMemcpyHostToDevice,
  hipMemcpyDeviceToHost,
  hipMemcpyDeviceToDevice,
  hipMemcpyDefault,                   ///< found out from the addresses
  hipMemcpyDeviceToDeviceNoCU = 1024, ///< by a copy engine, not by compute units
} hipMemcpyKind;

/// Kind of the components of an element.
typedef enum hipChannelFormatKind {
  hipChannelFormatKindSigned = 0,
  hipChannelFormatKindUnsigned,
  hipChannelFormatKindFloat,
  hipChannelFormatKindNone
} hipChannelFormatKind;

/// Format of an element: bits of each component, 0 if there is none, and their kind.
typedef struct hipChannelFormatDesc {
  int x;
  int y;
  int z;
  int w;
  enum hipChannelFormatKind f;
} hipChannelFormatDesc;

#define HIP_TRSA_OVERRIDE_FORMAT 0x01
#define HIP_TRSF_READ_AS_INTEGER 0x01
#define HIP_TRSF_NORMALIZED_COORDINATES 0x02
#define HIP_TRSF_SRGB 0x10

/// Type of the components of an array in the driver API.
typedef enum hipArray_Format {
  HIP_AD_FORMAT_UNSIGNED_INT8 = 1,
  HIP_AD_FORMAT_UNSIGNED_INT16,
  HIP_AD_FORMAT_UNSIGNED_INT32,
  HIP_AD_FORMAT_SIGNED_INT8 = 8,
  HIP_AD_FORMAT_SIGNED_INT16,
  HIP_AD_FORMAT_SIGNED_INT32,
  HIP_AD_FORMAT_HALF = 16,
  HIP_AD_FORMAT_FLOAT = 32
} hipArray_Format;

typedef struct hipArray hipArray;
/// An array: memory in a layout of the device, for textures and surfaces.
typedef struct hipArray *hipArray_t;
typedef const struct hipArray *hipArray_const_t;

/// A one- or two-dimensional array (Height 0: one-dimensional).
typedef struct HIP_ARRAY_DESCRIPTOR {
  size_t Width;
  size_t Height;
  enum hipArray_Format Format;
  unsigned int NumChannels;
} HIP_ARRAY_DESCRIPTOR;

/// An array of up to three dimensions. Flags are hipArray....
typedef struct HIP_ARRAY3D_DESCRIPTOR {
  size_t Width;
  size_t Height;
  size_t Depth;
  enum hipArray_Format Format;
  unsigned int NumChannels;
  unsigned int Flags;
} HIP_ARRAY3D_DESCRIPTOR;

/// An array with levels of detail.
typedef struct hipMipmappedArray {
  void *data;
  struct hipChannelFormatDesc desc;
  unsigned int type;
  unsigned int width;
  unsigned int height;
  unsigned int depth;
  unsigned int min_mipmap_level;
  unsigned int max_mipmap_level;
  unsigned int flags;
  enum hipArray_Format format;
  unsigned int num_channels;
} hipMipmappedArray;

typedef struct hipMipmappedArray *hipMipmappedArray_t;
typedef const struct hipMipmappedArray *hipMipmappedArray_const_t;
typedef hipMipmappedArray_t hipmipmappedArray;

/// The resource that a texture or surface object reads.
typedef enum hipResourceType {
  hipResourceTypeArray = 0,
  hipResourceTypeMipmappedArray,
  hipResourceTypeLinear,
  hipResourceTypePitch2D
} hipResourceType;

/// The driver API's form of hipResourceType.
typedef enum HIPresourcetype_enum {
  HIP_RESOURCE_TYPE_ARRAY = 0,
  HIP_RESOURCE_TYPE_MIPMAPPED_ARRAY,
  HIP_RESOURCE_TYPE_LINEAR,
  HIP_RESOURCE_TYPE_PITCH2D
} HIPresourcetype;

typedef enum HIPresourcetype_enum hipResourcetype;

/// How a texture is read outside its bounds, in the driver API.
typedef enum HIPaddress_mode_enum {
  HIP_TR_ADDRESS_MODE_WRAP = 0,
  HIP_TR_ADDRESS_MODE_CLAMP,
  HIP_TR_ADDRESS_MODE_MIRROR,
  HIP_TR_ADDRESS_MODE_BORDER
} HIPaddress_mode;

/// How texels are filtered, in the driver API.
typedef enum HIPfilter_mode_enum { HIP_TR_FILTER_MODE_POINT = 0, HIP_TR_FILTER_MODE_LINEAR } HIPfilter_mode;

/// Element format of a view of an array, which may differ from that of the array.
typedef enum hipResourceViewFormat {
  hipResViewFormatNone = 0,
  hipResViewFormatUnsignedChar1,
  hipResViewFormatUnsignedChar2,
  hipResViewFormatUnsignedChar4,
  hipResViewFormatSignedChar1,
  hipResViewFormatSignedChar2,
  hipResViewFormatSignedChar4,
  hipResViewFormatUnsignedShort1,
  hipResViewFormatUnsignedShort2,
  hipResViewFormatUnsignedShort4,
  hipResViewFormatSignedShort1,
  hipResViewFormatSignedShort2,
  hipResViewFormatSignedShort4,
  hipResViewFormatUnsignedInt1,
  hipResViewFormatUnsignedInt2,
  hipResViewFormatUnsignedInt4,
  hipResViewFormatSignedInt1,
  hipResViewFormatSignedInt2,
  hipResViewFormatSignedInt4,
  hipResViewFormatHalf1,
  hipResViewFormatHalf2,
  hipResViewFormatHalf4,
  hipResViewFormatFloat1,
  hipResViewFormatFloat2,
  hipResViewFormatFloat4,
  hipResViewFormatUnsignedBlockCompressed1,
  hipResViewFormatUnsignedBlockCompressed2,
  hipResViewFormatUnsignedBlockCompressed3,
  hipResViewFormatUnsignedBlockCompressed4,
  hipResViewFormatSignedBlockCompressed4,
  hipResViewFormatUnsignedBlockCompressed5,
  hipResViewFormatSignedBlockCompressed5,
  hipResViewFormatUnsignedBlockCompressed6H,
  hipResViewFormatSignedBlockCompressed6H,
  hipResViewFormatUnsignedBlockCompressed7
} hipResourceViewFormat;

/// The driver API's form of hipResourceViewFormat.
typedef enum HIPresourceViewFormat_enum {
  HIP_RES_VIEW_FORMAT_NONE = 0,
  HIP_RES_VIEW_FORMAT_UINT_1X8,
  HIP_RES_VIEW_FORMAT_UINT_2X8,
  HIP_RES_VIEW_FORMAT_UINT_4X8,
  HIP_RES_VIEW_FORMAT_SINT_1X8,
  HIP_RES_VIEW_FORMAT_SINT_2X8,
  HIP_RES_VIEW_FORMAT_SINT_4X8,
  HIP_RES_VIEW_FORMAT_UINT_1X16,
  HIP_RES_VIEW_FORMAT_UINT_2X16,
  HIP_RES_VIEW_FORMAT_UINT_4X16,
  HIP_RES_VIEW_FORMAT_SINT_1X16,
  HIP_RES_VIEW_FORMAT_SINT_2X16,
  HIP_RES_VIEW_FORMAT_SINT_4X16,
  HIP_RES_VIEW_FORMAT_UINT_1X32,
  HIP_RES_VIEW_FORMAT_UINT_2X32,
  HIP_RES_VIEW_FORMAT_UINT_4X32,
  HIP_RES_VIEW_FORMAT_SINT_1X32,
  HIP_RES_VIEW_FORMAT_SINT_2X32,
  HIP_RES_VIEW_FORMAT_SINT_4X32,
  HIP_RES_VIEW_FORMAT_FLOAT_1X16,
  HIP_RES_VIEW_FORMAT_FLOAT_2X16,
  HIP_RES_VIEW_FORMAT_FLOAT_4X16,
  HIP_RES_VIEW_FORMAT_FLOAT_1X32,
  HIP_RES_VIEW_FORMAT_FLOAT_2X32,
  HIP_RES_VIEW_FORMAT_FLOAT_4X32,
  HIP_RES_VIEW_FORMAT_UNSIGNED_BC1,
  HIP_RES_VIEW_FORMAT_UNSIGNED_BC2,
  HIP_RES_VIEW_FORMAT_UNSIGNED_BC3,
  HIP_RES_VIEW_FORMAT_UNSIGNED_BC4,
  HIP_RES_VIEW_FORMAT_SIGNED_BC4,
  HIP_RES_VIEW_FORMAT_UNSIGNED_BC5,
  HIP_RES_VIEW_FORMAT_SIGNED_BC5,
  HIP_RES_VIEW_FORMAT_UNSIGNED_BC6H,
  HIP_RES_VIEW_FORMAT_SIGNED_BC6H,
  HIP_RES_VIEW_FORMAT_UNSIGNED_BC7
} HIPresourceViewFormat;

/// Attributes of a kernel for hipFuncGetAttribute.
typedef enum hipFunction_attribute {
  HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
  HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
  HIP_FUNC_ATTRIBUTE_CONST_SIZE_BYTES,
  HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,
  HIP_FUNC_ATTRIBUTE_NUM_REGS,
  HIP_FUNC_ATTRIBUTE_PTX_VERSION,
  HIP_FUNC_ATTRIBUTE_BINARY_VERSION,
  HIP_FUNC_ATTRIBUTE_CACHE_MODE_CA,
  HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
  HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
  HIP_FUNC_ATTRIBUTE_MAX
} hipFunction_attribute;

/// Attributes of an allocation for hipPointerGetAttribute.
typedef enum hipPointer_attribute {
  HIP_POINTER_ATTRIBUTE_CONTEXT = 1,
  HIP_POINTER_ATTRIBUTE_MEMORY_TYPE,
  HIP_POINTER_ATTRIBUTE_DEVICE_POINTER,
  HIP_POINTER_ATTRIBUTE_HOST_POINTER,
  HIP_POINTER_ATTRIBUTE_P2P_TOKENS,
  HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS,
  HIP_POINTER_ATTRIBUTE_BUFFER_ID,
  HIP_POINTER_ATTRIBUTE_IS_MANAGED,
  HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
  HIP_POINTER_ATTRIBUTE_IS_LEGACY_HIP_IPC_CAPABLE,
  HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR,
  HIP_POINTER_ATTRIBUTE_RANGE_SIZE,
  HIP_POINTER_ATTRIBUTE_MAPPED,
  HIP_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES,
  HIP_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE,
  HIP_POINTER_ATTRIBUTE_ACCESS_FLAGS,
  HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE
} hipPointer_attribute;

/// Size of a box. width is in bytes for plain memory and in elements for arrays.
typedef struct hipExtent {
  size_t width;
  size_t height;
  size_t depth;
} hipExtent;

/// Position in a box. x is in bytes for plain memory and in elements for arrays.
typedef struct hipPos {
  size_t x;
  size_t y;
  size_t z;
} hipPos;

/// Memory in rows.
typedef struct hipPitchedPtr {
  void *ptr;
  size_t pitch; ///< bytes from one row to the next
  size_t xsize; ///< bytes of a row that are used
  size_t ysize; ///< rows
} hipPitchedPtr;

/// A copy of a box. Of srcArray and srcPtr, and of dstArray and dstPtr, one is set and the other is
/// zero.
typedef struct hipMemcpy3DParms {
  hipArray_t srcArray;
  struct hipPos srcPos;
  struct hipPitchedPtr srcPtr;
  hipArray_t dstArray;
  struct hipPos dstPos;
  struct hipPitchedPtr dstPtr;
  struct hipExtent extent;
  enum hipMemcpyKind kind;
} hipMemcpy3DParms;

/// A copy of rows, in the driver API. The memory types select the members that are used.
typedef struct hip_Memcpy2D {
  size_t srcXInBytes;
  size_t srcY;
  hipMemoryType srcMemoryType;
  const void *srcHost;
  hipDeviceptr_t srcDevice;
  hipArray_t srcArray;
  size_t srcPitch;
  size_t dstXInBytes;
  size_t dstY;
  hipMemoryType dstMemoryType;
  void *dstHost;
  hipDeviceptr_t dstDevice;
  hipArray_t dstArray;
  size_t dstPitch;
  size_t WidthInBytes;
  size_t Height;
} hip_Memcpy2D;

/// A copy of a box, in the driver API. The memory types select the members that are used.
typedef struct HIP_MEMCPY3D {
  size_t srcXInBytes;
  size_t srcY;
  size_t srcZ;
  size_t srcLOD;
  hipMemoryType srcMemoryType;
  const void *srcHost;
  hipDeviceptr_t srcDevice;
  hipArray_t srcArray;
  size_t srcPitch;
  size_t srcHeight;
  size_t dstXInBytes;
  size_t dstY;
  size_t dstZ;
  size_t dstLOD;
  hipMemoryType dstMemoryType;
  void *dstHost;
  hipDeviceptr_t dstDevice;
  hipArray_t dstArray;
  size_t dstPitch;
  size_t dstHeight;
  size_t WidthInBytes;
  size_t Height;
  size_t Depth;
} HIP_MEMCPY3D;

/// The resource of a texture or surface object: an array, a mipmapped array, or plain memory in one or two dimensions.
typedef struct hipResourceDesc {
  enum hipResourceType resType; ///< selects the member of res
  union {
    struct {
      hipArray_t array;
    } array;
    struct {
      hipMipmappedArray_t mipmap;
    } mipmap;
    struct {
      void *devPtr;
      struct hipChannelFormatDesc desc;
      size_t sizeInBytes;
    } linear;
    struct {
      void *devPtr;
      struct hipChannelFormatDesc desc;
      size_t width;  ///< in elements
      size_t height; ///< in rows
      size_t pitchInBytes;
    } pitch2D;
  } res;
} hipResourceDesc;

/// The driver API's form of hipResourceDesc.
typedef struct HIP_RESOURCE_DESC_st {
  HIPresourcetype resType;
  union {
    struct {
      hipArray_t hArray;
    } array;
    struct {
      hipMipmappedArray_t hMipmappedArray;
    } mipmap;
    struct {
      hipDeviceptr_t devPtr;
      hipArray_Format format;
      unsigned int numChannels;
      size_t sizeInBytes;
    } linear;
    struct {
      hipDeviceptr_t devPtr;
      hipArray_Format format;
      unsigned int numChannels;
      size_t width;
      size_t height;
      size_t pitchInBytes;
    } pitch2D;
    struct {
      int reserved[32];
    } reserved;
  } res;
  unsigned int flags; ///< must be zero
} HIP_RESOURCE_DESC;

/// Which part of an array a texture object reads, and in which format.
struct hipResourceViewDesc {
  enum hipResourceViewFormat format;
  size_t width;
  size_t height;
  size_t depth;
  unsigned int firstMipmapLevel;
  unsigned int lastMipmapLevel;
  unsigned int firstLayer;
  unsigned int lastLayer;
};

/// The driver API's form of hipResourceViewDesc.
typedef struct HIP_RESOURCE_VIEW_DESC_st {
  HIPresourceViewFormat format;
  size_t width;
  size_t height;
  size_t depth;
  unsigned int firstMipmapLevel;
  unsigned int lastMipmapLevel;
  unsigned int firstLayer;
  unsigned int lastLayer;
  unsigned int reserved[16];
} HIP_RESOURCE_VIEW_DESC;

/// The driver API's form of hipTextureDesc.
typedef struct HIP_TEXTURE_DESC_st {
  HIPaddress_mode addressMode[3];
  HIPfilter_mode filterMode;
  unsigned int flags;
  unsigned int maxAnisotropy;
  HIPfilter_mode mipmapFilterMode;
  float mipmapLevelBias;
  float minMipmapLevelClamp;
  float maxMipmapLevelClamp;
  float borderColor[4];
  int reserved[12];
} HIP_TEXTURE_DESC;

#ifdef __cplusplus
/// Sizes of a grid or of a block. What is not given is 1.
struct dim3 {
  uint32_t x;
  uint32_t y;
  uint32_t z;
  constexpr __host__ __device__ dim3(uint32_t xSize = 1, uint32_t ySize = 1, uint32_t zSize = 1)
      : x(xSize), y(ySize), z(zSize) {}
};
#else
/// Sizes of a grid or of a block.
typedef struct dim3 {
  uint32_t x;
  uint32_t y;
  uint32_t z;
} dim3;
#endif

/// A pitched pointer to d, with rows of p bytes of which xsz are used, and ysz rows.
static inline struct hipPitchedPtr make_hipPitchedPtr(void *d, size_t p, size_t xsz, size_t ysz) {
  struct hipPitchedPtr result;
  result.ptr = d;
  result.pitch = p;
  result.xsize = xsz;
  result.ysize = ysz;
  return result;
}

/// A position. The unit of x is bytes for plain memory and elements for arrays.
static inline struct hipPos make_hipPos(size_t x, size_t y, size_t z) {
  struct hipPos result;
  result.x = x;
  result.y = y;
  result.z = z;
  return result;
}

/// An extent. The unit of w is bytes for plain memory and elements for arrays.
static inline struct hipExtent make_hipExtent(size_t w, size_t h, size_t d) {
  struct hipExtent result;
  result.width = w;
  result.height = h;
  result.depth = d;
  return result;
}

#include "spirv/user_macros_on.h"
#endif
