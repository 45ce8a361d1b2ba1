#include "runner/base/cli/verb.h"

#include <algorithm>

namespace runner {

Verb::Verb(std::string name, std::string help, const Verb* above)
    : name_(std::move(name)), help_(std::move(help)), above_(above) {
  option("-h,--help", Target(), "Show this help");
}

Verb& Verb::verb(std::string name, std::string help) {
  Verb& verb = *verbs_.emplace_back(std::make_unique<Verb>(std::move(name), std::move(help), this));
  verb.title_ = group_;
  return verb;
}

void Verb::group(std::string title) { group_ = std::move(title); }

Option& Verb::argument(const std::string& name, Target target, std::string help) {
  return option(name, target, std::move(help));
}

Option& Verb::option(const std::string& names, Target target, std::string help) {
  return options_.emplace_back(names, target, std::move(help));
}

Option& Verb::flag(const std::string& names, bool* target, std::string help) {
  return option(names, target, std::move(help));
}

void Verb::footer(std::string text) { footer_ = std::move(text); }

void Verb::version(std::string text) {
  version_ = std::move(text);
  option("--version", Target(), "Show the version and its commit");
}

const Verb* Verb::find(const std::string& name) const {
  for (const auto& verb : verbs_)
    if (verb->name() == name) return verb.get();
  return nullptr;
}

int Verb::values_at_once(const OptionFacts& option) const {
  const bool beside_arguments = std::any_of(
      options_.begin(), options_.end(), [](const Option& o) { return o.facts().is_argument(); });
  const int most = option.most_values();
  return beside_arguments && !option.is_argument() ? std::min(most, 1) : most;
}

std::string Verb::call_name() const {
  return above_ == nullptr ? name_ : above_->call_name() + " " + name_;
}

}  // namespace runner
