# SPDX-License-Identifier: MIT
# The layer `opencl`: the programs of the device layer on the driver on OpenCL, with Intel's OpenCL runtime for processors, which
# scripts/opencl_runtime.sh fetches. docs/opencl.md has the same reasons for users.

# What is not run: a program, or some of its scenarios, and why.
set(HIPLZ_NOT_ON_OPENCL
  # OpenCL does not have it
  "cooperative                               cooperative launches"
  "cooperative_multi                         cooperative launches"
  "cooperative_groups_blocks                 cooperative launches"
  "function_attributes:launchBounds          cooperative launches"
  "hip_7_launches:cooperativeAttribute       cooperative launches"
  "amd_spirv:barriersOfTheGrid               cooperative launches"
  "ipc                                       memory of other processes"
  "memory_pool_sharing                       memory of other processes"
  "api_errors                                virtual memory"
  "device_features:virtualMemory,positive,streams virtual memory, clock rates of the memory, events of other processes"
  "pointer_attributes                        virtual memory"
  "barrier_flow:shapes                       kernels that some threads leave before a barrier are refused"
  "block_sync:blocks                         kernels that some threads leave before a barrier are refused"
  "function_pointers:tables                  some of the functions that the pointers may mean have a barrier"
  "guarded_barriers:limitsInLoops            the guard of a barrier looks as if it depended on the thread"
  "assert:barrier                            a thread whose assertion has failed goes on behind the next barrier"
  # Intel's runtime does not do it
  "bad_input                                 a fault in a kernel ends the process"
  "fault_reports                             a fault in a kernel ends the process"
  "graph_fault                               a fault in a kernel ends the process"
  "kernel_faults                             a fault in a kernel ends the process"
  "surface_trap                              a fault in a kernel ends the process"
  "amd_builtins:blocks                       any address is one of global memory, and of shared memory"
  "amd_spirv:hiddenArguments                 any address is one of global memory, and of shared memory"
  "launches:warmLaunchesAllocateNothing      the runtime allocates memory for some launches"
  "clocks                                    no clock in kernels"
  "conversions:fromFloatingPoint             a conversion to unsigned of a negative number that is no integer"
  "fast_math                                 the fast exponential function is less exact"
  # the program is about another device
  "graph_parameters:changesTheListsThemselves closed lists that can be changed"
  "interop_context                           it opens the driver of the CPU device"
  "machine_code                              machine code of AMD's GPUs"
  "machine_operations                        machine code of AMD's GPUs"
  "machine_services                          machine code of AMD's GPUs"
  "machine_textures                          machine code of AMD's GPUs"
  "profiler:partialMasks                     a device that can run a stream on some of its units"
  "half:integers                             conversions of halfs to unsigned integers of 16 bits"
  "header_contents:functions,halves,amdBuiltins  no clock in kernels"
  "graph_nodes:attributes,cooperative                  cooperative launches"
  "hiprtc_crash:faultsOfKernels              a fault in a kernel ends the process"
  # time
  "amd_spirv_images                          Intel's compiler takes minutes"
  "block_numbers                             two billion blocks"
  "event_compilation                         it compiles without the cache and measures how long that takes"
  # to be looked at
  "graph_execution                           not run yet"
  "lane_exchanges                            not run yet"
  "lane_moves                                not run yet"
  "lanes_in_step                             not run yet"
  "large_arguments                           not run yet"
  "lockstep                                  not run yet"
  "math                                      not run yet"
  "math_intrinsics                           not run yet"
  "math_special                              not run yet"
  "math_special_functions                    not run yet"
  "memory                                    not run yet"
  "memory_functions                          not run yet"
  "memory_pool                               not run yet"
  "memory_pool_threads                       not run yet"
  "module_cache                              not run yet"
  "modules                                   not run yet"
  "packed_structures                         not run yet"
  "printf                                    not run yet"
  "recursion                                 not run yet"
  "scoped_atomics                            not run yet"
  "stream_kinds                              not run yet"
  "stream_stress                             not run yet"
  "stream_values                             not run yet"
  "strides                                   not run yet"
  "surface_functions                         not run yet"
  "texture_functions                         not run yet"
  "texture_lifetime                          not run yet"
  "texture_objects                           not run yet"
  "texture_references                        not run yet"
  "texture_sampling                          not run yet"
  "threads                                   not run yet"
  "tile_exchanges                            not run yet"
  "vector_types                              not run yet"
  "virtual_memory                            not run yet"
  "waiting_loops                             not run yet"
  "warp_arms                                 not run yet"
  "warp_functions                            not run yet"
)

set(runner bash ${CMAKE_CURRENT_SOURCE_DIR}/on_opencl.sh ${HIPLZ_STAGE} ${CMAKE_SOURCE_DIR}/build/opencl/lib)
function(hiplz_opencl_test name)
  add_test(NAME opencl.${name} COMMAND ${runner} ${ARGN})
  set_tests_properties(opencl.${name} PROPERTIES LABELS opencl TIMEOUT 200 SKIP_RETURN_CODE 77)
  set(environment HIPLZ_CACHE_DIR=${CMAKE_BINARY_DIR}/test-cache ${HIPLZ_VALIDATION_LAYER})
  if(TEST device.${name})
    get_property(environment TEST device.${name} PROPERTY ENVIRONMENT)
  endif()
  set_property(TEST opencl.${name} PROPERTY ENVIRONMENT ${environment})
endfunction()

hiplz_opencl_test(is_used)
set(left_out "")
foreach(line ${HIPLZ_NOT_ON_OPENCL})
  string(REGEX MATCH "^([a-z0-9_]+):?([A-Za-z0-9_,]*) +(.*)$" matched "${line}")
  set(name ${CMAKE_MATCH_1})
  if(NOT matched OR NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${name}.hip)
    message(FATAL_ERROR "on_opencl.cmake: this names no program of the device layer: ${line}")
  endif()
  if(CMAKE_MATCH_2)
    string(REPLACE "," ";" scenarios "${CMAKE_MATCH_2}")
    list(APPEND without_${name} ${scenarios})
  else()
    list(APPEND left_out ${name})
  endif()
endforeach()
foreach(source ${programs})
  cmake_path(GET source STEM name)
  if(NOT name IN_LIST left_out)
    hiplz_opencl_test(${name} ${CMAKE_CURRENT_BINARY_DIR}/${name} ${without_${name}})
  endif()
endforeach()
