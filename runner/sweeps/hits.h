// Which conditions of a sweep ever come true: one that never does was not meant so.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "runner/sweeps/case.h"

namespace runner {

// A key's value in the point that is looked at; null = it has none.
using ValueOf = std::function<const Value*(int key)>;

class CaseHits {
 public:
  CaseHits(const Case& which, const char* name);

  bool matches(const ValueOf& value_of);  // and counts
  void note_unused(Mistakes& mistakes) const;

 private:
  struct Hits {
    std::size_t any = 0;
    std::vector<std::size_t> values;
    std::set<std::string> seen;  // a few of the values that the key has
  };
  bool holds(const Condition& condition, const Value* value, Hits& hits);

  const Case* case_;
  const char* name_;  // "[[when]]"
  std::size_t all_ = 0;
  std::vector<Hits> hits_;  // as match
};

}  // namespace runner
