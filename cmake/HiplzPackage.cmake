# SPDX-License-Identifier: MIT
# The package files for find_package(hip), find_package(hiprtc), find_package(hiplz) and CMake's HIP language: relative to where they lie, so that they serve the stage,
# the installed prefix and a copy of it alike.
include(CMakePackageConfigHelpers)
file(READ ${CMAKE_SOURCE_DIR}/include/hip/hip_version.h hip_version_header)
# The header has the numbers of each version that it can be asked for. Packages have those of the default.
string(REGEX MATCH "define HIPLZ_HIP_VERSION ([0-9]+)" hip_default_version "${hip_version_header}")
if(NOT hip_version_header MATCHES
    "MAJOR (${CMAKE_MATCH_1})\n#define HIP_VERSION_MINOR ([0-9]+)\n#define HIP_VERSION_PATCH ([0-9]+)")
  message(FATAL_ERROR "include/hip/hip_version.h does not have the numbers of its default version")
endif()
set(HIPLZ_HIP_VERSION ${CMAKE_MATCH_1}.${CMAKE_MATCH_2}.${CMAKE_MATCH_3})

# Builds that ask for HIP 5 or 6 get HIP 7, which has what they use.
function(hiplz_package name version)
  set(folder lib/cmake/${name})
  configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/${name}-config.cmake.in
    ${HIPLZ_STAGE}/${folder}/${name}-config.cmake INSTALL_DESTINATION ${folder})
  write_basic_package_version_file(${HIPLZ_STAGE}/${folder}/${name}-config-version.cmake
    VERSION ${version} COMPATIBILITY AnyNewerVersion)
  install(FILES ${HIPLZ_STAGE}/${folder}/${name}-config.cmake ${HIPLZ_STAGE}/${folder}/${name}-config-version.cmake
    DESTINATION ${folder})
endfunction()
hiplz_package(hip ${HIPLZ_HIP_VERSION})
hiplz_package(hiprtc ${HIPLZ_HIP_VERSION})
hiplz_package(hip-lang ${HIPLZ_HIP_VERSION})
hiplz_package(hiplz ${PROJECT_VERSION})

# find_package(HIP) in module mode, for projects with hip_add_executable.
file(COPY ${CMAKE_SOURCE_DIR}/cmake/FindHIP.cmake DESTINATION ${HIPLZ_STAGE}/lib/cmake/hip)
install(FILES ${CMAKE_SOURCE_DIR}/cmake/FindHIP.cmake DESTINATION lib/cmake/hip)

# CMake's language CUDA with cucc.
file(COPY ${CMAKE_SOURCE_DIR}/cmake/cuda-toolchain.cmake DESTINATION ${HIPLZ_STAGE}/lib/cmake/hiplz)
install(FILES ${CMAKE_SOURCE_DIR}/cmake/cuda-toolchain.cmake DESTINATION lib/cmake/hiplz)

function(hiplz_pkg_config name library version description)
  configure_file(${CMAKE_SOURCE_DIR}/cmake/pkg-config.pc.in ${HIPLZ_STAGE}/lib/pkgconfig/${name}.pc @ONLY)
  install(FILES ${HIPLZ_STAGE}/lib/pkgconfig/${name}.pc DESTINATION lib/pkgconfig)
endfunction()
hiplz_pkg_config(hip hiplz ${HIPLZ_HIP_VERSION} "the HIP runtime, on oneAPI Level Zero")
hiplz_pkg_config(hiplz hiplz ${PROJECT_VERSION} "HIP on oneAPI Level Zero")
hiplz_pkg_config(hiprtc hiprtc ${HIPLZ_HIP_VERSION} "compiles HIP while a program runs")

# Newer clang links HIP programs with -lamdhip64 by itself, and makefiles do. Programs then ask for libhiplz.so.1: that is
# the name in the library. lib/hiplz/amdhip64 is another matter, for programs that ask for AMD's library.
file(CREATE_LINK libhiplz.so.1 ${HIPLZ_STAGE}/lib/libamdhip64.so SYMBOLIC)
# CMake from 4.3 on gives every HIP program of the platform `spirv` lib/libCHIP.so to link with, and every file
# include/hip/spirv_fixups.h, both in the prefix that hipconfig names.
file(CREATE_LINK libhiplz.so.1 ${HIPLZ_STAGE}/lib/libCHIP.so SYMBOLIC)
install(FILES ${HIPLZ_STAGE}/lib/libamdhip64.so ${HIPLZ_STAGE}/lib/libCHIP.so DESTINATION lib)

# The headers once more, by links, for CMake's targets (hip-config.cmake.in says why).
foreach(folder hip hiplz)
  file(MAKE_DIRECTORY ${HIPLZ_STAGE}/lib/hiplz/include)
  file(CREATE_LINK ../../../include/${folder} ${HIPLZ_STAGE}/lib/hiplz/include/${folder} SYMBOLIC)
endforeach()
install(DIRECTORY ${HIPLZ_STAGE}/lib/hiplz/include DESTINATION lib/hiplz)
