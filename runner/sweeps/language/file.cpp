#include "runner/sweeps/language/file.h"

#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <set>

#include "lcsm/base/nearest.h"
#include "lcsm/base/words.h"
#include "results/events/run_folder.h"
#include "results/published/published.h"
#include "runner/config/keys/config_keys.h"
#include "runner/config/run/run_config.h"
#include "runner/config/toml/config_toml.h"
#include "runner/sweeps/language/result_names.h"

namespace runner {
namespace {

constexpr std::array kTexts = {"title", "question", "paper"};
constexpr std::array kBlocks = {"table", "figure", "claim"};
constexpr std::size_t kDeepest = 16;  // length of a chain of `extends`

std::vector<std::string> section_names() {
  std::vector<std::string> names(kTexts.begin(), kTexts.end());
  for (std::string& section : lcsm::words_of(kLayerSections)) names.push_back(std::move(section));
  names.insert(names.end(), {"extends", "scale", "oscillation", "names"});
  names.insert(names.end(), kBlocks.begin(), kBlocks.end());
  return names;
}

bool is_one_of(const auto& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_figure(std::string_view table) {
  return table.starts_with("figure") && table.size() > 6 &&
         table.find_first_not_of("0123456789") == 0 &&
         table.find_first_not_of("0123456789", 6) == std::string_view::npos;
}

// The error for a wrong name such as "lcsm/table4-o-types"; "" if it is valid. Figures have no
// published numbers, so only their paper is checked.
std::string wrong_paper(const std::string& paper) {
  const std::size_t slash = paper.find('/');
  std::vector<std::string> tables;
  for (const results::PublishedValue& each : results::published_values()) {
    const std::string name = each.paper + "/" + each.table;
    if (name == paper) return "";
    if (slash != std::string::npos && each.paper == paper.substr(0, slash) &&
        is_figure(paper.substr(slash + 1)))
      return "";
    if (tables.empty() || tables.back() != name) tables.push_back(name);
  }
  const std::string hint = lcsm::did_you_mean(paper, tables);
  return "paper: expected a table of published numbers such as " + tables.front() +
         ", or PAPER/figureN, got '" + paper + "'" + hint;
}

// One file: its text, its TOML, and its index among the sources of Mistakes.
struct Loaded {
  SweepText text;
  toml::table root;
  int source = -1;
};

class SweepReader {
 public:
  SweepReader(const FindSweep& find, void (*complain)(const std::string&))
      : find_(find), complain_(complain) {}

  SweepFile read(const SweepText& text) {
    load(text);
    sweep_.name = sweep_.views.sweep = text.name;
    sweep_.path = text.path;
    sweep_.views.source = files_.back().source;
    ConfigTree custom;
    for (const Loaded& file : files_)
      if (file.root.contains("oscillation"))
        read_custom_oscillations(file.text.text, file.text.path, file.source, custom, mistakes());
    sweep_.catalogue = catalogue_with(custom, mistakes(), mistakes().any() ? quiet : complain_);
    for (const Loaded& file : files_) read_file(file);
    drop_consequences_of_broken();
    mistakes().raise();
    sweep_.views.title = sweep_.title;
    sweep_.views.question = sweep_.question;
    sweep_.views.paper = sweep_.paper;
    return std::move(sweep_);
  }

 private:
  static void quiet(const std::string&) {}

  void drop_consequences_of_broken() {
    std::set<std::string> broken;
    for (const Loaded& file : files_)
      if (const toml::table* custom = file.root["oscillation"].as_table())
        for (const auto& [name, node] : *custom)
          if (sweep_.catalogue->find(name.str()) == nullptr) broken.insert(std::string(name.str()));
    drop_consequences(broken, mistakes());
  }

  Mistakes& mistakes() { return sweep_.mistakes; }
  void note(const Loaded& file, const toml::source_region& where, const std::string& what) {
    mistakes().note(place_of(file.source, where), what);
  }

  // Loads the extended files first: later sources win, and mistakes are reported in this order.
  void load(const SweepText& text) {
    Loaded file{text, {}, -1};
    std::string broken;
    toml::source_region where;
    open_.push_back(text.path);
    try {
      file.root = parse_toml(text.text, text.path);
      if (const toml::node* parent = file.root.get("extends")) {
        where = parent->source();
        broken = load_parent(*parent, text.path);
      }
    } catch (const toml::parse_error& error) {
      where = error.source();
      broken = error.description();
    }
    open_.pop_back();
    file.source = mistakes().add_source(text.path, text.text);
    if (!broken.empty()) note(file, where, broken);
    files_.push_back(std::move(file));
  }

  std::string load_parent(const toml::node& node, const std::string& from) {
    const auto name = node.value_exact<std::string>();
    if (!name) return "extends: expected the name of a sweep, or a file, in quotes";
    try {
      const SweepText parent = find_(*name, from);
      if (is_one_of(open_, parent.path)) return "extends: " + parent.path + " extends itself";
      if (open_.size() >= kDeepest) return "extends: more than 16 files extend each other";
      load(parent);
    } catch (const std::runtime_error& error) {
      return "extends: " + std::string(error.what());
    }
    return "";
  }

  // A file with its own title drops the inherited question.
  void read_file(const Loaded& file) {
    if (file.root.contains("title")) sweep_.question.clear();
    for (const auto& [key, node] : file.root) read_section(file, key, node);
    sweep_.files.push_back(read_layer(file.root, file.source, *sweep_.catalogue, mistakes()));
    sweep_.files.back().name = file.text.path;
  }

  void read_section(const Loaded& file, const toml::key& key, const toml::node& node) {
    const std::string name(key.str());
    if (is_one_of(kTexts, name)) return read_text(file, name, node);
    if (is_one_of(kBlocks, name)) return read_blocks(file, name, node);
    if (name == "scale") return read_scales(file, node);
    if (name == "names") return read_names(file, "", node);
    const std::vector<std::string> known = section_names();
    if (is_one_of(known, name)) return;
    std::string hint = lcsm::did_you_mean(name, known, "; expected one of " + lcsm::joined(known));
    const auto of_a_run = [&](const ConfigKey& row) {
      return row.name.substr(0, row.name.find('.')) == name;
    };
    if (std::any_of(kConfigKeys.begin(), kConfigKeys.end(), of_a_run))
      hint = "; keys of a run go in [base]: write base." + name;
    note(file, key.source(), "unknown key '" + name + "'" + hint);
  }

  void read_text(const Loaded& file, const std::string& name, const toml::node& node) {
    const auto text = node.value_exact<std::string>();
    if (!text) return note(file, node.source(), name + ": expected a string in quotes");
    if (name == "title") sweep_.title = *text;
    if (name == "question") sweep_.question = *text;
    if (name != "paper") return;
    sweep_.paper = *text;
    if (const std::string wrong = wrong_paper(*text); !wrong.empty())
      note(file, node.source(), wrong);
  }

  // Blocks of a kind replace all inherited blocks of that kind.
  void read_blocks(const Loaded& file, const std::string& kind, const toml::node& node) {
    const std::string advice = "'" + kind + "' must be a list of tables: write [[" + kind + "]]";
    const toml::array* list = node.as_array();
    if (list == nullptr) return note(file, node.source(), advice);
    clear_views(kind, &sweep_.views);
    for (const toml::node& each : *list) {
      if (!each.is_table())
        note(file, each.source(), advice);
      else
        read_view(kind, *each.as_table(), file.source, mistakes(), &sweep_.views);
    }
  }

  // Reads the labels that tables and figures use for a value, a parameter or a metric: "1-9-1-0" =
  // "GLA".
  void read_names(const Loaded& file, const std::string& prefix, const toml::node& node) {
    const toml::table* table = node.as_table();
    if (table == nullptr)
      return note(file, node.source(), "'names' must be a table: write [names]");
    for (const auto& [key, value] : *table) {
      const std::string name = prefix + std::string(key.str());
      if (value.is_table())
        read_names(file, name + ".", value);
      else if (const std::string wrong = wrong_named(name); !wrong.empty())
        note(file, key.source(), wrong);
      else if (const auto text = value.value_exact<std::string>(); !text || text->empty())
        note(file, value.source(), "expected a name in quotes for '" + name + "'");
      else
        add_name(name, *text, place_of(file.source, key.source()));
    }
  }

  void add_name(const std::string& name, const std::string& shown, Place place) {
    sweep_.views.names[name] = shown;
    sweep_.views.name_places[name] = place;
  }

  void read_scales(const Loaded& file, const toml::node& node) {
    const toml::table* scales = node.as_table();
    if (scales == nullptr)
      return note(file, node.source(), "'scale' must hold tables: write [scale.NAME]");
    for (const auto& [name, scale] : *scales) read_scale(file, name, scale);
  }

  void read_scale(const Loaded& file, const toml::key& key, const toml::node& node) {
    const std::string name(key.str());
    const toml::table* table = node.as_table();
    if (table == nullptr)
      return note(file, key.source(), "a scale must be a table: write [scale." + name + "]");
    if (name == kPaperScale)
      return note(file, key.source(),
                  "'paper' is the scale of the sweep itself: choose another name");
    if (!results::is_sweep_name(name))
      note(file, key.source(),
           "the name of a scale must be " + std::string(results::kSweepNameRule));
    const std::vector<std::string> sections = lcsm::words_of(kLayerSections);
    for (const auto& [section, value] : *table) {
      if (is_one_of(sections, section.str())) continue;
      note(file, section.source(),
           "unknown key '" + std::string(section.str()) + "' in a scale" +
               lcsm::did_you_mean(section.str(), sections,
                                  "; expected one of base, grid, zip, when, exclude"));
    }
    Layer layer = read_layer(*table, file.source, *sweep_.catalogue, mistakes());
    layer.name = file.text.path + " [scale." + name + "]";
    sweep_.scales[name].push_back(std::move(layer));
  }

  const FindSweep& find_;
  void (*complain_)(const std::string&);
  SweepFile sweep_;
  std::vector<Loaded> files_;      // extended files first
  std::vector<std::string> open_;  // paths of the files being loaded, to find cycles
};

}  // namespace

std::vector<std::string> SweepFile::scale_names() const {
  std::vector<std::string> names = {std::string(kPaperScale)};
  for (const auto& [scale, layers] : scales) names.push_back(scale);
  return names;
}

SweepFile read_sweep(const SweepText& text, const FindSweep& find,
                     void (*complain)(const std::string&)) {
  return SweepReader(find, complain).read(text);
}

}  // namespace runner
