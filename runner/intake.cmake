# Data sets that others publish. libarchive is opened where an archive is read; only its headers are
# needed here.
find_package(LibArchive REQUIRED)
find_package(ZLIB REQUIRED)
add_library(runner_intake STATIC
  intake/archive.cpp
  intake/characters.cpp
  intake/cifar.cpp
  intake/fairseq_binary.cpp
  intake/fetch.cpp
  intake/found.cpp
  intake/intake.cpp
  intake/libarchive.cpp
  intake/listops_release.cpp
  intake/mega.cpp
  intake/paper_pairs.cpp
  intake/pathfinder_release.cpp
  intake/plain_files.cpp
  intake/random_split.cpp
  intake/reviews.cpp
  intake/source.cpp
  intake/taking.cpp
  intake/texts.cpp)
target_include_directories(runner_intake SYSTEM PRIVATE ${LibArchive_INCLUDE_DIRS})
target_link_libraries(runner_intake PUBLIC runner_datasets PRIVATE nlohmann_json::nlohmann_json
  ZLIB::ZLIB ${CMAKE_DL_LIBS})
