# ----- Runs that several hosts share -----
add_project_test(runner_claim_tests COST 5
  SOURCES
    workspace/claim_fence_test.cpp
    workspace/claim_hold_test.cpp
    workspace/claim_test.cpp
    workspace/claim_watch_test.cpp
    fake_learner.cpp
    ../results/kill_at_write.cpp
  LIBS runner_base)

add_project_test(runner_slurm_tests
  SOURCES
    hosts/host_test.cpp
    hosts/parts_test.cpp
    hosts/shares_test.cpp
    slurm/array_split_test.cpp
    slurm/bad_nodes_test.cpp
    slurm/batch_test.cpp
    slurm/cluster_limits_test.cpp
    slurm/cluster_watch_test.cpp
    slurm/commands_test.cpp
    slurm/element_job_test.cpp
    slurm/fake_slurm.cpp
    slurm/freeze_test.cpp
    slurm/job_id_test.cpp
    slurm/job_rows_test.cpp
    slurm/job_state_test.cpp
    slurm/look_timer_test.cpp
    slurm/profile_search_test.cpp
    slurm/profile_test.cpp
    slurm/reasons_test.cpp
    slurm/simulated_cluster.cpp
    slurm/simulation_test.cpp
    slurm/recent_jobs_test.cpp
    slurm/submission_test.cpp
    slurm/submit_test.cpp
    slurm/submitted_test.cpp
    ../results/kill_at_write.cpp
  LIBS runner_schedule)

add_project_test(runner_element_tests COST 6
  SOURCES
    verbs/element_storm_test.cpp
    verbs/element_test.cpp
    fake_submission.cpp
    fake_sweep.cpp
    ../results/kill_at_write.cpp
  LIBS runner_schedule)

add_project_test(runner_real_slurm_tests COST 8
  SOURCES
    slurm/cluster_storm_test.cpp
    slurm/real_slurm_test.cpp
    slurm/small_cluster.cpp
    fake_submission.cpp
    fake_sweep.cpp
    ../results/kill_at_write.cpp
  LIBS runner_schedule)
