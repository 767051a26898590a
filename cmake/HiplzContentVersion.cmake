# SPDX-License-Identifier: MIT
# hiplz_content_version(HEADER NAMESPACE CONSTANT FILE...) writes HEADER, a path below <build>/generated, with a constant of 32 bits that
# is another one when a line of code in the FILEs changes; comments do not count. For formats that two parts of HIPLZ share and that
# may come from two versions of it: a number that is raised by hand is forgotten.
function(hiplz_content_version header namespace constant)
  set(code "")
  foreach(file ${ARGN})
    file(READ ${file} text)
    string(REGEX REPLACE "//[^\n]*" "" text "${text}")
    string(REGEX REPLACE "[ \t\n]+" " " text "${text}")
    string(APPEND code "${text}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  endforeach()
  string(SHA256 hash "${code}")
  string(SUBSTRING ${hash} 0 8 version)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/${header} CONTENT
"// Written by cmake/HiplzContentVersion.cmake.
#pragma once
#include <cstdint>
namespace @namespace@ {
inline constexpr uint32_t @constant@ = 0x@version@;
}
" @ONLY)
endfunction()
