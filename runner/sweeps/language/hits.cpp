#include "runner/sweeps/language/hits.h"

#include "runner/config/keys/config_keys.h"

namespace runner {
namespace {

constexpr std::size_t kSeen = 6;

std::string list_of(const std::set<std::string>& seen) {
  std::string list;
  std::size_t left = kSeen;
  for (const std::string& each : seen) {
    list += list.empty() ? "" : ", ";
    if (left-- == 0) return list + "...";
    list += each;
  }
  return list;
}

std::string values_of(const std::set<std::string>& seen) {
  if (seen.empty()) return "it has no value";
  return (seen.size() == 1 ? "it is always " : "its values are ") + list_of(seen);
}

}  // namespace

CaseHits::CaseHits(const Case& which, const char* name) : case_(&which), name_(name) {
  for (const Condition& condition : which.match)
    hits_.push_back({0, std::vector<std::size_t>(condition.values.size()), {}});
}

bool CaseHits::matches(const ValueOf& value_of) {
  bool all = !case_->match.empty();
  for (std::size_t i = 0; i < case_->match.size(); ++i)
    all = holds(case_->match[i], value_of(case_->match[i].key), hits_[i]) && all;
  all_ += all;
  return all;
}

bool CaseHits::holds(const Condition& condition, const Value* value, Hits& hits) {
  if (value == nullptr) return false;
  bool any = between(condition, *value);
  for (std::size_t i = 0; i < condition.values.size(); ++i) {
    if (!equals(condition.key, condition.values[i].value, *value)) continue;
    any = true;
    ++hits.values[i];
  }
  hits.any += any;
  if (hits.seen.size() <= kSeen) hits.seen.insert(value_text(*value));
  return any;
}

void CaseHits::note_unused(Mistakes& mistakes) const {
  bool noted = false;
  for (std::size_t i = 0; i < case_->match.size(); ++i) {
    const Condition& condition = case_->match[i];
    const std::string key = key_name(condition.key);
    const std::string seen = values_of(hits_[i].seen);
    for (std::size_t v = 0; v < condition.values.size(); ++v) {
      if (hits_[i].values[v] > 0) continue;
      noted = true;
      mistakes.note(condition.values[v].place,
                    key + " is never " + value_text(condition.values[v].value) + "; " + seen);
    }
    if (!condition.values.empty() || hits_[i].any > 0) continue;
    noted = true;
    mistakes.note(condition.place, key + " is never in this range; " + seen);
  }
  if (!noted && all_ == 0)
    mistakes.note(case_->place,
                  std::string("no point matches all conditions: this ") + name_ + " never applies");
}

}  // namespace runner
