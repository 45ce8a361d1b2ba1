# The named systems: blocks, their options and tensors.
add_library(runner_systems STATIC
  systems/attention.cpp
  systems/base_conv.cpp
  systems/bigbird.cpp
  systems/blocks.cpp
  systems/channel_mixers.cpp
  systems/decayed_attention.cpp
  systems/delta_rules.cpp
  systems/eos.cpp
  systems/eos_parts.cpp
  systems/eos_rows.cpp
  systems/eos_tensors.cpp
  systems/flash.cpp
  systems/gated_weights.cpp
  systems/gfnet.cpp
  systems/gmlp.cpp
  systems/hgrn.cpp
  systems/inner.cpp
  systems/linear_attention.cpp
  systems/linformer.cpp
  systems/luna.cpp
  systems/mamba.cpp
  systems/mamba_2.cpp
  systems/reformer.cpp
  systems/rwkv4.cpp
  systems/system.cpp
  systems/system_rows.cpp
  systems/systems_attention.cpp
  systems/systems_recurrent.cpp
  systems/systems_state.cpp
  systems/transformer.cpp
  systems/transformer_ls.cpp)
target_link_libraries(runner_systems PUBLIC ets_code)
