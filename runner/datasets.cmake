# Data sets in files of ours: their generators, and what a user has.
add_library(runner_datasets STATIC
  datasets/check.cpp
  datasets/data_file.cpp
  datasets/data_file_header.cpp
  datasets/data_file_writer.cpp
  datasets/dataset.cpp
  datasets/listops.cpp
  datasets/making.cpp
  datasets/own_names.cpp
  datasets/pathfinder.cpp
  datasets/png.cpp
  datasets/samples.cpp
  datasets/sprites.cpp
  datasets/toys.cpp
  own/data_pins.cpp
  own/data_sizes.cpp
  own/own_data.cpp
  own/own_examples.cpp
  own/own_sources.cpp
  own/own_vocabulary.cpp
  own/table_file.cpp)
target_link_libraries(runner_datasets PUBLIC runner_tasks PRIVATE fmt::fmt PNG::PNG
  nlohmann_json::nlohmann_json)
