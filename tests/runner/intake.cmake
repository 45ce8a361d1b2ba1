add_project_test(runner_intake_tests COST 2
  SOURCES
    intake/archive_test.cpp
    intake/characters_test.cpp
    intake/fairseq_binary_test.cpp
    intake/fetch_test.cpp
    intake/intake_test.cpp
    intake/mutation_test.cpp
    intake/pathfinder_release_test.cpp
    intake/random_split_test.cpp
    intake/source_test.cpp
    intake/texts_test.cpp
    intake/sample_archive.cpp
    intake/sample_files.cpp
    ../results/kill_at_write.cpp
  LIBS runner_intake LibArchive::LibArchive)
