#include "runner/base/cli/help.h"

#include <algorithm>
#include <sstream>
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

// "  COMMAND   what it does": wraps what stands behind the gap, except a comment of a file.
void example_onto(std::string& page, const std::string& line, int width) {
  const std::size_t gap = line.rfind("  ");
  const std::string command = line.substr(0, gap + 2), what = line.substr(gap + 2);
  const int column = display_width(command);
  if (column <= kMargin || column >= width || what.starts_with('#')) {
    page += line + "\n";
    return;
  }
  page += command;
  wrap_onto(page, what, column, width);
}

// Wraps paragraphs, which are not indented; a line such as "Examples:" begins another one.
void footer_onto(std::string& page, const std::string& footer, int width) {
  std::string paragraph;
  const auto end_paragraph = [&] {
    if (!paragraph.empty()) wrap_onto(page, paragraph, 0, width);
    paragraph.clear();
  };
  std::istringstream lines(footer);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line[0] != ' ') {
      if (line.ends_with(':')) end_paragraph();
      paragraph += line + " ";
      continue;
    }
    end_paragraph();
    if (line.empty())
      page += "\n";
    else
      example_onto(page, line, width);
  }
  end_paragraph();
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
  if (verb.footer().empty()) return page;
  page += "\n";
  footer_onto(page, verb.footer(), width);
  return page;
}

}  // namespace runner
