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

// The rows of a table with names and help, as choices of an option.
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
  std::string type;  // the word for a value in help and errors: "SWEEP"
  bool required = false, existing_file = false, positive = false, one_at_a_time = false;
  std::optional<std::pair<int, int>> range;
  std::optional<std::pair<double, double>> real_range;
  std::vector<Candidate> choices;
  char separator = '\0';
  std::string needs;
  std::optional<std::string> alone;  // the value if the option is given without one
  std::optional<std::string> shown_default;
  Completer completer;

  bool is_argument() const { return !names.front().starts_with('-'); }
  std::string name() const;  // the first long one, else the first: "--follow", "run"
  bool has_name(const std::string& word) const;
  int most_values() const;  // 0 for a flag
};

// Reads as a sentence:
//   verb.option("--jobs", &options.jobs, "Runs at the same time").type("N").range(1, 4096);
class Option {
 public:
  Option(const std::string& names, Target target, std::string help);

  Option& type(std::string name);  // default: TEXT, INT or FLOAT
  Option& required(bool required = true);
  Option& choices(std::vector<Candidate> values);  // also completes them
  Option& range(int least, int most);
  Option& range(double least, double most);
  Option& positive();
  Option& existing_file();
  Option& separated_by(char separator);    // "a,b" gives two values
  Option& one_at_a_time();                 // one value each time: --set A=1 --set B=2
  Option& needs(std::string other);        // refused without this option
  Option& alone_means(std::string value);  // the value is optional: --html [FILE]
  Option& default_shown();                 // on the help page
  Option& completes(Completer completer);
  Option& completes(SimpleCompleter completer);

  const OptionFacts& facts() const { return facts_; }

 private:
  OptionFacts facts_;
};

}  // namespace runner
