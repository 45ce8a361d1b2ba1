#include "runner/config/toml/config_mistakes.h"

#include <algorithm>
#include <utility>

namespace runner {

int Mistakes::add_source(std::string name, std::string_view text) {
  sources_.push_back({std::move(name), std::string(text)});
  return static_cast<int>(sources_.size()) - 1;
}

void Mistakes::note(Place place, std::string what, std::optional<std::string> unknown) {
  found_.push_back({place, std::move(what), std::move(unknown)});
}

std::vector<Mistake> Mistakes::take() { return std::exchange(found_, {}); }

void Mistakes::raise() const {
  if (found_.empty()) return;
  std::vector<Mistake> sorted = found_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Mistake& a, const Mistake& b) { return a.place < b.place; });
  std::vector<SourceLines> lines;
  for (const Source& source : sources_) lines.emplace_back(source.text);
  std::string all;
  for (const Mistake& mistake : sorted) {
    all += all.empty() ? "" : "\n";
    if (mistake.place.source < 0) {
      all += mistake.what;
      continue;
    }
    const auto source = static_cast<std::size_t>(mistake.place.source);
    all += describe(sources_[source].name, lines[source].line(mistake.place.line),
                    {mistake.place.line, mistake.place.column, mistake.what});
  }
  throw ConfigError(all, sorted.size());
}

std::string Mistakes::text_of(Place place) const {
  if (place.source < 0) return "default";
  const std::string& name = sources_[static_cast<std::size_t>(place.source)].name;
  if (name == kSetOption) return name;
  return name + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

}  // namespace runner
