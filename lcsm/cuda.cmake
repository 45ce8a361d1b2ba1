# The CUDA library: every *_cuda.cu of the project, in liblcsm_cuda.so beside the programs.
# LCSM_CUDA (root CMakeLists.txt) decides whether it is built; this file sets LCSM_CUDA_BUILT to its
# architectures, or to nothing when there is no library.

# Binaries for the A100 (they run on 8.6 and 8.9 too) and for Hopper; newer GPUs compile Hopper's
# PTX once, at the first start. More architectures only cost build time and size.
set(LCSM_CUDA_ARCHITECTURES "80-real;90" CACHE STRING "CUDA architectures, the only list of them")
set(LCSM_CUDA_BUILT "")
if(LCSM_CUDA STREQUAL off)
  return()
endif()

function(_lcsm_without_cuda reason)
  if(LCSM_CUDA STREQUAL on)
    message(FATAL_ERROR "LCSM_CUDA=on, but ${reason}: install the CUDA 13 toolkit or use "
      "-DLCSM_CUDA=auto.")
  endif()
  message(STATUS "CUDA: skipped, ${reason}")
endfunction()

find_program(LCSM_NVCC nvcc HINTS ENV CUDACXX ${CUDAToolkit_BIN_DIR} /usr/local/cuda/bin)
if(NOT LCSM_NVCC)
  _lcsm_without_cuda("no nvcc was found")
  return()
endif()
execute_process(COMMAND ${LCSM_NVCC} --version OUTPUT_VARIABLE _nvcc ERROR_QUIET)
if(NOT _nvcc MATCHES "release 1[3-9]")
  _lcsm_without_cuda("${LCSM_NVCC} is not of CUDA 13, which LibTorch is built for")
  return()
endif()
if(NOT DEFINED CMAKE_CUDA_COMPILER)
  set(CMAKE_CUDA_COMPILER ${LCSM_NVCC})
endif()
set(CMAKE_CUDA_ARCHITECTURES ${LCSM_CUDA_ARCHITECTURES})
enable_language(CUDA)
list(JOIN LCSM_CUDA_ARCHITECTURES " " LCSM_CUDA_BUILT)
