#include "runner/sweeps/language/view_check.h"

#include <algorithm>

#include "lcsm/base/nearest.h"
#include "lcsm/base/words.h"
#include "results/events/metric.h"
#include "results/published/published.h"
#include "results/text/number_text.h"
#include "runner/config/keys/config_keys.h"
#include "runner/config/keys/model_keys.h"
#include "runner/config/keys/task_rows.h"
#include "runner/config/run/run_config.h"
#include "runner/sweeps/language/result_names.h"

namespace runner {
namespace {

bool contains(const std::set<std::string>& labels, const std::string& label) {
  return label.empty() || std::any_of(labels.begin(), labels.end(), [&](const std::string& one) {
           return results::same_value(one, label);
         });
}

std::string suggested(const std::string& label, const std::vector<std::string>& all) {
  return lcsm::did_you_mean(label, all, "; the values are " + lcsm::joined(all));
}

std::string never_label(const std::string& key, const std::set<std::string>& labels,
                        const std::string& label) {
  if (contains(labels, label)) return "";
  return key + " is never " + label + suggested(label, {labels.begin(), labels.end()});
}

// A model may also be named by its label in the sweep's list.
bool has_value(const RunConfig& point, const std::string& key, const std::string& value) {
  if (key == "model.code" && !point.named().empty()) return results::is_among(point.named(), value);
  const Setting& setting = point.at(key_index(key));
  return setting.used && results::is_among(value_text(setting.value), value);
}

bool is_label_of(const RunConfig& point, const std::string& name) {
  return std::ranges::any_of(kConfigKeys, [&](const ConfigKey& key) {
    return has_value(point, std::string(key.name), name);
  });
}

bool reports(const std::string& task, const std::string& metric) {
  const TaskRow& row = *task_row(task);
  return lcsm::has_word(lcsm::words_of(row.reports), metric) ||
         (metric == kBits && row.reader == "text");
}

}  // namespace

ViewCheck::ViewCheck(const SweepFile& sweep) : views_(sweep.views) {
  for (const auto& table : views_.tables) {
    Checked view{table.place, table.values, table.where, table.rows, table.baseline};
    view.metrics.insert(view.metrics.end(), {table.by, table.sort});
    view.relative = table.relative;
    add(std::move(view));
  }
  for (const auto& figure : views_.figures)
    add({figure.place, {figure.x, figure.y, figure.by}, figure.where, {}, ""});
  for (const auto& claim : views_.claims)
    add({claim.place, {results::parse_claim(claim.text).metric, claim.by}, claim.where, {}, ""});
  add_names(sweep);
}

// Another scale may have the value, and the paper may print a row that the sweep lacks.
void ViewCheck::add_names(const SweepFile& sweep) {
  std::set<std::string> elsewhere = {sweep.name};
  const auto take = [&](const std::vector<Assignment>& assignments) {
    for (const Assignment& each : assignments)
      if (each.value) elsewhere.insert(value_text(*each.value));
  };
  for (const auto& [scale, layers] : sweep.scales)
    for (const Layer& layer : layers) {
      take(layer.base);
      for (const Axis& axis : layer.axes) std::ranges::for_each(axis.steps, take);
      for (const Case& when : layer.whens) take(when.set);
    }
  for (const results::PublishedValue& each : results::published_values())
    if (each.paper + "/" + each.table == sweep.paper) elsewhere.insert(each.row);
  for (const auto& [name, place] : views_.name_places)
    if (place.source == views_.source && is_only_of_points(name) && !contains(elsewhere, name))
      unseen_[name] = place;
}

void ViewCheck::add(Checked view) {
  if (view.place.source == views_.source) own_.push_back(std::move(view));
}

void ViewCheck::see(const RunConfig& point, const std::vector<Axis>& axes) {
  tasks_.insert(std::string(point.task().name));
  std::erase_if(unseen_, [&](const auto& name) { return is_label_of(point, name.first); });
  if (!views_.claims.empty() || !unseen_.empty())
    for (const Axis& axis : axes)
      for (const int key : axis.keys)
        if (const Setting& setting = point.at(key);
            setting.used || key == index_of("model.code"_key))
          labels_[key_name(key)].insert(
              key == index_of("model.code"_key) ? point.named() : value_text(setting.value));
  for (Checked& view : own_) {
    view.any = view.any || std::all_of(view.where.begin(), view.where.end(), [&](const auto& each) {
                 return has_value(point, each.key, each.value);
               });
    const auto has = [&](const std::string& row) {
      return std::any_of(view.rows.begin(), view.rows.end(),
                         [&](const std::string& key) { return has_value(point, key, row); });
    };
    view.has_baseline = view.has_baseline || has(view.baseline);
    view.has_relative = view.has_relative || has(view.relative);
  }
}

void ViewCheck::note_view(const Checked& view, Mistakes& mistakes) const {
  for (const std::string& value : view.metrics) {
    const std::string metric = value.substr(0, value.find('@'));
    const std::string name = metric.substr(metric.find('.') + 1);
    const auto reported = [&](const std::string& task) { return reports(task, name); };
    if (!results::is_of_a_split(metric) || std::any_of(tasks_.begin(), tasks_.end(), reported))
      continue;
    std::string all;
    for (const std::string& task : tasks_)
      all += "; " + task + " reports " + std::string(task_row(task)->reports);
    mistakes.note(view.place, "no run of this sweep reports '" + metric + "'" + all);
  }
  if (!view.any) {
    std::string all;
    for (const results::Condition& one : view.where)
      all += (all.empty() ? "" : " and ") + one.key + " = " + one.value;
    mistakes.note(view.place, "no point of this sweep has " + all);
  }
  if (!view.baseline.empty() && !view.rows.empty() && !view.has_baseline)
    mistakes.note(view.place, "baseline: no point of this sweep is '" + view.baseline + "'");
  if (!view.relative.empty() && !view.rows.empty() && !view.has_relative)
    mistakes.note(view.place, "relative: no point of this sweep is '" + view.relative + "'");
}

void ViewCheck::note_claim(const results::ParsedClaim& claim, Place place,
                           Mistakes& mistakes) const {
  if (const auto list = labels_.find(claim.key); list != labels_.end()) {
    for (const std::string& label : {claim.left, claim.right})
      if (const std::string wrong = never_label(claim.key, list->second, label); !wrong.empty())
        mistakes.note(place, wrong);
    return;
  }
  if (!claim.key.empty()) return;
  const auto in_a_list = [&](const auto& fits) {
    return std::any_of(labels_.begin(), labels_.end(),
                       [&](const auto& list) { return fits(list.second); });
  };
  bool each = true;
  for (const std::string& label : {claim.left, claim.right}) {
    if (label.empty() || in_a_list([&](auto& labels) { return contains(labels, label); })) continue;
    std::vector<std::string> all;
    for (const auto& [key, labels] : labels_) all.insert(all.end(), labels.begin(), labels.end());
    mistakes.note(place, "no list of the sweep has " + label + suggested(label, all));
    each = false;
  }
  if (each && !in_a_list([&](const auto& labels) {
        return contains(labels, claim.left) && contains(labels, claim.right);
      }))
    mistakes.note(place, "no list of the sweep has both " + claim.left + " and " + claim.right);
}

void ViewCheck::note_names(Mistakes& mistakes) const {
  std::vector<std::string> all;
  for (const auto& [key, labels] : labels_) all.insert(all.end(), labels.begin(), labels.end());
  for (const auto& [name, place] : unseen_)
    mistakes.note(place, "no point of this sweep has the value '" + name + "'" +
                             (all.empty() ? "" : suggested(name, all)));
}

void ViewCheck::note_unanswerable(Mistakes& mistakes) const {
  for (const Checked& view : own_) note_view(view, mistakes);
  note_names(mistakes);
  for (const auto& claim : views_.claims)
    if (claim.place.source == views_.source)
      note_claim(results::parse_claim(claim.text, views_.names), claim.place, mistakes);
}

}  // namespace runner
