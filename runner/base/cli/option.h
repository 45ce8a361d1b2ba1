// An option or argument of a verb: its names, its accepted values and the variable it fills.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace runner {

// ----- Values -----

// A value offered as a completion.
struct Candidate {
  std::string word;
  std::string help = "";  // one line
};

// Returns the values that an option may have; those that do not start with `prefix` are dropped.
// `before` holds the words typed so far, the verb's name first.
using Completer = std::function<std::vector<Candidate>(const std::string& prefix,
                                                       const std::vector<std::string>& before)>;
using SimpleCompleter = std::function<std::vector<Candidate>(const std::string& prefix)>;

// Returns the error for a value, "expected an integer, got 'x'"; "" if the value is valid.
using ValueCheck = std::function<std::string(const std::string& value)>;

// Turns a table's rows, with names and help, into an option's choices.
template <class Rows>
std::vector<Candidate> choices_of(const Rows& rows) {
  std::vector<Candidate> all;
  for (const auto& row : rows) all.push_back({std::string(row.name), std::string(row.help)});
  return all;
}

// The variable that an option fills. It holds the default and must outlive the parse. A bool makes
// a flag, a vector accepts any number of values. With monostate the parser handles the option
// itself (--help, --version).
using Target = std::variant<std::monostate, bool*, int*, std::int64_t*, double*, std::string*,
                            std::optional<std::string>*, std::vector<std::string>*>;

// ----- Options -----

struct OptionFacts {
  std::vector<std::string> names;  // "-f", "--follow"; of an argument "run"
  Target target;
  std::string help;
  std::string type;                       // the word for a value in help and errors: "SWEEP"
  ValueCheck check;                       // may be empty
  std::vector<std::string> choices = {};  // all allowed values; empty: any value
  bool required = false, existing_file = false;
  char separator = '\0';
  std::string sets;  // of a flag: the value that it gives the variable
  std::string needs;
  std::optional<std::string> shown_default;
  Completer completer;

  bool is_argument() const { return !names.front().starts_with('-'); }
  std::string name() const;        // the first long name, else the first name: "--follow", "run"
  std::string shown_name() const;  // as help and errors show it: "--follow", "RUN"
  bool has_name(const std::string& word) const;
  int most_values() const;  // 0 for a flag
};

// Reads as a sentence:
//   verb.option("--jobs", &options.jobs, "Runs at the same time").type("N").range(1, 4096);
class Option {
 public:
  Option(const std::string& names, Target target, std::string help);

  Option& type(std::string name) { return set(&OptionFacts::type, std::move(name)); }
  Option& required(bool is = true) { return set(&OptionFacts::required, is); }
  Option& choices(const std::vector<Candidate>& values);  // also completes them
  Option& range(int least, int most);
  Option& range(double least, double most);
  Option& positive();
  Option& existing_file();
  // "a,b" gives two values.
  Option& separated_by(char separator) { return set(&OptionFacts::separator, separator); }
  // Makes a flag of it: `--json` sets the variable of `--format` to "json".
  Option& sets(std::string value) { return set(&OptionFacts::sets, std::move(value)); }
  // An error unless this other option is given.
  Option& needs(std::string other) { return set(&OptionFacts::needs, std::move(other)); }
  Option& default_shown();  // on the help page
  Option& completes(Completer completer) {
    return set(&OptionFacts::completer, std::move(completer));
  }
  Option& completes(SimpleCompleter completer);

  const OptionFacts& facts() const { return facts_; }

 private:
  template <class Value>
  Option& set(Value OptionFacts::*fact, Value value) {
    facts_.*fact = std::move(value);
    return *this;
  }

  OptionFacts facts_;
};

}  // namespace runner
