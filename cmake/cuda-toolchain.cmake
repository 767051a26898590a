# SPDX-License-Identifier: MIT
# CMake's language CUDA with cucc: cmake -DCMAKE_TOOLCHAIN_FILE=PREFIX/lib/cmake/hiplz/cuda-toolchain.cmake. CMake finds
# out about nvcc by parsing what it prints about its own folders; these are the answers for cucc, which takes nvcc's options.
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH hiplz_prefix) # lib/cmake
cmake_path(GET hiplz_prefix PARENT_PATH hiplz_prefix)           # lib
cmake_path(GET hiplz_prefix PARENT_PATH hiplz_prefix)

set(CMAKE_CUDA_COMPILER ${hiplz_prefix}/bin/cucc)
set(CMAKE_CUDA_COMPILER_ID_RUN TRUE)
set(CMAKE_CUDA_COMPILER_FORCED TRUE)
set(CMAKE_CUDA_COMPILER_ID NVIDIA)
set(CMAKE_CUDA_COMPILER_VERSION 13.0.0)
set(CMAKE_CUDA_COMPILER_TOOLKIT_VERSION 13.0.0)
set(CMAKE_CUDA_SIMULATE_ID GNU)
set(CMAKE_CUDA_STANDARD_COMPUTED_DEFAULT 17)
set(CMAKE_CUDA_EXTENSIONS_COMPUTED_DEFAULT ON)
set(CMAKE_CUDA_STANDARD_DEFAULT 17)
# The lines of "nvcc -v" that CMake reads: where headers and libraries are, and what links.
set(CMAKE_CUDA_COMPILER_PRODUCED_OUTPUT "
#$ INCLUDES=\"-I${hiplz_prefix}/include/hiplz/cuda\" \"-I${hiplz_prefix}/include/hiplz/cuda_absent\" \"-I${hiplz_prefix}/include\"
#$ LIBRARIES=\"-L${hiplz_prefix}/lib\"

#$ \"${CMAKE_CUDA_COMPILER}\" -o a.out a.o \"-L${hiplz_prefix}/lib\" -lhiplz
")
# A program with C++ and CUDA sources is linked by the C++ compiler.
set(CMAKE_CUDA_IMPLICIT_LINK_LIBRARIES hiplz)
set(CMAKE_CUDA_IMPLICIT_LINK_DIRECTORIES ${hiplz_prefix}/lib)
foreach(kind EXE SHARED MODULE)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT "-Wl,-rpath,${hiplz_prefix}/lib")
endforeach()
include_directories(BEFORE SYSTEM ${hiplz_prefix}/include/hiplz/cuda ${hiplz_prefix}/include)

if(NOT CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES OFF) # device code is compiled to SPIR-V
endif()
