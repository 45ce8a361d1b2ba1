#include "runner/systems/system.h"

#include <stdexcept>
#include <vector>

#include "lcsm/base/nearest.h"
#include "lcsm/base/row_names.h"
#include "lcsm/base/words.h"
#include "lcsm/code/code.h"
#include "lcsm/formula/formula.h"
#include "results/text/number_text.h"
#include "runner/systems/blocks.h"

namespace runner {
namespace {

using Words = std::vector<std::string>;

constexpr std::string_view kFeed = "feed_";

lcsm::Options preset_options(const lcsm::BlockRow& block, std::string_view preset) {
  lcsm::Options options = lcsm::options_of(block);
  for (const std::string& setting : lcsm::words_of(preset)) options.set(setting);
  return options;
}

System usual(const SystemRow& row) {
  System system{&row,
                preset_options(*row.block, row.preset),
                {},
                std::string(row.norm),
                std::string(row.norm_place)};
  if (row.feed != nullptr) system.feed = preset_options(*row.feed, row.feed_preset);
  return system;
}

// A number in its shortest form, so that equal options are spelled alike.
std::string plain(std::string_view value) {
  const auto number = results::number_in(value);
  return number ? lcsm::number_text(*number) : std::string(value);
}

[[noreturn]] void refuse(const SystemRow& row, const std::string& what) {
  throw std::invalid_argument("system " + std::string(row.name) + ": " + what);
}

void one_of(const SystemRow& row, std::string_view name, std::string_view value,
            std::string_view words) {
  const Words known = lcsm::words_of(words);
  if (lcsm::has_word(known, value)) return;
  refuse(row, "option '" + std::string(name) + "': expected one of " + lcsm::joined(known) +
                  ", got '" + std::string(value) + "'" + lcsm::did_you_mean(value, known));
}

Words option_names(const System& system) {
  Words names;
  for (const lcsm::OptionRow& option : system.mixer.rows()) names.emplace_back(option.name);
  if (system.feed)
    for (const lcsm::OptionRow& option : system.feed->rows())
      names.push_back(std::string(kFeed) + std::string(option.name));
  names.insert(names.end(), {"norm", "norm_place"});
  if (!system.row->reading.code.empty()) names.emplace_back("reading");
  return names;
}

void set_option(System& system, const std::string& name, const std::string& value) {
  const SystemRow& row = *system.row;
  if (name == "norm") {
    one_of(row, name, value, kNorms);
    system.norm = value;
  } else if (name == "norm_place") {
    one_of(row, name, value, lcsm::row_names<kNormPlaces>);
    system.norm_place = value;
  } else if (name == "reading" && !row.reading.code.empty()) {
    one_of(row, name, value, "lcsm");
    system.as_read = true;
  } else if (lcsm::row_named(system.mixer.rows(), name) != nullptr) {
    system.mixer.set(name, plain(value));
  } else if (system.feed && name.starts_with(kFeed) &&
             lcsm::row_named(system.feed->rows(), name.substr(kFeed.size())) != nullptr) {
    system.feed->set(name.substr(kFeed.size()), plain(value));
  } else {
    const Words names = option_names(system);
    refuse(row, "expected one of its options (" + lcsm::joined(names) + "), got '" + name + "'" +
                    lcsm::did_you_mean(name, names));
  }
}

constexpr std::string_view kLength = "length";

bool is_of_place(const lcsm::OptionRow& row) {
  return row.place != lcsm::Place::kNone || row.name == kLength;
}

void add_changed(const lcsm::Options& options, const lcsm::Options& usual, std::string_view start,
                 const Words& always, Words* settings) {
  for (const lcsm::OptionRow& row : options.rows()) {
    const std::string name = std::string(start) + std::string(row.name);
    const bool replaces_place = is_of_place(row) && options.is_set(row.name);
    if (options.text(row.name) != usual.text(row.name) || replaces_place ||
        lcsm::has_word(always, name))
      settings->push_back(name + "=" + options.text(row.name));
  }
}

// Options that differ from the row's, and those in `always`.
std::string spelled(const System& system, const Words& always) {
  const SystemRow& row = *system.row;
  const System plain = usual(row);
  Words settings;
  if (system.as_read) settings.emplace_back("reading=lcsm");
  add_changed(system.mixer, plain.mixer, "", always, &settings);
  if (system.feed) add_changed(*system.feed, *plain.feed, kFeed, always, &settings);
  if (system.norm != plain.norm || lcsm::has_word(always, "norm"))
    settings.push_back("norm=" + system.norm);
  if (system.norm_place != plain.norm_place || lcsm::has_word(always, "norm_place"))
    settings.push_back("norm_place=" + system.norm_place);
  std::string text(row.name);
  for (std::size_t i = 0; i < settings.size(); ++i) text += (i == 0 ? "@" : ",") + settings[i];
  return text;
}

lcsm::Block placed(const lcsm::BlockRow& block, lcsm::Options options, std::int64_t d,
                   LayerPlace place) {
  options.put_place(place.layer, place.layers);
  if (place.length > 0 && lcsm::row_named(options.rows(), kLength) != nullptr &&
      !options.is_set(kLength))
    options.set(kLength, std::to_string(place.length));
  return lcsm::make_block(block, options, d);
}

}  // namespace

const SystemRow* system_named(std::string_view name) {
  return lcsm::row_named(system_rows(), name);
}

bool names_system(std::string_view text, const lcsm::Catalogue& catalogue) {
  const std::string name(text.substr(0, text.find('@')));
  const lcsm::Oscillation* same = catalogue.find(name);
  const bool meant = same == nullptr || (same->origin.empty() && !same->whole);
  return meant && system_named(name) != nullptr;
}

System parse_system(std::string_view text) {
  const std::string name(lcsm::take_until(&text, '@'));
  const SystemRow* row = system_named(name);
  if (row == nullptr) {
    Words names;
    for (const SystemRow& known : system_rows()) names.emplace_back(known.name);
    const std::string near = name == "attention" ? "; softmax attention is 'transformer'"
                                                 : lcsm::did_you_mean(name, names);
    throw std::invalid_argument("expected a named system, got '" + name + "'" +
                                (near.empty() ? "; 'lcsm systems' lists them" : near));
  }
  System system = usual(*row);
  while (!text.empty()) {
    const std::string setting(lcsm::take_until(&text, ','));
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos)
      refuse(*row, "expected OPTION=VALUE after '@', got '" + setting + "'");
    const std::string option = setting.substr(0, equals);
    if (lcsm::has_word(system.given, option))
      refuse(*row, "option '" + option + "' is given twice");
    system.given.push_back(option);
    set_option(system, option, setting.substr(equals + 1));
  }
  system.mixer.check();
  if (system.feed) system.feed->check();
  return system;
}

std::string to_string(const System& system) { return spelled(system, {}); }

std::string as_given(const System& system) { return spelled(system, system.given); }

bool has_option(const System& system, std::string_view name) {
  return lcsm::has_word(option_names(system), name);
}

bool is_two_sided(const System& system) {
  return lcsm::sees_later_steps(*system.row->block, system.mixer);
}

lcsm::Block mixer_of(const System& system, std::int64_t d, LayerPlace place) {
  return placed(*system.row->block, system.mixer, d, place);
}

std::optional<lcsm::Block> feed_of(const System& system, std::int64_t d, LayerPlace place) {
  if (!system.feed) return std::nullopt;
  return placed(*system.row->feed, *system.feed, d, place);
}

std::vector<const SystemRow*> systems_matching(std::string_view pattern) {
  std::vector<const SystemRow*> found;
  for (const SystemRow& row : system_rows())
    if (lcsm::matches(pattern, row.name)) found.push_back(&row);
  return found;
}

}  // namespace runner
