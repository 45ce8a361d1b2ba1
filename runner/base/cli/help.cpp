#include "runner/base/cli/help.h"

#include <algorithm>
#include <vector>

#include "lcsm/base/words.h"
#include "runner/base/text/display_width.h"
#include "runner/base/text/wrap.h"

namespace runner {
namespace {

struct Entry {
  std::string name, help;
};

struct Section {
  std::string title;
  std::vector<Entry> entries;
};

// "[CODE...]", "SHELL": an argument as the usage line shows it.
std::string placeholder(const OptionFacts& option) {
  std::string name = option.shown_name();
  if (option.most_values() > 1) name += "...";
  return option.required ? name : "[" + name + "]";
}

// "-h, --help", "--width N": an option as the list shows it.
std::string spelling(const OptionFacts& option) {
  const std::string text = lcsm::joined(option.names);
  return option.most_values() == 0 ? text : text + " " + option.type;
}

std::string explanation(const OptionFacts& option) {
  constexpr std::size_t kFew = 8;
  std::string text = option.help;
  if (option.shown_default) text += " (default: " + *option.shown_default + ")";
  if (!option.choices.empty() && option.choices.size() <= kFew)
    text += ": " + lcsm::joined(option.choices);
  return text;
}

constexpr int kMargin = 2;

// The column where the explanations of all sections begin; a longer name gets a line of its own.
int explanation_column(const std::vector<Section>& sections) {
  constexpr int kLongest = 26;
  int names = 0;
  for (const Section& section : sections)
    for (const Entry& entry : section.entries) {
      const int wide = display_width(entry.name);
      if (wide <= kLongest) names = std::max(names, wide);
    }
  return kMargin + names + 2;
}

void list_onto(std::string& page, const std::vector<Section>& sections, int width) {
  const int indent = explanation_column(sections);
  for (const Section& section : sections) {
    if (section.entries.empty()) continue;
    page += "\n" + section.title + ":\n";
    for (const Entry& entry : section.entries) {
      page += "  " + entry.name;
      const int used = kMargin + display_width(entry.name);
      const bool own_line = used + 2 > indent;
      page += own_line ? "\n" + std::string(static_cast<std::size_t>(indent), ' ')
                       : std::string(static_cast<std::size_t>(indent - used), ' ');
      wrap_onto(page, entry.help, indent, width);
    }
  }
}

// A section for each group of verbs, in the order in which the groups were declared.
std::vector<Section> groups_of(const Verb& verb) {
  std::vector<Section> groups;
  for (const auto& below : verb.verbs()) {
    if (below->is_hidden()) continue;
    if (groups.empty() || groups.back().title != below->title())
      groups.push_back({below->title(), {}});
    groups.back().entries.push_back({below->name(), below->help()});
  }
  return groups;
}

}  // namespace

std::string help_text(const Verb& verb, int width) {
  if (width == 0) width = 80;
  std::vector<Entry> arguments, options;
  std::string usage = "Usage: " + verb.call_name(), usage_of_arguments;
  for (const Option& each : verb.options()) {
    const OptionFacts& option = each.facts();
    if (!option.is_argument()) {
      options.push_back({spelling(option), explanation(option)});
    } else {
      arguments.push_back({placeholder(option), explanation(option)});
      usage_of_arguments += " " + placeholder(option);
    }
  }
  if (!verb.verbs().empty()) usage += " VERB";
  usage += " [OPTIONS]" + usage_of_arguments;
  std::string page;
  wrap_onto(page, verb.help(), 0, width);
  page += "\n" + usage + "\n";
  list_onto(page, groups_of(verb), width);
  list_onto(page, {{"Arguments", arguments}}, width);
  list_onto(page, {{"Options", options}}, width);
  if (!verb.footer().empty()) page += "\n" + verb.footer() + "\n";
  return page;
}

}  // namespace runner
