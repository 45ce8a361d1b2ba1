# Scheduling.
add_library(runner_schedule STATIC
  host/checks_resources.cpp
  host/checks_workspace.cpp
  host/resources.cpp
  host/nvml.cpp
  schedule/conductor.cpp
  schedule/conductor_parts.cpp
  schedule/keeper.cpp
  schedule/local_engine.cpp
  schedule/on_finish.cpp
  schedule/run_claims.cpp
  schedule/scheduler.cpp
  hosts/host.cpp
  hosts/host_calls.cpp
  hosts/host_script.cpp
  hosts/others_watch.cpp
  hosts/parts.cpp
  hosts/send.cpp
  hosts/shares.cpp
  slurm/array_split.cpp
  slurm/bad_nodes.cpp
  slurm/batch.cpp
  slurm/cluster_limits.cpp
  slurm/cluster_watch.cpp
  slurm/commands.cpp
  slurm/element_job.cpp
  slurm/freeze.cpp
  slurm/job_id.cpp
  slurm/job_rows.cpp
  slurm/job_state.cpp
  slurm/named_tables.cpp
  slurm/profile.cpp
  slurm/profile_search.cpp
  slurm/reasons.cpp
  slurm/recent_jobs.cpp
  slurm/submission.cpp
  slurm/submit.cpp
  slurm/submitted.cpp)
target_link_libraries(runner_schedule PUBLIC runner_sweeps PRIVATE fmt::fmt
  nlohmann_json::nlohmann_json tomlplusplus::tomlplusplus ${CMAKE_DL_LIBS})
