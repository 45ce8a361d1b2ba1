#include "runner/base/cli/help.h"

#include <algorithm>
#include <vector>

#include "runner/base/text/display_width.h"
#include "runner/base/text/wrap.h"

namespace runner {
namespace {

struct Entry {
  std::string name, help;
};

// "[CODE...]", "SHELL": an argument as the usage line shows it.
std::string placeholder(const OptionFacts& option) {
  std::string name = option.name();
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  if (option.most_values() > 1) name += "...";
  return option.required ? name : "[" + name + "]";
}

// "-h, --help", "--width N": an option as the list shows it.
std::string spelling(const OptionFacts& option) {
  std::string text;
  for (const std::string& name : option.names) text += (text.empty() ? "" : ", ") + name;
  return option.most_values() == 0 ? text : text + " " + option.type;
}

std::string explanation(const OptionFacts& option) {
  return option.shown_default ? option.help + " (default: " + *option.shown_default + ")"
                              : option.help;
}

void list_onto(std::string& page, const std::string& title, const std::vector<Entry>& entries,
               int width) {
  if (entries.empty()) return;
  constexpr int kMargin = 2, kLongest = 26;
  int names = 0;
  for (const Entry& entry : entries) {
    const int wide = display_width(entry.name);
    if (wide <= kLongest) names = std::max(names, wide);
  }
  page += "\n" + title + ":\n";
  const int indent = kMargin + names + 2;
  for (const Entry& entry : entries) {
    page += "  " + entry.name;
    const int used = kMargin + display_width(entry.name);
    const bool own_line = used + 2 > indent;
    page += own_line ? "\n" + std::string(static_cast<std::size_t>(indent), ' ')
                     : std::string(static_cast<std::size_t>(indent - used), ' ');
    wrap_onto(page, entry.help, indent, width);
  }
}

}  // namespace

std::string help_text(const Verb& verb, int width) {
  if (width == 0) width = 80;
  std::vector<Entry> verbs, arguments, options;
  std::string usage = "Usage: " + verb.call_name(), usage_of_arguments;
  for (const auto& below : verb.verbs()) verbs.push_back({below->name(), below->help()});
  for (const Option& each : verb.options()) {
    const OptionFacts& option = each.facts();
    if (!option.is_argument()) {
      options.push_back({spelling(option), explanation(option)});
    } else {
      arguments.push_back({placeholder(option), explanation(option)});
      usage_of_arguments += " " + placeholder(option);
    }
  }
  if (!verbs.empty()) usage += " VERB";
  usage += " [OPTIONS]" + usage_of_arguments;
  std::string page;
  wrap_onto(page, verb.help(), 0, width);
  page += "\n" + usage + "\n";
  list_onto(page, "Verbs", verbs, width);
  list_onto(page, "Arguments", arguments, width);
  list_onto(page, "Options", options, width);
  if (!verb.footer().empty()) page += "\n" + verb.footer() + "\n";
  return page;
}

}  // namespace runner
