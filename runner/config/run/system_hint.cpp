#include "runner/config/run/system_hint.h"

#include <vector>

#include "lcsm/base/nearest.h"
#include "runner/config/keys/family_rows.h"
#include "runner/systems/system.h"

namespace runner {

std::string with_system_hint(const std::string& why, std::string_view text) {
  const std::string name(text.substr(0, text.find('@')));
  if (system_named(name) != nullptr)
    return why + "; the named system is model.system = \"" + std::string(text) + "\"";
  if (lcsm::row_named(kFamilyRows, name) != nullptr)
    return why + "; the model is model.family = \"" + name + "\"" +
           (name == "attention" ? ", in a list of codes 'transformer'" : "");
  if (why.find("did you mean") != std::string::npos) return why;
  std::vector<std::string> names;
  for (const SystemRow& row : system_rows()) names.emplace_back(row.name);
  return why + lcsm::did_you_mean(name, names);
}

}  // namespace runner
