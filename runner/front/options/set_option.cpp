#include "runner/front/options/set_option.h"

#include "lcsm/base/words.h"
#include "runner/config/keys/config_keys.h"
#include "runner/config/recipes/recipe.h"
#include "runner/config/toml/config_value.h"

namespace runner {
namespace {

// KEY=VALUE for every value of a choice, and with the default of any other key.
std::vector<Candidate> setting_candidates(const std::string&) {
  std::vector<Candidate> candidates;
  for (const ConfigKey& key : kConfigKeys) {
    const std::string start = std::string(key.name) + "=";
    for (const std::string& word : lcsm::words_of(key.choices))
      candidates.push_back({start + word, std::string(key.help)});
    if (key.name == "recipe")
      for (const PaperRecipe& recipe : recipes())
        candidates.push_back({start + name_of(recipe), "recipe of " + std::string(recipe.paper)});
    else if (key.choices.empty())
      candidates.push_back(
          {start + value_text(usual_value(key).value_or(Value(std::string("1-9-1-0")))),
           std::string(key.help)});
  }
  return candidates;
}

}  // namespace

void add_set_option(Verb& verb, std::vector<std::string>* settings, const std::string& help) {
  verb.option("--set", settings, help).type("KEY=VALUE").completes(setting_candidates);
}

}  // namespace runner
