#include "runner/sweep_claims.h"

#include <algorithm>
#include <map>

#include "lcsm/nearest.h"

namespace runner {
namespace {

using Labels = std::map<std::string, std::vector<std::string>>;  // of each key of a list

// A key that a when sets may have values that stand in no list.
Labels labels_of(const MergedSweep& sweep) {
  Labels labels;
  for (const Axis& axis : sweep.axes)
    for (const std::vector<Assignment>& step : axis.steps)
      for (const Assignment& each : step)
        labels[std::string(kConfigKeys[static_cast<std::size_t>(each.key)].name)].push_back(
            plain_text(*each.value));
  for (const Case& when : sweep.whens)
    for (const Assignment& each : when.set)
      labels.erase(std::string(kConfigKeys[static_cast<std::size_t>(each.key)].name));
  return labels;
}

bool contains(const std::vector<std::string>& labels, const std::string& label) {
  return label.empty() || std::find(labels.begin(), labels.end(), label) != labels.end();
}

std::string wrong_label(const std::string& key, const std::vector<std::string>& labels,
                        const std::string& label) {
  if (contains(labels, label)) return "";
  const std::string hint = lcsm::did_you_mean(label, labels);
  std::string all;
  for (const std::string& each : labels) all += (all.empty() ? "" : ", ") + each;
  return key + " is never " + label + (hint.empty() ? ": here it is " + all : hint);
}

void note_claim(const results::ParsedClaim& claim, Place place, const Labels& labels,
                Mistakes& mistakes) {
  if (const auto list = labels.find(claim.key); list != labels.end()) {
    for (const std::string& label : {claim.left, claim.right})
      if (const std::string wrong = wrong_label(claim.key, list->second, label); !wrong.empty())
        mistakes.note(place, wrong);
    return;
  }
  const bool found = std::any_of(labels.begin(), labels.end(), [&](const auto& list) {
    return contains(list.second, claim.left) && contains(list.second, claim.right);
  });
  if (claim.key.empty() && !found)
    mistakes.note(place, "no list of the sweep has both " + claim.left + " and " + claim.right);
}

}  // namespace

void note_unanswerable(const SweepViews& views, int source, const MergedSweep& sweep,
                       Mistakes& mistakes) {
  const Labels labels = labels_of(sweep);
  for (std::size_t i = 0; i < views.claims.size(); ++i)
    if (views.claim_places[i].source == source)
      note_claim(results::parse_claim(views.claims[i].text), views.claim_places[i], labels,
                 mistakes);
}

}  // namespace runner
