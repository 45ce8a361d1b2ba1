#include "runner/sweeps/language/layer.h"

#include <toml++/toml.h>

#include <algorithm>

#include "lcsm/base/words.h"
#include "results/text/number_text.h"
#include "runner/config/keys/config_keys.h"
#include "runner/config/toml/config_toml.h"
#include "runner/sweeps/language/values.h"

namespace runner {
namespace {

bool by_place(const Axis& a, const Axis& b) { return a.place < b.place; }

class LayerReader {
 public:
  LayerReader(int source, const lcsm::Catalogue& catalogue, Mistakes& mistakes)
      : source_(source), catalogue_(catalogue), mistakes_(mistakes) {}

  Layer read(const toml::table& table) {
    if (const toml::table* base = section(table, "base")) read_base(*base);
    if (const toml::table* grid = section(table, "grid")) read_grid(*grid);
    for (const toml::table* zip : sections(table, "zip")) read_zip(*zip);
    for (const toml::table* when : sections(table, "when"))
      layer_.whens.push_back(read_case(*when, true, source_, catalogue_, mistakes_));
    for (const toml::table* exclude : sections(table, "exclude"))
      layer_.excludes.push_back(read_case(*exclude, false, source_, catalogue_, mistakes_));
    std::stable_sort(layer_.axes.begin(), layer_.axes.end(), by_place);
    check_duplicates();
    return std::move(layer_);
  }

  Layer read_lists(const toml::table& table) {
    read_grid(table);
    return std::move(layer_);
  }

 private:
  void note(const toml::source_region& where, const std::string& what) {
    mistakes_.note(place_of(source_, where), what);
  }

  const toml::table* section(const toml::table& table, const char* name) {
    const toml::node* node = table.get(name);
    if (node != nullptr && !node->is_table())
      note(node->source(), std::string("'") + name + "' must be a table: write [" + name + "]");
    return node != nullptr ? node->as_table() : nullptr;
  }

  std::vector<const toml::table*> sections(const toml::table& table, const char* name) {
    std::vector<const toml::table*> found;
    const toml::node* node = table.get(name);
    if (node == nullptr) return found;
    const toml::array* list = node->as_array();
    const std::string advice =
        std::string("'") + name + "' must be a list of tables: write [[" + name + "]]";
    if (list == nullptr) note(node->source(), advice);
    if (list != nullptr)
      for (const toml::node& each : *list)
        each.is_table() ? found.push_back(each.as_table()) : note(each.source(), advice);
    return found;
  }

  void read_base(const toml::table& table) {
    walk_keys(table, source_, mistakes_, [&](int key, const toml::key&, const toml::node& node) {
      if (node.is_array())
        return note(node.source(), key_name(key) +
                                       ": expected one value in [base], got a list; "
                                       "lists go in [grid] or [[zip]]");
      layer_.base.push_back(assignment_of(key, node, source_, mistakes_));
    });
  }

  void read_grid(const toml::table& table) {
    walk_keys(table, source_, mistakes_, [&](int key, const toml::key& name, const auto& node) {
      Axis axis{place_of(source_, name.source()), {key}, {}};
      for (Assignment& each : read_values(key, node, source_, catalogue_, mistakes_))
        axis.steps.push_back({std::move(each)});
      layer_.axes.push_back(std::move(axis));
    });
  }

  void read_zip(const toml::table& table) {
    struct Column {
      Place place;
      int key;
      std::vector<Assignment> values;
    };
    std::vector<Column> columns;
    walk_keys(table, source_, mistakes_, [&](int key, const toml::key& name, const auto& node) {
      columns.push_back({place_of(source_, name.source()), key, read_column(key, node)});
    });
    if (columns.empty())
      return note(table.source(), "a [[zip]] needs lists, such as seed = [1, 2]");
    std::sort(columns.begin(), columns.end(),
              [](const Column& a, const Column& b) { return a.place < b.place; });
    const Column& first = columns.front();
    Axis axis{first.place, {}, std::vector<std::vector<Assignment>>(first.values.size())};
    for (const Column& column : columns) {
      axis.keys.push_back(column.key);
      const std::size_t n = column.values.size();
      if (n != first.values.size() && n > 0 && !first.values.empty())
        mistakes_.note(column.place,
                       "the lists of a [[zip]] must have the same length: " + key_name(first.key) +
                           " has " + std::to_string(first.values.size()) + " values, " +
                           key_name(column.key) + " has " + std::to_string(n));
      for (std::size_t i = 0; i < std::min(n, first.values.size()); ++i)
        axis.steps[i].push_back(column.values[i]);
    }
    layer_.axes.push_back(std::move(axis));
  }

  // Values may repeat in a list of a [[zip]]: the other lists tell the points apart.
  std::vector<Assignment> read_column(int key, const toml::node& node) {
    const toml::array* list = node.as_array();
    const bool plain =
        list != nullptr && !list->empty() && list->size() <= static_cast<std::size_t>(kMostValues);
    if (!plain) return read_values(key, node, source_, catalogue_, mistakes_);
    std::vector<Assignment> values;
    for (const toml::node& each : *list) {
      Assignment value = assignment_of(key, each, source_, mistakes_);
      const bool code = names_models(key_row(key).kind);
      if (!value.value || !code || std::get<std::string>(*value.value).empty()) {
        values.push_back(std::move(value));
        continue;
      }
      for (const std::string& spelling : models_named_by(value, catalogue_, mistakes_)) {
        values.push_back(value);
        values.back().value = spelling;
      }
    }
    return values;
  }

  // ----- Each key is set in one place -----

  void check_duplicates() {
    std::vector<std::pair<Place, int>> places;
    std::vector<std::string> sections;
    const auto check = [&](int key, Place place, const char* section) {
      for (std::size_t i = 0; i < places.size(); ++i)
        if (places[i].second == key)
          return mistakes_.note(
              std::max(place, places[i].first),
              key_name(key) + " is set in " + sections[i] + " and in " + section + ": remove one");
      places.emplace_back(place, key);
      sections.emplace_back(section);
    };
    for (const Assignment& each : layer_.base) check(each.key, each.place, "[base]");
    for (const Axis& axis : layer_.axes)
      for (std::size_t i = 0; i < axis.keys.size(); ++i)
        check(axis.keys[i],
              axis.steps.empty() || i >= axis.steps[0].size() ? axis.place : axis.steps[0][i].place,
              axis.keys.size() > 1 ? "[[zip]]" : "[grid]");
    check_sets();
  }

  void check_sets() {
    for (const Case& when : layer_.whens)
      for (const Assignment& set : when.set) {
        for (const Condition& condition : when.match)
          if (condition.key == set.key)
            mistakes_.note(set.place,
                           key_name(set.key) + " is both matched and set by this [[when]]");
        for (const Axis& axis : layer_.axes)
          if (std::find(axis.keys.begin(), axis.keys.end(), set.key) != axis.keys.end())
            mistakes_.note(set.place, key_name(set.key) +
                                          " varies over a list: drop unwanted points with "
                                          "[[exclude]] instead of setting it");
      }
  }

  int source_;
  const lcsm::Catalogue& catalogue_;
  Mistakes& mistakes_;
  Layer layer_;
};

// Reads model.code=[1-3-1-2@k=8, ssm] as model.code=["1-3-1-2@k=8", "ssm"], for keys whose values
// are text.
std::string with_quotes(const std::string& word) {
  const std::size_t open = word.find('[');
  const int key = key_index(word.substr(0, word.find('=')));
  if (key < 0 || open == std::string::npos || !word.ends_with(']')) return word;
  const Kind kind = key_row(key).kind;
  if (kind == Kind::kInteger || kind == Kind::kReal) return word;
  std::vector<std::string> quoted;
  for (const std::string_view value : results::listed_values(std::string_view(word).substr(open)))
    if (value.find_first_of("'\"\\") == value.npos)
      quoted.push_back('"' + std::string(value) + '"');
    else
      return word;
  return word.substr(0, open) + "[" + lcsm::joined(quoted) + "]";
}

}  // namespace

Layer read_layer(const toml::table& table, int source, const lcsm::Catalogue& catalogue,
                 Mistakes& mistakes) {
  return LayerReader(source, catalogue, mistakes).read(table);
}

bool is_list_setting(const std::string& word) {
  const std::size_t equals = word.find('=');
  return equals != std::string::npos && equals + 1 < word.size() &&
         (word[equals + 1] == '[' || word[equals + 1] == '{');
}

Layer read_list_setting(const std::string& word, const lcsm::Catalogue& catalogue,
                        Mistakes& mistakes) {
  const std::string text = with_quotes(word);
  const int source = mistakes.add_source(kSetOption, text);
  try {
    return LayerReader(source, catalogue, mistakes).read_lists(parse_toml(text, ""));
  } catch (const toml::parse_error& error) {
    mistakes.note(place_of(source, error.source()), std::string(error.description()));
    return {};
  }
}

}  // namespace runner
