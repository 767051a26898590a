# The package files for find_package(hip) and find_package(hiplz): relative to where they lie, so that they serve the stage,
# the installed prefix and a copy of it alike.
include(CMakePackageConfigHelpers)
file(STRINGS ${CMAKE_SOURCE_DIR}/include/hip/hip_version.h hip_version_lines REGEX "define HIP_VERSION_(MAJOR|MINOR|PATCH) ")
string(REGEX REPLACE "[^0-9;]" "" hip_version_numbers "${hip_version_lines}")
list(JOIN hip_version_numbers . HIPLZ_HIP_VERSION)

function(hiplz_package name version)
  set(folder lib/cmake/${name})
  configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/${name}-config.cmake.in
    ${HIPLZ_STAGE}/${folder}/${name}-config.cmake INSTALL_DESTINATION ${folder})
  write_basic_package_version_file(${HIPLZ_STAGE}/${folder}/${name}-config-version.cmake
    VERSION ${version} COMPATIBILITY SameMajorVersion)
  install(FILES ${HIPLZ_STAGE}/${folder}/${name}-config.cmake ${HIPLZ_STAGE}/${folder}/${name}-config-version.cmake
    DESTINATION ${folder})
endfunction()
hiplz_package(hip ${HIPLZ_HIP_VERSION})
hiplz_package(hiplz ${PROJECT_VERSION})
