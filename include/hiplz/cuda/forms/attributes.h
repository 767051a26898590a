// SPDX-License-Identifier: MIT
// Attributes of devices that CUDA has and HIP does not. They have numbers behind HIP's.
#pragma once

#include <hip/spirv/user_macros_off.h>

#include <hip/hip_runtime_api.h>

#define HIPLZ_CUDA_ATTRIBUTE(number) ((hipDeviceAttribute_t)(30000 + (number)))

// Layers of layered textures and surfaces
#define cudaDevAttrMaxTexture1DLayeredLayers HIPLZ_CUDA_ATTRIBUTE(43)
#define cudaDevAttrMaxTexture2DLayeredLayers HIPLZ_CUDA_ATTRIBUTE(29)
#define cudaDevAttrMaxTextureCubemapLayeredLayers HIPLZ_CUDA_ATTRIBUTE(54)
#define cudaDevAttrMaxSurface1DLayeredLayers HIPLZ_CUDA_ATTRIBUTE(62)
#define cudaDevAttrMaxSurface2DLayeredLayers HIPLZ_CUDA_ATTRIBUTE(65)
#define cudaDevAttrMaxSurfaceCubemapLayeredLayers HIPLZ_CUDA_ATTRIBUTE(68)
#define CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS cudaDevAttrMaxTexture1DLayeredLayers
#define CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS cudaDevAttrMaxTexture2DLayeredLayers
#define CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_NUMSLICES cudaDevAttrMaxTexture2DLayeredLayers
#define CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS cudaDevAttrMaxTextureCubemapLayeredLayers
#define CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_LAYERS cudaDevAttrMaxSurface1DLayeredLayers
#define CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS cudaDevAttrMaxSurface2DLayeredLayers
#define CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS cudaDevAttrMaxSurfaceCubemapLayeredLayers

// Every device here has these
#define cudaDevAttrIpcEventSupport HIPLZ_CUDA_ATTRIBUTE(125)
#define CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED cudaDevAttrIpcEventSupport
#define CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED HIPLZ_CUDA_ATTRIBUTE(103)
#define CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS HIPLZ_CUDA_ATTRIBUTE(93)
#define CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS HIPLZ_CUDA_ATTRIBUTE(129)

// No device here has these
#define cudaDevAttrCanFlushRemoteWrites HIPLZ_CUDA_ATTRIBUTE(98)
#define cudaDevAttrHostRegisterReadOnlySupported HIPLZ_CUDA_ATTRIBUTE(113)
#define cudaDevAttrMaxAccessPolicyWindowSize HIPLZ_CUDA_ATTRIBUTE(109)
#define cudaDevAttrSparseCudaArraySupported HIPLZ_CUDA_ATTRIBUTE(112)
#define cudaDevAttrTimelineSemaphoreInteropSupported HIPLZ_CUDA_ATTRIBUTE(114)
#define cudaDevAttrGPUDirectRDMASupported HIPLZ_CUDA_ATTRIBUTE(116)
#define cudaDevAttrGPUDirectRDMAFlushWritesOptions HIPLZ_CUDA_ATTRIBUTE(117)
#define cudaDevAttrGPUDirectRDMAWritesOrdering HIPLZ_CUDA_ATTRIBUTE(118)
#define cudaDevAttrClusterLaunch HIPLZ_CUDA_ATTRIBUTE(120)
#define cudaDevAttrDeferredMappingCudaArraySupported HIPLZ_CUDA_ATTRIBUTE(121)
#define cudaDevAttrMemSyncDomainCount HIPLZ_CUDA_ATTRIBUTE(126)
#define cudaDevAttrHostNumaMemoryPoolsSupported HIPLZ_CUDA_ATTRIBUTE(142)
#define cudaDevAttrHostMemoryPoolsSupported HIPLZ_CUDA_ATTRIBUTE(144)
#define CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES cudaDevAttrCanFlushRemoteWrites
#define CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER HIPLZ_CUDA_ATTRIBUTE(44)
#define CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH cudaDevAttrClusterLaunch
#define CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED HIPLZ_CUDA_ATTRIBUTE(124)
#define CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED HIPLZ_CUDA_ATTRIBUTE(107)
#define CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_SUPPORTED cudaDevAttrGPUDirectRDMASupported
#define CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED HIPLZ_CUDA_ATTRIBUTE(110)
#define CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED HIPLZ_CUDA_ATTRIBUTE(128)
#define CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED HIPLZ_CUDA_ATTRIBUTE(104)
#define CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED HIPLZ_CUDA_ATTRIBUTE(105)
#define CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE cudaDevAttrMaxAccessPolicyWindowSize
#define CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT cudaDevAttrMemSyncDomainCount
#define CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED HIPLZ_CUDA_ATTRIBUTE(132)
#define CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED cudaDevAttrHostRegisterReadOnlySupported
#define CU_DEVICE_ATTRIBUTE_SPARSE_CUDA_ARRAY_SUPPORTED cudaDevAttrSparseCudaArraySupported
#define CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED HIPLZ_CUDA_ATTRIBUTE(127)
#define CU_DEVICE_ATTRIBUTE_TIMELINE_SEMAPHORE_INTEROP_SUPPORTED cudaDevAttrTimelineSemaphoreInteropSupported

#ifdef __cplusplus
inline
#else
static inline
#endif
    hipError_t
    cudaDeviceGetAttribute(int *value, hipDeviceAttribute_t attribute, int device) {
  hipDeviceProp_t properties;
  hipError_t result;
  const int number = (int)attribute - 30000;
  if (number < 0)
    return hipDeviceGetAttribute(value, attribute, device);
  result = hipGetDeviceProperties(&properties, device);
  if (result != hipSuccess || !value)
    return result != hipSuccess ? result : hipErrorInvalidValue;
  switch (number) {
  case 43: *value = properties.maxTexture1DLayered[1]; break;
  case 29: *value = properties.maxTexture2DLayered[2]; break;
  case 54: *value = properties.maxTextureCubemapLayered[1]; break;
  case 62: *value = properties.maxSurface1DLayered[1]; break;
  case 65: *value = properties.maxSurface2DLayered[2]; break;
  case 68: *value = properties.maxSurfaceCubemapLayered[1]; break;
  case 93:
  case 103:
  case 125:
  case 129: *value = 1; break;
  default: *value = 0;
  }
  return hipSuccess;
}
#include <hip/spirv/user_macros_on.h>
