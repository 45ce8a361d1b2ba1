# LibTorch as imported targets: find_package(Torch) of the wheel requires CUDA and sets global
# flags. `bootstrap` passes both folders.
set(LCSM_LIBTORCH "" CACHE PATH "LibTorch: the folder with lib/ and include/")
set(LCSM_CUDA_RUNTIME "" CACHE PATH
  "Folder with libcudart.so.13 and libcupti.so.13; empty when LibTorch or a toolkit brings them")

if(NOT EXISTS "${LCSM_LIBTORCH}/lib/libtorch_cpu.so"
   OR NOT EXISTS "${LCSM_LIBTORCH}/include/ATen/ATen.h")
  message(FATAL_ERROR "No LibTorch in LCSM_LIBTORCH='${LCSM_LIBTORCH}' (lib/libtorch_cpu.so and "
    "include/ATen/ATen.h): run ./bootstrap, or set -DLCSM_LIBTORCH=FOLDER, or -DLCSM_TRAIN=OFF "
    "to build what needs no LibTorch.")
endif()

# std::string must have the same ABI as in the wheel.
file(STRINGS "${LCSM_LIBTORCH}/lib/libc10.so" _cxx11 REGEX "__cxx1112basic_string" LIMIT_COUNT 1)
if(_cxx11)
  set(_abi 1)
else()
  set(_abi 0)
endif()

# ----- What libtorch_cpu.so itself needs -----
# Searched where its own rpath and the loader look, then in a CUDA toolkit.
find_package(CUDAToolkit 13 QUIET)
foreach(name cudart cupti)
  find_library(LCSM_LIB_${name} lib${name}.so.13 NO_CACHE
    HINTS ${LCSM_CUDA_RUNTIME} ${LCSM_LIBTORCH}/../nvidia/cu13/lib ${LCSM_LIBTORCH}/lib
          ${CUDAToolkit_LIBRARY_DIR} ${CUDAToolkit_LIBRARY_DIR}/../extras/CUPTI/lib64
          /usr/local/cuda/lib64 /usr/local/cuda/extras/CUPTI/lib64 ENV LD_LIBRARY_PATH)
  if(NOT LCSM_LIB_${name})
    message(FATAL_ERROR "LibTorch needs lib${name}.so.13, which was not found: run ./bootstrap, "
      "or set -DLCSM_CUDA_RUNTIME=FOLDER to the folder that holds it.")
  endif()
  get_filename_component(_folder ${LCSM_LIB_${name}} DIRECTORY)
  list(APPEND LCSM_TORCH_RPATH ${_folder})
endforeach()
list(PREPEND LCSM_TORCH_RPATH ${LCSM_LIBTORCH}/lib)
list(REMOVE_DUPLICATES LCSM_TORCH_RPATH)

# ----- Targets: torch::cpu (headers, libtorch_cpu, libc10), torch::cuda -----
foreach(name c10 torch_cpu c10_cuda torch_cuda)
  add_library(torch::${name} SHARED IMPORTED GLOBAL)
  set_target_properties(torch::${name} PROPERTIES
    IMPORTED_LOCATION ${LCSM_LIBTORCH}/lib/lib${name}.so
    IMPORTED_SONAME lib${name}.so)
endforeach()

# The wheel's include/ contains a different fmt than the one we link; ours comes first.
find_package(fmt REQUIRED)
get_target_property(_fmt fmt::fmt INTERFACE_INCLUDE_DIRECTORIES)
find_path(LCSM_FMT_INCLUDE fmt/core.h PATHS ${_fmt} NO_CACHE NO_DEFAULT_PATH REQUIRED)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/include)
file(CREATE_LINK ${LCSM_FMT_INCLUDE}/fmt ${PROJECT_BINARY_DIR}/include/fmt SYMBOLIC)

add_library(torch::cpu INTERFACE IMPORTED GLOBAL)
target_include_directories(torch::cpu SYSTEM INTERFACE
  ${PROJECT_BINARY_DIR}/include
  ${LCSM_LIBTORCH}/include
  ${LCSM_LIBTORCH}/include/torch/csrc/api/include)
# AT_PER_OPERATOR_HEADERS: an operator comes from its own header, not from one of all 2000.
target_compile_definitions(torch::cpu INTERFACE _GLIBCXX_USE_CXX11_ABI=${_abi} AT_PER_OPERATOR_HEADERS)
# Without -fopenmp at::parallel_for is an ordinary loop; libgomp is the wheel's, so that there is
# one pool of threads.
target_compile_options(torch::cpu INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fopenmp>)
target_link_libraries(torch::cpu INTERFACE torch::torch_cpu torch::c10
  ${LCSM_LIBTORCH}/lib/libgomp.so.1)
# DT_RPATH, not DT_RUNPATH: it also applies to the libraries that libtorch_cpu.so loads. Missing
# folders are ignored, so a copied program falls back to LD_LIBRARY_PATH.
list(TRANSFORM LCSM_TORCH_RPATH PREPEND "LINKER:-rpath," OUTPUT_VARIABLE _rpath)
target_link_options(torch::cpu INTERFACE "LINKER:--disable-new-dtags" ${_rpath})

# What opening a device loads: the CUDA half registers itself with LibTorch when it is loaded, and
# none of our code calls it by name.
add_library(torch::cuda INTERFACE IMPORTED GLOBAL)
target_link_options(torch::cuda INTERFACE "LINKER:--no-as-needed")
target_link_libraries(torch::cuda INTERFACE torch::torch_cuda torch::c10_cuda torch::cpu)
