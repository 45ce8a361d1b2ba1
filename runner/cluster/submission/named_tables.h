// A file of named tables of plain values, such as slurm.toml and hosts.toml: [NAME], then keys.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runner/base/files/source_error.h"

namespace runner {

// One table. Each function reads a key if it is there and notes a wrong value. A key that no
// function has read is an error.
class NamedTable {
 public:
  virtual ~NamedTable() = default;
  virtual const std::string& name() const = 0;
  virtual bool has(std::string_view key) const = 0;

  virtual void read_word(std::string_view key, std::string* into) = 0;      // without blanks
  virtual void read_number(std::string_view key, std::int64_t* into) = 0;   // from 1
  virtual void read_seconds(std::string_view key, std::int64_t* into) = 0;  // of "4h", from 1s
  // Reads a list of texts; `wrong` returns the error for one, "" if it is valid.
  virtual void read_list(std::string_view key, std::string_view expected,
                         std::vector<std::string>* into,
                         const std::function<std::string(const std::string& text)>& wrong) = 0;

  virtual bool good() const = 0;                   // no error in this table so far
  virtual void note(const std::string& what) = 0;  // an error of the table as a whole
};

struct ConfigurationFile {
  std::string path, text;
};

// Reads the first of `file` beside the sweep's file (of a built-in sweep: in the current folder),
// in the workspace, and in `lcsm/` of the user's configuration folder ($XDG_CONFIG_HOME,
// ~/.config). Throws Failure if it cannot be read or there is none: "expected `expected` in one of
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
