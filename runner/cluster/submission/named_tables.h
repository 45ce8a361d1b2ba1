// A file of named tables of plain values, such as slurm.toml and hosts.toml: [NAME], then keys.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "runner/base/files/source_error.h"
#include "runner/config/toml/toml_names.h"

namespace runner {

// One table. Each function reads a key if it exists and notes a wrong value. A key that no function
// has read is an error.
class NamedTable {
 public:
  NamedTable(const toml::key& key, const toml::table& table, std::vector<SourceError>& errors);

  const std::string& name() const { return name_; }
  bool has(std::string_view key) const;

  void read_word(std::string_view key, std::string* into);      // without blanks
  void read_number(std::string_view key, std::int64_t* into);   // from 1
  void read_seconds(std::string_view key, std::int64_t* into);  // of "4h", from 1s
  // Reads a list of texts; `wrong` returns the error for one, "" if it is valid.
  void read_list(std::string_view key, std::string_view expected, std::vector<std::string>* into,
                 const std::function<std::string(const std::string& text)>& wrong);

  bool good() const { return errors_.size() == before_; }  // no error in this table so far
  void note(const std::string& what);                      // an error of the table as a whole
  void note_unknown_keys();

 private:
  const toml::node* find(std::string_view key);
  void note_at(const toml::source_region& place, const std::string& what);

  const toml::key& key_;
  const toml::table& table_;
  std::string name_;
  std::vector<SourceError>& errors_;
  std::size_t before_;
  std::vector<std::string> known_;
};

struct ConfigurationFile {
  std::string path, text;
};

// Reads the first existing `file` beside the sweep's file (for a built-in sweep: in the current
// folder), in the workspace, or in `lcsm/` of the user's configuration folder ($XDG_CONFIG_HOME,
// ~/.config). Throws Failure if it cannot be read or none exists: "expected `expected` in one of
// ..., got none: `advice`".
ConfigurationFile find_configuration(const std::filesystem::path& sweep_file,
                                     const std::filesystem::path& workspace, const char* file,
                                     const std::string& expected, const std::string& advice);

struct NamedTableWords {
  std::string what;   // "profile"
  std::string write;  // advice: "[NAME] and time = \"4h\""
};

// Calls `take` for each table, in the order of the file. Errors refer to the file as `path`. Throws
// SourceErrors with every error of the text.
void read_named_tables(std::string_view text, const std::string& path, const NamedTableWords& words,
                       const std::function<void(NamedTable& table)>& take);

}  // namespace runner
