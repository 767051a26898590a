// SPDX-License-Identifier: MIT
// cuRAND's device API on that of rocRAND, which must be installed (Debian: librocrand-dev): generators and
// distributions by other names. The sequences are rocRAND's; those of Philox, Sobol and MTGP32 follow the same
// definitions as cuRAND's.
#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_

#include "cuda_runtime.h"
#include <rocrand/rocrand_kernel.h>

#define curand rocrand
#define curand4 rocrand4
#define curand_discrete rocrand_discrete
#define curand_discrete4 rocrand_discrete4
#define curand_init rocrand_init
#define curand_log_normal rocrand_log_normal
#define curand_log_normal2 rocrand_log_normal2
#define curand_log_normal2_double rocrand_log_normal_double2
#define curand_log_normal4 rocrand_log_normal4
#define curand_log_normal4_double rocrand_log_normal_double4
#define curand_log_normal_double rocrand_log_normal_double
#define curand_normal rocrand_normal
#define curand_normal2 rocrand_normal2
#define curand_normal2_double rocrand_normal_double2
#define curand_normal4 rocrand_normal4
#define curand_normal4_double rocrand_normal_double4
#define curand_normal_double rocrand_normal_double
#define curand_poisson rocrand_poisson
#define curand_poisson4 rocrand_poisson4
#define curand_uniform rocrand_uniform
#define curand_uniform2_double rocrand_uniform_double2
#define curand_uniform4 rocrand_uniform4
#define curand_uniform4_double rocrand_uniform_double4
#define curand_uniform_double rocrand_uniform_double

#define curandState rocrand_state_xorwow
#define curandState_t rocrand_state_xorwow
#define curandStateMRG32k3a rocrand_state_mrg32k3a
#define curandStateMRG32k3a_t rocrand_state_mrg32k3a
#define curandStateMtgp32 rocrand_state_mtgp32
#define curandStateMtgp32_t rocrand_state_mtgp32
#define curandStatePhilox4_32_10 rocrand_state_philox4x32_10
#define curandStatePhilox4_32_10_t rocrand_state_philox4x32_10
#define curandStateScrambledSobol32 rocrand_state_scrambled_sobol32
#define curandStateScrambledSobol32_t rocrand_state_scrambled_sobol32
#define curandStateScrambledSobol64 rocrand_state_scrambled_sobol64
#define curandStateScrambledSobol64_t rocrand_state_scrambled_sobol64
#define curandStateSobol32 rocrand_state_sobol32
#define curandStateSobol32_t rocrand_state_sobol32
#define curandStateSobol64 rocrand_state_sobol64
#define curandStateSobol64_t rocrand_state_sobol64
#define curandStateXORWOW rocrand_state_xorwow
#define curandStateXORWOW_t rocrand_state_xorwow
#define curandDiscreteDistribution_t rocrand_discrete_distribution

#endif
