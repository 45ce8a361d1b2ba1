# The tests of what links LibTorch.
add_project_test(runner_models_tests TORCH
  SOURCES
    models/banded_test.cpp
    models/dropout_test.cpp
    models/model_cases.cpp
    models/model_test.cpp
    models/norms_test.cpp
    models/skeletons_test.cpp
    models/source_dropout_test.cpp
    ../lcsm/layer/layer_cases.cpp
  LIBS runner_models nlohmann_json::nlohmann_json)

add_project_test(runner_blocks_tests TORCH
  SOURCES
    blocks/attention_test.cpp
    blocks/bigbird_test.cpp
    blocks/block_cases.cpp
    blocks/block_cost_test.cpp
    blocks/block_test.cpp
    blocks/channel_mixers_test.cpp
    blocks/eos_systems_test.cpp
    blocks/eos_test.cpp
    blocks/flash_test.cpp
    blocks/gates_test.cpp
    blocks/gfnet_test.cpp
    blocks/gmlp_test.cpp
    blocks/inner_test.cpp
    blocks/linear_attention_test.cpp
    blocks/linformer_test.cpp
    blocks/luna_test.cpp
    blocks/official_blocks_test.cpp
    blocks/padding_test.cpp
    blocks/random_features_test.cpp
    blocks/reformer_test.cpp
    blocks/hgrn_test.cpp
    blocks/retnet_test.cpp
    blocks/transformer_ls_test.cpp
    blocks/transformer_test.cpp
    ../ets/layer/official_cases.cpp
    ../ets/layer/official_smoothing.cpp
    ../lcsm/layer/layer_cases.cpp
  LIBS runner_models nlohmann_json::nlohmann_json)

add_project_test(runner_train_tests TORCH COST 7
  SOURCES
    batches/prefetch_test.cpp
    batches/set_data_test.cpp
    batches/task_data_test.cpp
    device/device_test.cpp
    device/step_graphs_test.cpp
    training/checkpoint_test.cpp
    training/environment_test.cpp
    training/evaluation_test.cpp
    training/band_loss_test.cpp
    training/optimizer_gpu_test.cpp
    training/progress_test.cpp
    training/sampling_test.cpp
    training/score_test.cpp
    training/shorter_run_test.cpp
    training/small_run.cpp
    training/systems_test.cpp
    training/takeover_test.cpp
    training/threads_test.cpp
    training/training_failure_test.cpp
    training/training_on_device_test.cpp
    training/training_test.cpp
    bench/bench_eos_test.cpp
    bench/bench_ets_test.cpp
    bench/bench_model_test.cpp
    bench/bench_peers_test.cpp
    bench/bench_step_test.cpp
    train_verbs/apply_family_test.cpp
    train_verbs/model_text_test.cpp
    train_verbs/params_test.cpp
    train_verbs/run_test.cpp
    train_verbs/thread_wait_test.cpp
    train_verbs/train_doctor_test.cpp
    ../ets/layer/official_cases.cpp
    ../ets/layer/official_smoothing.cpp
    ../lcsm/layer/fake_tensors.cpp
    ../lcsm/layer/layer_cases.cpp
    ../results/kill_at_write.cpp
    models/model_cases.cpp
  ALONE
    train_verbs/apply_inner_test.cpp
    train_verbs/apply_test.cpp
    training/head_loss_test.cpp
    training/optimizer_test.cpp
    training/pairs_test.cpp
    training/run_record_test.cpp
    training/trainer_on_gpu_test.cpp
    training/trainer_test.cpp
  LIBS runner_train fake_gpu nlohmann_json::nlohmann_json)
add_dependencies(runner_train_tests lcsm-train launch_counts)
