# ----- The named systems: blocks, their options and tensors -----
add_library(runner_systems STATIC
  systems/base_conv.cpp
  systems/blocks.cpp
  systems/inner.cpp)
target_link_libraries(runner_systems PUBLIC ets_code)
