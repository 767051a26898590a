# SPDX-License-Identifier: MIT
# The layer `opencl`: the programs of the device layer on the driver on OpenCL, with Intel's OpenCL runtime for processors, which
# scripts/opencl_runtime.sh fetches. docs/opencl.md has the same reasons for users.

# Not run: a program, or some of its scenarios, and why.
set(HIPLZ_NOT_ON_OPENCL
  # OpenCL does not have it
  "call_failures:cooperativeLaunchFails,fromTheBeginning cooperative launches, and many processes that open OpenCL"
  "call_failures_memory:virtualMemoryFails   virtual memory"
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
  "virtual_memory                            virtual memory"
  "warp_functions:barriersTest               kernels that some threads leave before a barrier are refused"
  # Intel's runtime does not do it
  "graph_execution:branchesOverlap           kernels that wait for each other"
  "graph_execution:manyLaunches              the runtime allocates memory for some launches"
  "execution_contexts:eventsOfContexts       kernels that run beside one that waits"
  "stream_kinds:shortKernelsBesideLongOnes   kernels that wait for each other"
  "waiting_loops                             work-groups that wait for each other"
  "warp_arms:functions                       calls of a function in the arms of a branch in a loop become one"
  "tile_exchanges                            lanes of a warp that is not whole are not in step"
  "modules:badImages                         it accepts an instruction that does not exist"
  "math_intrinsics:special,fast              fast functions are less exact"
  "math_special                              the sign of the quotient of remquo"
  "threads:cancelled                         threads that are cancelled"
  "bad_input                                 a fault in a kernel ends the process"
  "fault_reports                             a fault in a kernel ends the process"
  "graph_fault                               a fault in a kernel ends the process"
  "kernel_faults                             a fault in a kernel ends the process"
  "surface_trap                              a fault in a kernel ends the process"
  "amd_builtins:blocks                       any address is one of global memory, and of shared memory"
  "amd_spirv_intrinsics:intrinsicsOfAllTargets it has no saturating conversions of 32 numbers at once"
  "amd_spirv:hiddenArguments                 any address is one of global memory, and of shared memory"
  "launches:warmLaunchesAllocateNothing      the runtime allocates memory for some launches"
  "clocks                                    the clock of kernels has a rate that OpenCL does not tell"
  "conversions:fromFloatingPoint             a conversion to unsigned of a negative number that is no integer"
  "strides:indicesThatWrap                   indices of 32 bits that wrap within a group of lanes"
  "fast_math                                 the fast exponential function is less exact"
  # the program is about another device
  "graph_parameters:changesTheListsThemselves closed lists that can be changed"
  "interop_context                           it opens the driver of the CPU device"
  "hiprtc_machine_code                       machine code of AMD's GPUs"
  "machine_code                              machine code of AMD's GPUs"
  "machine_operations                        machine code of AMD's GPUs"
  "machine_services                          machine code of AMD's GPUs"
  "machine_textures                          machine code of AMD's GPUs"
  "machine_walks                             machine code of AMD's GPUs"
  "profiler:partialMasks                     a device that can run a stream on some of its units"
  "half:integers                             conversions of halfs to unsigned integers of 16 bits"
  "graph_nodes:attributes,cooperative        cooperative launches"
  "hiprtc_crash:faultsOfKernels              a fault in a kernel ends the process"
  "module_cache:anotherCompilerMakesAnotherEntry,shortOfDescriptors the compiler of the CPU device"
  # time
  "lane_exchanges                            Intel's compiler takes minutes"
  "lanes_in_step                             Intel's compiler takes minutes"
  "lockstep                                  Intel's compiler takes minutes"
  "amd_spirv_images                          Intel's compiler takes minutes"
  "block_numbers                             two billion blocks"
  "event_compilation                         it compiles without the cache and measures how long that takes"
)

set(runner bash ${CMAKE_CURRENT_SOURCE_DIR}/on_opencl.sh ${HIPLZ_STAGE} ${CMAKE_SOURCE_DIR}/build/opencl/lib)
function(hiplz_opencl_test name) # program, and scenarios to leave out
  add_test(NAME opencl.${name} COMMAND ${runner} ${ARGN})
  set_tests_properties(opencl.${name} PROPERTIES LABELS opencl TIMEOUT 600 SKIP_RETURN_CODE 77)
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
    foreach(scenario ${scenarios})
      if(scenario IN_LIST without_${name})
        message(FATAL_ERROR "on_opencl.cmake: ${name}:${scenario} is left out twice")
      endif()
    endforeach()
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

# Without a cache more of the implementation is alive when the process exits, and it waited for what only sleeping threads would do.
hiplz_opencl_test(process_end_without_cache ${CMAKE_CURRENT_BINARY_DIR}/process_end work destructor younger-destructor threads unused
  fork-after fork-before)
set_property(TEST opencl.process_end_without_cache APPEND PROPERTY ENVIRONMENT HIPLZ_CACHE=0)

# Devices that lack something: the same runtime behind a library that hides it.
find_path(HIPLZ_OPENCL_INCLUDE CL/cl_ext.h)
if(HIPLZ_OPENCL_INCLUDE)
  add_library(lesser_opencl SHARED lesser_opencl/lesser_opencl.cpp)
  target_include_directories(lesser_opencl PRIVATE ${CMAKE_SOURCE_DIR}/src)
  target_include_directories(lesser_opencl SYSTEM PRIVATE ${HIPLZ_OPENCL_INCLUDE})
  target_link_libraries(lesser_opencl PRIVATE hiplz_base ${CMAKE_DL_LIBS})
  set(lesser ${CMAKE_CURRENT_BINARY_DIR}/lesser_opencl)
  set_target_properties(lesser_opencl PROPERTIES OUTPUT_NAME OpenCL SOVERSION 1 LIBRARY_OUTPUT_DIRECTORY ${lesser}/lib)
  function(hiplz_lesser_opencl_test lacking program)
    string(REPLACE " " "_" suffix "${lacking}")
    hiplz_opencl_test(${program}_without_${suffix} ${CMAKE_CURRENT_BINARY_DIR}/${program} ${without_${program}})
    set_property(TEST opencl.${program}_without_${suffix} APPEND PROPERTY ENVIRONMENT HIPLZ_TEST_OPENCL_FOLDER=${lesser}/lib
      HIPLZ_TEST_OPENCL=${CMAKE_SOURCE_DIR}/build/opencl/lib/libOpenCL.so.1 "HIPLZ_TEST_LACKING=${lacking}")
    if(lacking MATCHES coarse)
      set_property(TEST opencl.${program}_without_${suffix} APPEND PROPERTY ENVIRONMENT HIPLZ_TEST_BUFFERS=1)
    endif()
  endfunction()
  foreach(lacking "doubles halfs" subgroups votes "doubles halfs subgroups variables")
    hiplz_lesser_opencl_test("${lacking}" missing_abilities)
  endforeach()
  foreach(program anonymous_variables assert device_malloc device_reset_variables managed_memory missing_abilities modules printf symbols
                  symbols_tables texture_references)
    hiplz_lesser_opencl_test(variables ${program})
  endforeach()
  # Other kinds of memory: shared virtual memory, and two that kernels and the host do not share.
  foreach(program kernel_pointers managed_memory memory missing_abilities symbols)
    hiplz_lesser_opencl_test(unified ${program})
  endforeach()
  foreach(lacking "unified fine" "unified fine coarse")
    foreach(program kernel_pointers launches missing_abilities)
      hiplz_lesser_opencl_test("${lacking}" ${program})
    endforeach()
  endforeach()
endif()
