# SPDX-License-Identifier: MIT
# Warnings, sanitizers and ccache for every target of the project.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
find_program(HIPLZ_CCACHE ccache)
# Off by default, because sources that forget to include one of these headers compile all the same.
option(HIPLZ_PRECOMPILED_HEADERS "Precompile LLVM's headers" OFF)
# Off by default, because a change of one source would compile its neighbours as well.
option(HIPLZ_UNITY_BUILD "Compile the sources of the largest targets in groups" OFF)
if(HIPLZ_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${HIPLZ_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${HIPLZ_CCACHE})
  if(HIPLZ_PRECOMPILED_HEADERS) # what ccache asks for before it keeps objects that are made with them
    list(PREPEND CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros)
  endif()
endif()
# Warnings that both compilers know and that find mistakes. HIPLZ_WERROR makes errors of them, which the presets of the tests do;
# newer compilers than those that the tests use may warn of more.
add_compile_options(-Wall -Wextra -Wcast-qual -Wextra-semi $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>
  $<$<COMPILE_LANGUAGE:CXX>:-Woverloaded-virtual> -Wpointer-arith -Wundef -Wvla)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang") # gcc's -Wshadow also means members behind parameters
  add_compile_options(-Wshadow -Wdocumentation -Wmismatched-tags -Wnewline-eof)
else()
  # gcc 12 warns of the first three in inlined code of libstdc++ and LLVM that cannot go wrong, of the fourth where designated
  # initializers leave members out, and of the last at each `if` before a macro of GoogleTest.
  foreach(warning maybe-uninitialized restrict stringop-overread missing-field-initializers dangling-else)
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-${warning}>)
  endforeach()
endif()
set(newest_Clang 16)
set(newest_GNU 13)
if(NOT CMAKE_CXX_COMPILER_VERSION VERSION_LESS newest_${CMAKE_CXX_COMPILER_ID})
  set(HIPLZ_WERROR OFF)
endif()
if(HIPLZ_WERROR)
  add_compile_options(-Werror)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # base/thread_annotations.h: what is guarded by a lock is accessed under it, or the build fails.
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wthread-safety> $<$<COMPILE_LANGUAGE:CXX>:-Werror=thread-safety>)
endif()
# hiplz_single_threaded(TARGET...): ThreadSanitizer has nothing to watch there. These are compiled as in a release build, so that
# ccache has the objects.
function(hiplz_single_threaded)
  set_target_properties(${ARGN} PROPERTIES HIPLZ_SINGLE_THREADED ON)
endfunction()
# Stacks with lines are all that a report needs, and the instrumented code compiles in four fifths of the time.
set(for_sanitizers -fno-omit-frame-pointer -O1 -gline-tables-only)
if(HIPLZ_SANITIZE STREQUAL "thread")
  set(options -fsanitize=thread ${for_sanitizers})
  add_compile_options("$<$<NOT:$<BOOL:$<TARGET_PROPERTY:HIPLZ_SINGLE_THREADED>>>:${options}>")
  add_link_options(-fsanitize=thread)
elseif(HIPLZ_SANITIZE)
  add_compile_options(-fsanitize=${HIPLZ_SANITIZE} ${for_sanitizers})
  add_link_options(-fsanitize=${HIPLZ_SANITIZE})
else()
  # A library that forgets a dependency must fail when it is linked, not when a user loads it.
  add_link_options($<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,SHARED_LIBRARY>:-Wl,--no-undefined>)
endif()

# hiplz_precompile_llvm(TARGET [HEADER...]): half of the time that its sources take is LLVM's headers. More of them can be named.
function(hiplz_precompile_llvm target)
  hiplz_precompile(${target} <llvm/Analysis/LoopInfo.h> <llvm/Analysis/ValueTracking.h> <llvm/IR/Dominators.h> <llvm/IR/InstIterator.h>
    <llvm/IR/IntrinsicInst.h> <llvm/IR/IRBuilder.h> <llvm/IR/Module.h> <llvm/Transforms/Utils/BasicBlockUtils.h> ${ARGN})
endfunction()

# hiplz_precompile(TARGET HEADER...): C++ headers of other projects.
function(hiplz_precompile target)
  if(HIPLZ_PRECOMPILED_HEADERS)
    target_precompile_headers(${target} PRIVATE ${ARGN})
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>)
  endif()
endfunction()

# hiplz_unity(TARGET [APART source...]...): with HIPLZ_UNITY_BUILD sixteen sources are compiled as one, which halves the time: most of it is
# code of headers that each of them would make again. Each APART names some which use a name that one of the others has, too, and are
# compiled as one of their own. Sources with definitions of their own are alone by themselves.
function(hiplz_unity target)
  if(NOT HIPLZ_UNITY_BUILD)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  set(apart 0)
  set(those_apart)
  foreach(argument ${ARGN})
    if(argument STREQUAL "APART")
      math(EXPR apart "${apart} + 1")
    else()
      cmake_path(ABSOLUTE_PATH argument NORMALIZE)
      set_source_files_properties(${argument} PROPERTIES UNITY_GROUP apart_${apart})
      list(APPEND those_apart ${argument})
    endif()
  endforeach()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  set(count 0)
  foreach(source ${sources})
    cmake_path(ABSOLUTE_PATH source NORMALIZE)
    if(NOT source IN_LIST those_apart)
      math(EXPR group "${count} / 16")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
      math(EXPR count "${count} + 1")
    endif()
  endforeach()
endfunction()

# hiplz_precompile_standard(DIRECTORY): the standard library's headers, a fifth of the time that other sources take, for each target
# in and below the directory that has several sources and no precompiled header yet.
function(hiplz_precompile_standard directory)
  get_property(targets DIRECTORY ${directory} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target ${targets})
    get_target_property(type ${target} TYPE)
    if(NOT type MATCHES "^(EXECUTABLE|(STATIC|SHARED|MODULE|OBJECT)_LIBRARY)$")
      continue()
    endif()
    get_target_property(present ${target} PRECOMPILE_HEADERS)
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "\\.cpp$")
    list(LENGTH sources count)
    if(present OR count LESS 4)
      continue()
    endif()
    set(headers <algorithm> <array> <atomic> <chrono> <condition_variable> <cstdio> <cstring> <functional> <map> <memory> <mutex>
      <optional> <set> <sstream> <stdexcept> <string> <thread> <unordered_map> <utility> <variant> <vector>)
    get_target_property(libraries ${target} LINK_LIBRARIES)
    if("GTest::gtest" IN_LIST libraries)
      list(APPEND headers <gtest/gtest.h>)
    endif()
    hiplz_precompile(${target} ${headers})
  endforeach()
  get_property(directories DIRECTORY ${directory} PROPERTY SUBDIRECTORIES)
  foreach(subdirectory ${directories})
    hiplz_precompile_standard(${subdirectory})
  endforeach()
endfunction()
