# SPDX-License-Identifier: MIT
# `cpack -G DEB` in the build folder makes these packages, which install into /opt/hiplz: the tree is one prefix for clang
# (--hip-path), and in /usr its headers would come before the system's own.
#   libhiplz1   what programs need: libhiplz, libhiprtc, the folder for programs that ask for AMD's library, hiplz-info
#   hiplz-cpu   the CPU device with its compiler
#   hiplz-rtc   hipRTC's compiler, and what every compilation reads: headers and device library
#   hiplz-dev   hipcc, passes, CMake and pkg-config files
# The folders of the tree set CMAKE_INSTALL_DEFAULT_COMPONENT_NAME to one of: runtime, cpu, rtc, dev.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME hiplz)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
# The maintainer of a package is the user who builds it, as named by the environment (as for Debian's own tools) or else by git.
set(contact "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
if(NOT DEFINED ENV{DEBEMAIL})
  foreach(key name email)
    execute_process(COMMAND git config user.${key} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE git_${key}
      OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endforeach()
  if(NOT git_email)
    cmake_host_system_information(RESULT host QUERY FQDN)
    set(git_email "$ENV{USER}@${host}")
  endif()
  if(NOT git_name)
    set(git_name "HIPLZ, built locally")
  endif()
  set(contact "${git_name} <${git_email}>")
endif()
set(CPACK_PACKAGE_CONTACT "${contact}" CACHE STRING "who makes the packages: Name <address>")
set(CPACK_HIPLZ_SOURCE_DIR ${CMAKE_SOURCE_DIR})
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/cmake/debian/system_files.cmake)
set(CPACK_PACKAGING_INSTALL_PREFIX /opt/hiplz)
set(CPACK_PACKAGE_RELOCATABLE OFF)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runtime cpu rtc dev)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${HIPLZ_STAGE}/lib)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(same "(= ${PROJECT_VERSION})")
set(cxx_headers "g++ | libstdc++-dev")
set(llvm ${HIPLZ_LLVM_VERSION})

# hiplz_debian_package(COMPONENT NAME SECTION "description" DEPENDS ... RECOMMENDS ... SUGGESTS ... CONFLICTS ...)
function(hiplz_debian_package component name section description)
  cmake_parse_arguments(ARG "" "" "DEPENDS;RECOMMENDS;SUGGESTS;CONFLICTS" ${ARGN})
  string(TOUPPER ${component} upper)
  macro(put variable value)
    set(CPACK_DEBIAN_${upper}_${variable} "${value}" PARENT_SCOPE)
  endmacro()
  put(PACKAGE_NAME ${name})
  put(PACKAGE_SECTION ${section})
  put(DESCRIPTION "${description}") # below the description of the project
  foreach(relation DEPENDS RECOMMENDS SUGGESTS CONFLICTS)
    list(JOIN ARG_${relation} ", " packages)
    put(PACKAGE_${relation} "${packages}")
  endforeach()
  set(scripts)
  file(GLOB templates CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/cmake/debian/${name}.*)
  foreach(template ${templates})
    cmake_path(GET template EXTENSION LAST_ONLY script)
    string(SUBSTRING ${script} 1 -1 script)
    set(file ${CMAKE_BINARY_DIR}/debian/${name}/${script})
    configure_file(${template} ${file} @ONLY FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ
      GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
    list(APPEND scripts ${file})
  endforeach()
  put(PACKAGE_CONTROL_EXTRA "${scripts}")
endfunction()

hiplz_debian_package(runtime libhiplz1 libs
  "The runtime. It runs HIP programs on Intel's GPUs and, with hiplz-cpu, on any\nprocessor."
  DEPENDS libzstd1 zlib1g RECOMMENDS "hiplz-cpu | intel-opencl-icd" SUGGESTS hiplz-rtc)
hiplz_debian_package(cpu hiplz-cpu libs
  "The CPU device: a Level Zero driver for the processor that the program runs\non, with its compiler."
  DEPENDS libze1)
hiplz_debian_package(rtc hiplz-rtc libs
  "The compiler behind hipRTC, with the headers and the device library that it\nreads."
  DEPENDS "libhiplz1 ${same}" libclang-common-${llvm}-dev "${cxx_headers}")
hiplz_debian_package(dev hiplz-dev devel
  "Compiling programs: hipcc, hipconfig, what the stock clang needs for HIP, and\nfiles for CMake and pkg-config."
  DEPENDS "libhiplz1 ${same}" "hiplz-rtc ${same}" clang-${llvm} clang-tools-${llvm} llvm-${llvm} llvm-spirv-${llvm} "${cxx_headers}"
    libze-dev # for hiplz/interop.h
  # Debian's package has /usr/bin/hipcc as a file, where this one has an alternative. AMD's own, of versions below 2, does not.
  CONFLICTS "hipcc (>= 5)"
  RECOMMENDS hiplz-cpu SUGGESTS cmake pkg-config intel-opencl-icd)
include(CPack)
