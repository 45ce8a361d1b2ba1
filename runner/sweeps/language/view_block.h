// Reads one [[table]], [[figure]] or [[claim]] of a sweep file: typed keys; every mistake is noted.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "results/tables/table.h"
#include "runner/config/toml/config_mistakes.h"
#include "runner/config/toml/toml_names.h"

namespace runner {

class ViewBlock {
 public:
  // `kind`: the name shown in errors, "table". `table` and `mistakes` must outlive this.
  ViewBlock(std::string_view kind, const toml::table& table, int source, Mistakes& mistakes);

  // Returns the error for a name, "" if it is valid (result_names.h).
  using Check = std::string (*)(const std::string& name);

  // The value of a key; "", {} or `usual` (the default) if it is missing or invalid.
  std::string text(std::string_view key, Check check = nullptr);
  std::vector<std::string> names(std::string_view key, Check check = nullptr);  // or one string
  bool flag(std::string_view key, bool usual);
  double share(std::string_view key);  // from 0 to 1
  int whole(std::string_view key, int least, int most, int usual);

  // select = { best = "optim.lr", by = "valid.ppl" }
  void select(std::vector<std::string>* tuned, std::string* by);

  // where.task.length = 64: parameters with the values that runs must have.
  std::vector<results::Condition> where();

  void require(std::string_view key, std::string_view such_as);
  void note(std::string_view key, const std::string& what);  // at the value, else the block

  // Calls `read`; an exception becomes a mistake in the key.
  template <class Read>
  void checked(std::string_view key, const Read& read) {
    try {
      read();
    } catch (const std::invalid_argument& error) {
      note(key, error.what());
    }
  }

  // Notes the keys that were not read.
  void finish();

 private:
  const toml::node* get(std::string_view key);
  void note(const toml::source_region& region, const std::string& what);
  std::vector<std::string> names_of(const toml::node& node, const std::string& key, Check check);
  void check_name(const toml::node& node, const std::string& name, Check check);

  std::string kind_;
  const toml::table& table_;
  int source_;
  Mistakes& mistakes_;
  std::vector<std::string> known_;
};

}  // namespace runner
