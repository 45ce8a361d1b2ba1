// Builds a configuration from TOML text and command-line arguments.
#include <utility>

#include "runner/config/run/run_config.h"
#include "runner/config/toml/oscillation_search.h"

namespace runner {

std::shared_ptr<const lcsm::Catalogue> catalogue_with(const ConfigTree& tree, Mistakes& mistakes,
                                                      void (*complain)(const std::string&)) {
  auto all = std::make_shared<lcsm::Catalogue>();
  for (const CustomOscillation& custom : tree.oscillations) {
    try {
      all->add(custom.oscillation);
    } catch (const lcsm::OscillationError& error) {
      mistakes.note(custom.place, error.what());
    }
  }
  const lcsm::Catalogue searched = load_catalogue({}, complain);
  for (const lcsm::Oscillation& found : searched.all())
    if (all->find(found.name) == nullptr) all->add(found);
  return all;
}

RunConfig parse_config(std::string_view text, const std::string& name,
                       const std::vector<std::string>& settings,
                       void (*complain)(const std::string&)) {
  Mistakes mistakes;
  ConfigTree tree;
  read_tree(text, name, tree, mistakes);
  for (const std::string& word : settings) read_setting(word, tree, mistakes);
  if (!tree.is_toml) mistakes.raise();
  auto catalogue = catalogue_with(tree, mistakes, complain);
  std::optional<RunConfig> config = resolve(tree.assignments, std::move(catalogue), mistakes);
  drop_consequences(tree.broken, mistakes);
  mistakes.raise();
  return std::move(*config);
}

}  // namespace runner
