# The named systems: blocks, their options and tensors.
add_library(runner_systems STATIC
  systems/base_conv.cpp
  systems/blocks.cpp
  systems/decayed_attention.cpp
  systems/delta_rules.cpp
  systems/eos.cpp
  systems/eos_parts.cpp
  systems/eos_rows.cpp
  systems/eos_tensors.cpp
  systems/gated_weights.cpp
  systems/mamba_2.cpp)
target_link_libraries(runner_systems PUBLIC ets_code)
