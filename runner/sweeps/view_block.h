// Reads one [[table]], [[figure]] or [[claim]] of a sweep file: typed keys, every mistake noted.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runner/config/config_mistakes.h"
#include "runner/config/toml_names.h"

namespace runner {

class ViewBlock {
 public:
  // `kind` as errors call it: "table". `table` and `mistakes` outlive this.
  ViewBlock(std::string_view kind, const toml::table& table, int source, Mistakes& mistakes);

  // Says what is wrong with a name, "" for nothing (result_names.h).
  using Check = std::string (*)(const std::string& name);

  // What the block says of a key, "", {} or `usual` where nothing or nothing good.
  std::string text(std::string_view key, Check check = nullptr);
  std::vector<std::string> names(std::string_view key, Check check = nullptr);  // one, or a list
  bool flag(std::string_view key, bool usual);
  int whole(std::string_view key, int least, int most, int usual);

  // select = { best = "optim.lr", by = "valid.ppl" }
  void select(std::vector<std::string>* tuned, std::string* by);

  // where.task.length = 64: parameters and the values that runs must have.
  std::vector<std::pair<std::string, std::string>> where();

  void require(std::string_view key, std::string_view such_as);
  void note(std::string_view key, const std::string& what);  // at the key's value, or the block

  // Calls `read` and notes what it finds wrong with the key.
  template <class Read>
  void checked(std::string_view key, const Read& read) {
    try {
      read();
    } catch (const std::invalid_argument& error) {
      note(key, error.what());
    }
  }

  // Notes the keys that nobody asked for.
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
  std::vector<std::string> asked_;
};

}  // namespace runner
