# SPDX-License-Identifier: MIT
# HIP programs of the tests, compiled with the stock clang against the staged prefix: the first of the three ways in, as users do it.
set(HIPLZ_HIP_FLAGS -x hip --offload=spirv64 --hip-path=${HIPLZ_STAGE} -B${HIPLZ_STAGE}/lib/hiplz/bin
  -isystem ${HIPLZ_STAGE}/include -Xarch_device -Wp,-no-enable-noundef-analysis)
# Clang 16 to 18 refuse glibc's types of 128 bits in device code, where its C headers declare them.
if(HIPLZ_LLVM_VERSION GREATER 15 AND HIPLZ_LLVM_VERSION LESS 19)
  foreach(option -U__FLOAT128__ -U__SIZEOF_FLOAT128__ -D_BITS_FLOATN_H)
    list(APPEND HIPLZ_HIP_FLAGS -Xarch_device ${option})
  endforeach()
endif()
# The pass that runs in clang itself, for all but the device library, which is made beside it.
set(HIPLZ_HIP_PASSES -Xarch_device -fpass-plugin=${HIPLZ_STAGE}/lib/libLLVMHipSpvPasses.so)
# hiplz_precompile_hip(HEADER [OPTIONS -O0 ...] [COMPILER cucc -std=c++17 ...]): parsing HIP and the standard library is half of what compiling a
# small program takes, so with HIPLZ_PRECOMPILED_HEADERS the programs that include this header before all others take it precompiled, for the
# host and for the device, if they have these options. Compiled as the programs of the caller's folder are: C++17, host code not optimised.
# <string> is among what is precompiled, since clang 15 finds __builtin_va_list twice where libstdc++ uses it behind a precompiled header.
function(hiplz_precompile_hip header)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "OPTIONS;COMPILER")
  if(NOT HIPLZ_PRECOMPILED_HEADERS OR HIPLZ_SANITIZE)
    return()
  endif()
  if(NOT arg_COMPILER)
    set(arg_COMPILER ${HIPLZ_CLANGXX} ${HIPLZ_HIP_FLAGS} -std=c++17 -O2 -fPIC -Wall -Wno-unused-command-line-argument)
  endif()
  cmake_path(ABSOLUTE_PATH header)
  cmake_path(GET header STEM stem)
  string(MD5 key "${header} ${arg_OPTIONS}")
  string(REPLACE ";" "" suffix "${arg_OPTIONS}")
  set(outputs)
  foreach(side host device)
    set(output ${CMAKE_CURRENT_BINARY_DIR}/${stem}${suffix}-${side}.pch)
    set(host)
    if(side STREQUAL host)
      set(host -Xarch_host -O0)
    endif()
    add_custom_command(OUTPUT ${output}
      COMMAND ${arg_COMPILER} ${host} -I${CMAKE_SOURCE_DIR} ${arg_OPTIONS} -include string --cuda-${side}-only -fsyntax-only -Xclang -emit-pch
              -Xclang -o -Xclang ${output} -MD -MF ${output}.d -MT ${output} ${header}
      DEPENDS ${header} hiplz_toolchain DEPFILE ${output}.d COMMENT "HIP headers for the ${side}: ${stem}${suffix}" VERBATIM)
    list(APPEND outputs ${output})
  endforeach()
  add_custom_target(hiplz_precompiled_hip_${key} DEPENDS ${outputs})
  set_property(GLOBAL PROPERTY HIPLZ_HIP_PRECOMPILED_${key} ${outputs})
endfunction()

# hiplz_precompiled_hip(SOURCE OPTIONS FILES VARIABLE): where the source includes a precompiled header before all others, by itself or by its
# first header, FILES receives the two files and VARIABLE the options that take them: -include-pch by way of -Wp, since -Xarch takes options
# of one word.
function(hiplz_precompiled_hip source options files variable)
  set(${files} PARENT_SCOPE)
  set(${variable} PARENT_SCOPE)
  # How much is said about lines changes nothing in what is parsed.
  string(REPLACE "-Xarch_device;-Wp,-debug-info-kind=line-tables-only" "" options "${options}")
  list(REMOVE_ITEM options "")
  while(TRUE)
    file(STRINGS ${source} include REGEX "^#include" LIMIT_COUNT 1)
    if(NOT include MATCHES "^#include \"(.*)\"$")
      return()
    endif()
    set(name ${CMAKE_MATCH_1})
    cmake_path(GET source PARENT_PATH folder)
    if(EXISTS ${folder}/${name})
      set(source ${folder}/${name})
    elseif(EXISTS ${CMAKE_SOURCE_DIR}/${name})
      set(source ${CMAKE_SOURCE_DIR}/${name})
    else()
      return()
    endif()
    string(MD5 key "${source} ${options}")
    get_property(found GLOBAL PROPERTY HIPLZ_HIP_PRECOMPILED_${key})
    if(found)
      list(GET found 0 host)
      list(GET found 1 device)
      set(${files} ${found} PARENT_SCOPE)
      set(${variable} -Xarch_host -Wp,-include-pch,${host} -Xarch_device -Wp,-include-pch,${device} PARENT_SCOPE)
      return()
    endif()
  endwhile()
endfunction()

# hiplz_hip_objects(NAME VARIABLE SOURCES a.hip ... [OPTIONS -O2 ...] [STANDARD 17])
# The variable receives the object files.
# With HIPLZ_HIP_OBJECTS, another build tree of the same sources, its objects are taken instead: a sanitizer in the library needs none
# in the programs, and compiling them is most of what their tests cost. ASKS_FOR_SANITIZERS: the sources do, and are compiled.
set(HIPLZ_HIP_OBJECTS "" CACHE PATH "build tree whose objects of HIP programs are linked")
function(hiplz_hip_objects name variable)
  # Beside the target, the files: an object is as old as the passes and the device library that made it.
  set(toolchain_files $<TARGET_FILE:LLVMHipSpvPasses> $<TARGET_FILE:hiplz_llvm_spirv>
      ${HIPLZ_STAGE}/lib/hip-device-lib/hipspv-spirv64.bc)
  cmake_parse_arguments(ARG "ASKS_FOR_SANITIZERS" "STANDARD" "SOURCES;OPTIONS" ${ARGN})
  if(NOT ARG_STANDARD)
    set(ARG_STANDARD 17)
  endif()
  # The library is tested, not the programs: where a layer's own C++ is not optimised, its programs' host code is not either.
  set(host)
  get_directory_property(layer_options COMPILE_OPTIONS)
  if("-O0" IN_LIST layer_options AND NOT "${ARG_OPTIONS}" MATCHES "-O")
    set(host -Xarch_host -O0)
  endif()
  if(HIPLZ_SANITIZE)
    list(APPEND host -Xarch_host -fsanitize=${HIPLZ_SANITIZE})
  endif()
  set(werror)
  if(HIPLZ_WERROR)
    set(werror -Werror)
  endif()
  # A precompiled header has to have the options of the program.
  set(may_precompile FALSE)
  if((host STREQUAL "-Xarch_host;-O0" OR "-O0" IN_LIST ARG_OPTIONS) AND ARG_STANDARD EQUAL 17)
    set(may_precompile TRUE)
  endif()
  set(objects)
  foreach(source ${ARG_SOURCES})
    cmake_path(ABSOLUTE_PATH source OUTPUT_VARIABLE path)
    cmake_path(GET source STEM LAST_ONLY stem)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}.${stem}.o)
    if(HIPLZ_HIP_OBJECTS AND NOT ARG_ASKS_FOR_SANITIZERS)
      string(REPLACE "${CMAKE_BINARY_DIR}/" "${HIPLZ_HIP_OBJECTS}/" object ${object})
      list(APPEND objects ${object})
      continue()
    endif()
    set(precompiled)
    set(precompiled_files)
    if(may_precompile)
      hiplz_precompiled_hip(${path} "${ARG_OPTIONS}" precompiled_files precompiled)
    endif()
    add_custom_command(OUTPUT ${object}
      COMMAND ${HIPLZ_CLANGXX} ${HIPLZ_HIP_FLAGS} ${HIPLZ_HIP_PASSES} -std=c++${ARG_STANDARD} -O2 -fPIC -Wall ${werror} ${host} ${precompiled}
              -I${CMAKE_SOURCE_DIR} ${ARG_OPTIONS} -MD -MF ${object}.d -MT ${object} -c ${path} -o ${object}
      DEPENDS ${path} hiplz_toolchain ${toolchain_files} ${precompiled_files} DEPFILE ${object}.d
      COMMENT "HIP ${name}: ${source}" VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  set(${variable} ${objects} PARENT_SCOPE)
endfunction()

# hiplz_hip_program(NAME SOURCES a.hip ... [OPTIONS -O2 ...] [SHARED] [ASKS_FOR_SANITIZERS] [LINK ...] [OUTPUT_DIRECTORY dir])
# The same, linked to a program or a shared library.
function(hiplz_hip_program name)
  cmake_parse_arguments(ARG "SHARED;ASKS_FOR_SANITIZERS" "OUTPUT_DIRECTORY;STANDARD" "SOURCES;OPTIONS;LINK" ${ARGN})
  if(NOT ARG_OUTPUT_DIRECTORY)
    set(ARG_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  endif()
  if(NOT ARG_STANDARD)
    set(ARG_STANDARD 17)
  endif()
  set(sanitize)
  if(HIPLZ_SANITIZE)
    set(sanitize -fsanitize=${HIPLZ_SANITIZE})
  endif()
  set(asks)
  if(ARG_ASKS_FOR_SANITIZERS)
    set(asks ASKS_FOR_SANITIZERS)
  endif()
  hiplz_hip_objects(${name} objects ${asks} SOURCES ${ARG_SOURCES} OPTIONS ${ARG_OPTIONS} STANDARD ${ARG_STANDARD})
  set(output ${ARG_OUTPUT_DIRECTORY}/${name})
  set(mode)
  if(ARG_SHARED)
    set(output ${ARG_OUTPUT_DIRECTORY}/lib${name}.so)
    set(mode -shared)
  endif()
  add_custom_command(OUTPUT ${output}
    COMMAND ${HIPLZ_CLANGXX} ${mode} ${sanitize} ${objects} -o ${output} -no-hip-rt -L${HIPLZ_STAGE}/lib -lhiplz
            -Wl,-rpath,${HIPLZ_STAGE}/lib ${ARG_LINK}
    DEPENDS ${objects} hiplz VERBATIM COMMENT "HIP link ${name}")
  add_custom_target(hip_${name} ALL DEPENDS ${output})
  # tests/neo has Intel's driver compile the device code of each program that has some, once.
  set(kernels)
  foreach(source ${ARG_SOURCES})
    file(STRINGS ${source} lines REGEX "__global__" LIMIT_COUNT 1)
    list(APPEND kernels ${lines})
  endforeach()
  if(kernels AND ARG_STANDARD EQUAL 17)
    set_property(GLOBAL APPEND PROPERTY HIPLZ_HIP_PROGRAMS ${output})
  endif()
endfunction()
