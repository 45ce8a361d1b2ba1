// A folder with published files, and a folder for the imported data.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>

#include "runner/data/datasets/data_file.h"
#include "runner/data/import/intake.h"
#include "runner/data/tasks/data_search.h"
#include "tests/message_of.h"
#include "tests/runner/run_program.h"

namespace runner {

using Files = std::map<std::string, std::string>;  // contents by path below the folder

inline void put_file(const std::filesystem::path& path, const std::string& bytes) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

class OthersFiles : public ::testing::Test {
 protected:
  std::filesystem::path from() const { return scratch_.path() / "from"; }
  std::filesystem::path to() const { return scratch_.path() / "to"; }
  std::filesystem::path at(const std::string& name) const { return scratch_.path() / name; }

  void put(const std::string& name, const std::string& bytes) const {
    put_file(from() / name, bytes);
  }
  void put(const Files& files) const {
    for (const auto& [name, bytes] : files) put(name, bytes);
  }
  void take(const IntakeRow& row) const { take_dataset(row, from(), to()); }
  void take(const char* name) const { take(*find_intake(name)); }
  std::string refusal(const IntakeRow& row) const {
    return message_of([&] { take(row); });
  }
  std::string refusal(const char* name) const { return refusal(*find_intake(name)); }
  DataFile taken(Split split) const { return DataFile(split_file(to(), split).string()); }

 private:
  const ScratchFolder scratch_;
};

}  // namespace runner
