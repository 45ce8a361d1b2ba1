#include "runner/front/codes/code_candidates.h"

#include <algorithm>

#include "lcsm/code/code.h"
#include "lcsm/code/tables.h"
#include "runner/config/toml/oscillation_search.h"

namespace runner {
namespace {

constexpr const char* kStages[] = {"a learned k x d matrix", "a projection of the input"};

bool is_code(const std::string& text, const lcsm::Catalogue& catalogue) {
  try {
    lcsm::parse_code(text, catalogue);
    return true;
  } catch (const lcsm::CodeError&) {
    return false;
  }
}

// The options that the code still accepts. Those that take a number are tried with an example.
std::vector<Candidate> options_after(const std::string& prefix, const lcsm::Catalogue& catalogue) {
  static const std::vector<std::pair<Candidate, std::string>> options = {
      {{"o=fixed", "the gate is not learned"}, ""},
      {{"gate=frozen", "the gate's tensors keep their initial values"}, ""},
      {{"tau=", "temperature of the gate (default 16)"}, "2"},
      {{"k=", "memory rows"}, "2"},
      {{"d=", "channels"}, "2"},
      {{"r=", "rank of a low-rank projection"}, "2"}};
  const std::string kept = prefix.substr(0, prefix.find_last_of("@,") + 1);
  std::vector<Candidate> candidates;
  for (const lcsm::FormRow& row : lcsm::form_rows())
    if (kept.find("-" + std::string(row.oscillation) + "-") != std::string::npos)
      if (const std::string word = kept + "form=" + std::string(row.form); is_code(word, catalogue))
        candidates.push_back({word, std::string(row.help)});
  for (const auto& [option, example] : options)
    if (is_code(kept + option.word + example, catalogue))
      candidates.push_back({kept + option.word, option.help});
  return candidates;
}

std::vector<Candidate> whole_codes(const lcsm::Catalogue& catalogue) {
  std::vector<Candidate> candidates;
  for (int e : {0, 1})
    candidates.push_back({std::to_string(e) + "-", std::string("e: ") + kStages[e]});
  for (const lcsm::Oscillation& each : catalogue.all())
    if (each.whole) candidates.push_back({each.name, each.help});
  return candidates;
}

// Candidates for the next part of a code, given how many it has.
std::vector<Candidate> next_part(long parts, const lcsm::Catalogue& catalogue) {
  std::vector<Candidate> next;
  if (parts == 1) {
    for (const lcsm::Oscillation& each : catalogue.all())
      if (!each.whole) next.push_back({each.name + "-", each.help});
  } else if (parts == 2) {
    for (int s : {0, 1}) next.push_back({std::to_string(s) + "-", std::string("s: ") + kStages[s]});
  } else {
    for (const lcsm::ActivationRow& row : lcsm::activation_rows())
      next.push_back({std::to_string(row.a), std::string(row.formula)});
  }
  return next;
}

}  // namespace

std::vector<Candidate> code_candidates(const std::string& prefix) {
  const lcsm::Catalogue catalogue = load_catalogue({}, [](const std::string&) {});
  if (prefix.find('@') != std::string::npos) return options_after(prefix, catalogue);
  const long parts = std::count(prefix.begin(), prefix.end(), '-');
  if (parts == 0) return whole_codes(catalogue);
  if (parts > 3) return {};
  const std::string kept = prefix.substr(0, prefix.rfind('-') + 1);
  std::vector<Candidate> candidates;
  static const std::string rest[] = {"", "1-0", "0", ""};
  for (const Candidate& part : next_part(parts, catalogue))
    if (is_code(kept + part.word + rest[parts], catalogue))
      candidates.push_back({kept + part.word, part.help});
  return candidates;
}

}  // namespace runner
