#include "runner/sweeps/language/points.h"

#include <map>
#include <set>
#include <unordered_map>

#include "lcsm/base/nearest.h"
#include "lcsm/base/words.h"
#include "lcsm/code/code.h"
#include "runner/config/keys/config_keys.h"
#include "runner/config/keys/model_keys.h"
#include "runner/config/keys/task_keys.h"
#include "runner/config/keys/task_rows.h"
#include "runner/config/run/recipe_use.h"
#include "runner/config/run/run_id.h"
#include "runner/data/own/own_data.h"
#include "runner/data/tasks/data_search.h"
#include "runner/sweeps/language/hits.h"
#include "runner/sweeps/language/view_check.h"

namespace runner {
namespace {

constexpr std::size_t kMostNoted = 20;  // different mistakes in points

// A mistake that many points share, reported once.
struct PointMistake {
  std::size_t points = 0;
  std::vector<std::uint32_t> first;
};

class Expander {
 public:
  Expander(const SweepFile& sweep, const SweepRequest& request, const VisitPoint& visit)
      : sweep_(sweep),
        mistakes_(sweep.mistakes),
        visit_(visit),
        pins_(request.workspace),
        strict_(request.settings.empty()),
        unmodified_(strict_ && request.scale == kPaperScale),
        view_check_(sweep) {
    merge(request);
  }

  Expansion run() {
    mistakes_.raise();
    count_points();
    for (std::size_t i = 0; i < merged_.whens.size(); ++i)
      whens_.emplace_back(merged_.whens[i], "[[when]]");
    for (std::size_t i = 0; i < merged_.excludes.size(); ++i)
      excludes_.emplace_back(merged_.excludes[i], "[[exclude]]");
    std::vector<std::uint32_t> steps(merged_.axes.size(), 0);
    for (std::size_t i = 0; i < result_.crossed; ++i, advance(steps)) take(steps);
    note_point_mistakes();
    if (!missing_.empty() && !mistakes_.any())
      throw DataMissing(lcsm::joined({missing_.begin(), missing_.end()}, "\n"), makes_);
    check_use();
    mistakes_.raise();
    count_same();
    result_.axes = std::move(merged_.axes);
    return std::move(result_);
  }

 private:
  void merge(const SweepRequest& request) {
    std::vector<const Layer*> layers;
    for (const Layer& layer : sweep_.files) layers.push_back(&layer);
    if (request.scale != kPaperScale) {
      const auto found = sweep_.scales.find(request.scale);
      if (found == sweep_.scales.end()) throw std::invalid_argument(no_scale(request.scale));
      for (const Layer& layer : found->second) layers.push_back(&layer);
    }
    for (const std::string& word : request.settings) settings_.push_back(layer_of(word));
    for (const Layer& layer : settings_) layers.push_back(&layer);
    merged_ = merge_layers(layers);
  }

  Layer layer_of(const std::string& setting) {
    if (is_list_setting(setting)) return read_list_setting(setting, *sweep_.catalogue, mistakes_);
    ConfigTree tree;
    read_setting(setting, tree, mistakes_);
    Layer layer;
    layer.base = std::move(tree.assignments);
    return layer;
  }

  std::string no_scale(const std::string& scale) const {
    const std::vector<std::string> names = sweep_.scale_names();
    return sweep_.name + " has no scale '" + scale + "'; it has " + lcsm::joined(names) +
           lcsm::did_you_mean(scale, names);
  }

  void count_points() {
    std::size_t count = 1;
    for (const Axis& axis : merged_.axes) {
      if (axis.steps.empty()) continue;
      if (count > kMostPoints / axis.steps.size()) {
        mistakes_.note(axis.place, "the lists span more than " + std::to_string(kMostPoints) +
                                       " points here: shorten one, or split the sweep");
        mistakes_.raise();
      }
      count *= axis.steps.size();
    }
    result_.crossed = count;
  }

  // The last axis varies fastest.
  void advance(std::vector<std::uint32_t>& steps) const {
    for (std::size_t i = steps.size(); i-- > 0;) {
      if (++steps[i] < merged_.axes[i].steps.size()) return;
      steps[i] = 0;
    }
  }

  void take(const std::vector<std::uint32_t>& steps) {
    current_.assign(kConfigKeys.size(), nullptr);
    for (const Assignment& each : merged_.base) put(each);
    for (std::size_t i = 0; i < steps.size(); ++i)
      for (const Assignment& each : merged_.axes[i].steps[steps[i]]) put(each);
    const ValueOf value_of = [this](int key) { return value(key); };
    for (std::size_t i = 0; i < whens_.size(); ++i)
      if (whens_[i].matches(value_of))
        for (const Assignment& each : merged_.whens[i].set) put(each);
    bool excluded = false;
    for (CaseHits& exclude : excludes_) excluded = exclude.matches(value_of) || excluded;
    if (excluded)
      ++result_.excluded;
    else
      resolve_point(steps);
  }

  void put(const Assignment& each) { current_[static_cast<std::size_t>(each.key)] = &each; }

  // The value of a key, set by the sweep, by the sizes in a code, by a recipe, or by default.
  const Value* value(int key) {
    const Assignment* set = current_[static_cast<std::size_t>(key)];
    if (set != nullptr) return &*set->value;
    if (const Value* size = size_of_code(key)) return size;
    const std::string task = text_at(index_of("task.name"_key));
    const Value* by_recipe = recipe_value(key, text_at(index_of("recipe"_key)), task);
    if (by_recipe != nullptr) return by_recipe;
    const auto& usual = usual_value(key, task_row(task));
    return usual ? &*usual : nullptr;
  }

  std::string text_at(int key) const {
    const Assignment* set = current_[static_cast<std::size_t>(key)];
    return set == nullptr ? "" : std::get<std::string>(*set->value);
  }

  const Value* size_of_code(int key) {
    const bool k = key == index_of("model.k"_key);
    const Assignment* code = current_[static_cast<std::size_t>(index_of("model.code"_key))];
    if ((!k && key != index_of("model.d"_key)) || code == nullptr) return nullptr;
    const std::string& text = std::get<std::string>(*code->value);
    if (text.find('@') == std::string::npos) return nullptr;
    auto [found, added] = sizes_.try_emplace(text);
    if (added) {
      try {
        const lcsm::Code parsed = lcsm::parse_code(text, *sweep_.catalogue);
        if (parsed.k) found->second.first = Value(std::int64_t{*parsed.k});
        if (parsed.d) found->second.second = Value(std::int64_t{*parsed.d});
      } catch (const lcsm::CodeError&) {
        // reported when the point is resolved
      }
    }
    const std::optional<Value>& size = k ? found->second.first : found->second.second;
    return size ? &*size : nullptr;
  }

  void resolve_point(const std::vector<std::uint32_t>& steps) {
    std::vector<Assignment> assignments;
    for (const Assignment* each : current_)
      if (each != nullptr) assignments.push_back(*each);
    std::optional<RunConfig> config = resolve(assignments, sweep_.catalogue, mistakes_);
    for (const Mistake& mistake : mistakes_.take()) {
      PointMistake& known = wrong_[{mistake.place, mistake.what}];
      if (known.points++ == 0) known.first = steps;
    }
    if (config) add(std::move(*config), steps);
  }

  void add(RunConfig config, const std::vector<std::uint32_t>& steps) {
    try {
      pins_.pin(config);
    } catch (const DataMissing& error) {
      missing_.insert(error.what());
      makes_.insert(error.makes.begin(), error.makes.end());
      return;
    }
    Point point{run_id(config), steps};
    const auto [known, added] = numbers_.try_emplace(point.id, result_.points.size());
    runs_.emplace_back(steps, known->second);
    for (const std::string& note : config.notes()) ++notes_[note];
    if (!added) return;
    note_unused(config);
    if (unmodified_) view_check_.see(config, merged_.axes);
    visit_(point, config);
    result_.points.push_back(std::move(point));
  }

  void note_unused(const RunConfig& config) {
    for (const Axis& axis : merged_.axes)
      if (const int key = axis.keys[0]; !config.at(key).used && !unused_.contains(key))
        unused_[key] = why_unused(config, key);
  }

  // ----- Mistakes -----

  void note_point_mistakes() {
    std::size_t noted = 0;
    for (const auto& [what, where] : wrong_) {
      if (++noted > kMostNoted) continue;
      const std::size_t all = result_.crossed - result_.excluded;
      const std::string some = " (" + std::to_string(where.points) + " of " + std::to_string(all) +
                               " points, first at " + describe_point(merged_.axes, where.first) +
                               ")";
      const std::string who = what.first.source < 0 ? sweep_.path + ": " : "";
      mistakes_.note(what.first, who + what.second + (where.points == all ? "" : some));
    }
    if (noted > kMostNoted)
      mistakes_.note(
          {}, sweep_.path + ": " + std::to_string(noted - kMostNoted) + " more mistakes in points");
  }

  void check_use() {
    if (result_.crossed == result_.excluded && !excludes_.empty())
      mistakes_.note(merged_.excludes.back().place, "every point is excluded");
    if (!strict_) return;
    for (std::size_t i = whens_.size() - merged_.top_whens; i < whens_.size(); ++i)
      whens_[i].note_unused(mistakes_);
    for (std::size_t i = excludes_.size() - merged_.top_excludes; i < excludes_.size(); ++i)
      excludes_[i].note_unused(mistakes_);
    if (unmodified_ && wrong_.empty()) view_check_.note_unanswerable(mistakes_);
    if (mistakes_.any()) return;
    for (std::size_t i = 0; i < merged_.axes.size(); ++i)
      if (const std::string why = without_effect(i); !why.empty())
        mistakes_.note(merged_.axes[i].place, why);
  }

  // Why all points that differ only on this axis are one run; "" if they are not.
  std::string without_effect(std::size_t axis) const {
    std::map<std::vector<std::uint32_t>, std::size_t> others;
    bool compared = false;
    for (const auto& [steps, run] : runs_) {
      std::vector<std::uint32_t> rest = steps;
      rest[axis] = 0;
      const auto [other, added] = others.try_emplace(std::move(rest), run);
      if (!added && other->second != run) return "";
      compared = compared || !added;
    }
    if (!compared) return "";
    const std::string keys =
        lcsm::joined_of(merged_.axes[axis].keys, [](int key) { return key_name(key); });
    const auto why = unused_.find(merged_.axes[axis].keys[0]);
    return keys + " makes no difference: every value gives the same run" +
           (why == unused_.end() ? "" : "; " + why->second);
  }

  void count_same() {
    const std::size_t same = runs_.size() - result_.points.size();
    if (same > 0)
      result_.notes.push_back(std::to_string(same) + " of " + std::to_string(runs_.size()) +
                              " points give the same run as another point");
    if (!strict_)
      for (std::size_t i = 0; i < merged_.axes.size(); ++i)
        if (std::string why = without_effect(i); !why.empty()) {
          result_.notes.push_back(std::move(why));
          merged_.axes[i].keys.clear();  // its values would describe no point
          for (std::vector<Assignment>& step : merged_.axes[i].steps) step.clear();
        }
    for (const auto& [note, points] : notes_)
      if (points == runs_.size()) result_.notes.push_back(note);
  }

  const SweepFile& sweep_;
  Mistakes mistakes_;
  const VisitPoint& visit_;
  DataPins pins_;
  bool strict_;      // no --set, which may leave a condition without a matching point
  bool unmodified_;  // nor a scale, which may lack points that a view needs
  ViewCheck view_check_;
  std::vector<Layer> settings_;  // one for each --set
  MergedSweep merged_;
  std::vector<CaseHits> whens_, excludes_;
  std::vector<const Assignment*> current_;  // parallel to kConfigKeys
  std::unordered_map<std::string, std::pair<std::optional<Value>, std::optional<Value>>> sizes_;
  std::unordered_map<std::string, std::size_t> numbers_;  // index of the point, by run id
  std::set<std::string> makes_;                           // commands that generate missing data
  std::set<std::string> missing_;                         // advice about missing data
  std::vector<std::pair<std::vector<std::uint32_t>, std::size_t>> runs_;  // by steps
  std::map<std::pair<Place, std::string>, PointMistake> wrong_;
  std::map<std::string, std::size_t> notes_;
  std::map<int, std::string> unused_;  // reason, by the first key of an axis
  Expansion result_;
};

}  // namespace

Expansion expand(const SweepFile& sweep, const SweepRequest& request, const VisitPoint& visit) {
  return Expander(sweep, request, visit).run();
}

std::string describe_point(const std::vector<Axis>& axes, const std::vector<std::uint32_t>& steps) {
  std::string text;
  for (std::size_t i = 0; i < axes.size(); ++i)
    for (const Assignment& each : axes[i].steps[steps[i]])
      text += (text.empty() ? "" : ", ") + key_name(each.key) + " = " + value_text(*each.value);
  return text.empty() ? "the only point" : text;
}

}  // namespace runner
