#include "runner/front/help.h"

#include <algorithm>
#include <vector>

#include "runner/text/display_width.h"
#include "runner/text/wrap.h"

namespace runner {
namespace {

struct Entry {
  std::string name, help;
};

// "[CODE...]", "SHELL": a positional as the usage line shows it.
std::string placeholder(const CLI::Option& option) {
  std::string name = option.get_name(true);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  if (option.get_items_expected_max() > 1) name += "...";
  return option.get_required() ? name : "[" + name + "]";
}

// "-h, --help", "--width N": an option as the list shows it.
std::string spelling(const CLI::Option& option) {
  std::string text;
  for (const std::string& name : option.get_snames()) text += (text.empty() ? "-" : ", -") + name;
  for (const std::string& name : option.get_lnames()) text += (text.empty() ? "--" : ", --") + name;
  if (option.get_items_expected_max() == 0) return text;
  std::string type = option.get_type_name();
  return text + " " + type.substr(0, type.find(':'));
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

std::string call_name(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  return parent == nullptr ? app.get_name() : call_name(*parent) + " " + app.get_name();
}

std::string help_text(const CLI::App& app, int width) {
  if (width == 0) width = 80;
  std::vector<Entry> verbs, arguments, options;
  std::string usage = "Usage: " + call_name(app);
  for (const CLI::App* verb : app.get_subcommands({}))
    if (!verb->get_group().empty()) verbs.push_back({verb->get_name(), verb->get_description()});
  for (const CLI::Option* option : app.get_options({}))
    if (option->nonpositional() && !option->get_group().empty())
      options.push_back({spelling(*option), option->get_description()});
  if (!verbs.empty()) usage += " VERB";
  if (!options.empty()) usage += " [OPTIONS]";
  for (const CLI::Option* option : app.get_options({})) {
    if (option->nonpositional()) continue;
    usage += " " + placeholder(*option);
    arguments.push_back({placeholder(*option), option->get_description()});
  }
  std::string page;
  wrap_onto(page, app.get_description(), 0, width);
  page += "\n" + usage + "\n";
  list_onto(page, "Verbs", verbs, width);
  list_onto(page, "Arguments", arguments, width);
  list_onto(page, "Options", options, width);
  if (!app.get_footer().empty()) page += "\n" + app.get_footer() + "\n";
  return page;
}

}  // namespace runner
