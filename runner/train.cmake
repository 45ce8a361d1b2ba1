# lcsm-train: everything that links LibTorch.

add_library(runner_models STATIC
  blocks/attention.cpp
  blocks/base_conv.cpp
  blocks/based.cpp
  blocks/bigbird.cpp
  blocks/block.cpp
  blocks/channel_mixers.cpp
  blocks/cosformer.cpp
  blocks/eos.cpp
  blocks/flash.cpp
  blocks/gates.cpp
  blocks/gfnet.cpp
  blocks/gmlp.cpp
  blocks/hgrn.cpp
  blocks/inner.cpp
  blocks/linear_attention.cpp
  blocks/linformer.cpp
  blocks/luna.cpp
  blocks/mamba.cpp
  blocks/random_features.cpp
  blocks/reformer.cpp
  blocks/retnet.cpp
  blocks/rwkv4.cpp
  blocks/steps.cpp
  blocks/transformer.cpp
  blocks/transformer_ls.cpp
  models/banded.cpp
  models/dropout.cpp
  models/dropout_cuda.cpp
  models/inputs.cpp
  models/mixers.cpp
  models/model.cpp
  models/norms.cpp
  models/skeletons.cpp)
target_link_libraries(runner_models PUBLIC lcsm ets runner_tasks PRIVATE lcsm_cpu)
lcsm_precompile(runner_models lcsm)
lcsm_compile_together(runner_models)
# Allows computing products that a mask then drops, so that the loop over the mask is vectorized.
set_source_files_properties(models/dropout.cpp PROPERTIES COMPILE_OPTIONS -fno-trapping-math)

add_library(runner_train STATIC
  batches/mqar_data.cpp
  batches/set_data.cpp
  batches/task_data.cpp
  batches/text_data.cpp
  device/cross_entropy_cuda.cpp
  device/device.cpp
  device/step_graphs.cpp
  training/checkpoint.cpp
  training/environment.cpp
  training/evaluation.cpp
  training/head_loss.cpp
  training/heads.cpp
  training/optimizer.cpp
  training/optimizer_gpu.cpp
  training/precision.cpp
  training/progress.cpp
  training/run_record.cpp
  training/sampling.cpp
  training/score.cpp
  training/shorter_run.cpp
  training/threads.cpp
  training/trained_model.cpp
  training/trainer.cpp
  training/training.cpp
  training/training_failure.cpp
  bench/bench_data.cpp
  bench/bench_eos.cpp
  bench/bench_eos_case.cpp
  bench/bench_eos_contest.cpp
  bench/bench_eos_report.cpp
  bench/bench_ets.cpp
  bench/bench_ets_case.cpp
  bench/bench_ets_cases.cpp
  bench/bench_ets_report.cpp
  bench/bench_model.cpp
  bench/bench_peers.cpp
  bench/bench_peers_chunks.cpp
  bench/bench_peers_complex.cpp
  bench/bench_peers_loop.cpp
  bench/bench_peers_sequence.cpp
  bench/bench_setting.cpp
  bench/bench_step.cpp
  bench/bench_step_case.cpp
  bench/gpu_model.cpp
  train_verbs/apply.cpp
  train_verbs/apply_family.cpp
  train_verbs/apply_inner.cpp
  train_verbs/layer_file.cpp
  train_verbs/model_text.cpp
  train_verbs/params.cpp
  train_verbs/eval.cpp
  train_verbs/run_argument.cpp
  train_verbs/sample.cpp
  train_verbs/run.cpp
  train_verbs/train_doctor.cpp)
target_link_libraries(runner_train PUBLIC runner_models runner_datasets ets results_events
  PRIVATE runner_cli lcsm_revision lcsm_source_diff fmt::fmt nlohmann_json::nlohmann_json)
lcsm_precompile(runner_train lcsm)
# Each verb has its Options and its kFooter.
lcsm_compile_together(runner_train bench/bench_data.cpp bench/bench_eos.cpp bench/bench_ets.cpp
  bench/bench_step.cpp train_verbs/apply.cpp train_verbs/eval.cpp train_verbs/params.cpp
  train_verbs/run.cpp train_verbs/sample.cpp train_verbs/train_doctor.cpp)

add_executable(lcsm-train train_verbs/thread_wait.cpp train_verbs/train_main.cpp)
target_link_libraries(lcsm-train PRIVATE runner_train runner_cli)
if(TARGET lcsm_cuda)
  add_dependencies(lcsm-train lcsm_cuda)  # opened at run time, not linked
endif()
