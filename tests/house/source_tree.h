// The source tree as the rules see it: text files by path, and CMake's targets.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace house {

struct SourceFile {
  std::string path;  // from the root, "lcsm/code.cpp"
  std::string text;

  std::vector<std::string_view> lines() const;
  std::string folder() const;     // "lcsm", empty at the top level
  std::string extension() const;  // ".cpp", empty for scripts
};

struct Tree {
  std::vector<SourceFile> files;  // by path
  const SourceFile* find(const std::string& path) const;
};

// All text files below `root` except .git, .gitignore's entries at the root, and other tools'
// dot-folders.
Tree read_tree(const std::filesystem::path& root);

// One command of a CMakeLists.txt: "target_link_libraries" and its arguments, without comments.
struct Command {
  std::string name;
  std::vector<std::string> words;
  int line = 0;
};
std::vector<Command> cmake_commands(std::string_view text);

// A target that a CMakeLists.txt declares, without imported ones.
struct Target {
  std::string name, declared_in;
  int line = 0;
  std::vector<std::string> sources;  // paths from the root
  std::vector<std::string> links;
};
std::map<std::string, Target> targets_of(const Tree& tree);

// An `#include` line: "lcsm/code.h" or <vector>, without quotes or brackets.
struct Include {
  std::string what;
  bool quoted = false;
  int line = 0;
};
std::vector<Include> includes_of(const SourceFile& file);

}  // namespace house
