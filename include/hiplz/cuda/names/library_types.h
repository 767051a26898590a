// SPDX-License-Identifier: MIT
// The types that libraries share. Each CUDA name, and the HIP name that means the same.
#pragma once

#define CUDA_C_16BF HIP_C_16BF
#define CUDA_C_16F HIP_C_16F
#define CUDA_C_16I HIP_C_16I
#define CUDA_C_16U HIP_C_16U
#define CUDA_C_32F HIP_C_32F
#define CUDA_C_32I HIP_C_32I
#define CUDA_C_32U HIP_C_32U
#define CUDA_C_4I HIP_C_4I
#define CUDA_C_4U HIP_C_4U
#define CUDA_C_64F HIP_C_64F
#define CUDA_C_64I HIP_C_64I
#define CUDA_C_64U HIP_C_64U
#define CUDA_C_8I HIP_C_8I
#define CUDA_C_8U HIP_C_8U
#define CUDA_R_16BF HIP_R_16BF
#define CUDA_R_16F HIP_R_16F
#define CUDA_R_16I HIP_R_16I
#define CUDA_R_16U HIP_R_16U
#define CUDA_R_32F HIP_R_32F
#define CUDA_R_32I HIP_R_32I
#define CUDA_R_32U HIP_R_32U
#define CUDA_R_4I HIP_R_4I
#define CUDA_R_4U HIP_R_4U
#define CUDA_R_64F HIP_R_64F
#define CUDA_R_64I HIP_R_64I
#define CUDA_R_64U HIP_R_64U
#define CUDA_R_8F_E4M3 HIP_R_8F_E4M3
#define CUDA_R_8F_E5M2 HIP_R_8F_E5M2
#define CUDA_R_8F_UE4M3 HIP_R_8F_E4M3
#define CUDA_R_8I HIP_R_8I
#define CUDA_R_8U HIP_R_8U
#define cudaDataType hipDataType
#define cudaDataType_t hipDataType
