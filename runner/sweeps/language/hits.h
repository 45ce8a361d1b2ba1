// Records which conditions of a sweep hold for some point. A condition that never holds is a
// mistake.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "runner/sweeps/language/case.h"

namespace runner {

// The value of a key in the current point; null = none.
using ValueOf = std::function<const Value*(int key)>;

class CaseHits {
 public:
  CaseHits(const Case& which, const char* name);

  bool matches(const ValueOf& value_of);  // also counts hits
  void note_unused(Mistakes& mistakes) const;

 private:
  struct Hits {
    std::size_t any = 0;
    std::vector<std::size_t> values;
    std::set<std::string> seen;  // a few values of the key
  };
  bool holds(const Condition& condition, const Value* value, Hits& hits);

  const Case* case_;
  const char* name_;  // "[[when]]"
  std::size_t all_ = 0;
  std::vector<Hits> hits_;  // parallel to case_->match
};

}  // namespace runner
