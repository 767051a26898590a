# SPDX-License-Identifier: MIT
# Warnings, sanitizers and ccache for every target of the project.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
find_program(HIPLZ_CCACHE ccache)
if(HIPLZ_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${HIPLZ_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${HIPLZ_CCACHE})
endif()
add_compile_options(-Wall -Wextra -Wno-unused-parameter)
if(HIPLZ_SANITIZE)
  add_compile_options(-fsanitize=${HIPLZ_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${HIPLZ_SANITIZE})
else()
  # A library that forgets a dependency must fail when it is linked, not when a user loads it.
  add_link_options($<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,SHARED_LIBRARY>:-Wl,--no-undefined>)
endif()
