// A verb of a program: its name, its options and the function it runs. The program itself is the
// root of the tree of verbs. Only parse.cpp knows about CLI11.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runner/base/cli/option.h"

namespace runner {

class Verb {
 public:
  Verb(std::string name, std::string help, const Verb* above = nullptr);
  Verb(const Verb&) = delete;
  Verb& operator=(const Verb&) = delete;

  // ----- Declaring it -----

  Verb& verb(std::string name, std::string help);
  void group(std::string title);  // heads the verbs declared next in the help; "" hides them
  Option& argument(const std::string& name, Target target, std::string help);
  Option& option(const std::string& names, Target target, std::string help);  // "-t,--try"
  Option& flag(const std::string& names, bool* target, std::string help);
  void footer(std::string text);   // the end of its help page, with "Examples:"
  void version(std::string text);  // adds --version, which prints the text

  // Other programs' words for this program's verbs. The error for an unknown verb suggests the
  // verbs.
  struct Synonyms {
    std::string_view words, verbs;  // separated by blanks: "ls list", "status sweeps"
  };
  void synonyms(std::span<const Synonyms> rows) { synonyms_ = rows; }

  // Sets the function that the verb runs. Returns the options that the command line fills and the
  // function is called with:
  //   Options& options = verb.runs(show);  // void show(const Options& options)
  // A function that returns int returns the exit status. Our enums do not convert: their values
  // need not be exit statuses.
  template <class Options>
  Options& runs(void (*work)(const Options&));
  template <class Options>
  Options& runs(int (*work)(const Options&));

  // ----- Reading it: help, completion, the parser -----

  const std::string& name() const { return name_; }
  const std::string& help() const { return help_; }
  const std::string& title() const { return title_; }  // of this verb's group
  bool is_hidden() const { return title_.empty(); }
  std::span<const Synonyms> synonyms() const { return synonyms_; }
  const std::string& footer() const { return footer_; }
  const std::string& version() const { return version_; }
  const std::deque<Option>& options() const { return options_; }
  const std::vector<std::unique_ptr<Verb>>& verbs() const { return verbs_; }
  const Verb* find(const std::string& name) const;  // of verbs(); null if not found
  std::string call_name() const;                    // "lcsm codes"
  // If the verb has arguments, an option takes one value at a time: in `table --where seed=1
  // quickstart` the last word is the sweep.
  int values_at_once(const OptionFacts& option) const;
  int run() const { return work_(); }

 private:
  std::string name_, help_, footer_, version_, title_, group_ = "Verbs";
  const Verb* above_;
  std::span<const Synonyms> synonyms_;
  std::deque<Option> options_;
  std::vector<std::unique_ptr<Verb>> verbs_;
  std::function<int()> work_ = [] { return 0; };
};

template <class Options>
Options& Verb::runs(void (*work)(const Options&)) {
  const auto options = std::make_shared<Options>();
  work_ = [options, work] {
    work(*options);
    return 0;
  };
  return *options;
}

template <class Options>
Options& Verb::runs(int (*work)(const Options&)) {
  const auto options = std::make_shared<Options>();
  work_ = [options, work] { return work(*options); };
  return *options;
}

}  // namespace runner
