# ----- The named systems: blocks, their options and tensors -----
add_library(runner_systems STATIC
  systems/base_conv.cpp
  systems/blocks.cpp
  systems/hgrn.cpp
  systems/inner.cpp
  systems/linear_attention.cpp
  systems/mamba.cpp
  systems/rwkv4.cpp)
target_link_libraries(runner_systems PUBLIC ets_code)
