// A submission of a FakeSweep's runs, and its array tasks as processes of several nodes, all on
// this host.
#pragma once

#include <string>
#include <vector>

#include "runner/cluster/submission/submission.h"
#include "tests/runner/fake_sweep.h"

namespace runner {

// Signs of life are fast, so that silence is soon noticed.
ElementRules hasty_rules();

class FakeSubmission {
 public:
  FakeSubmission(const FakeSweep& sweep, const std::vector<int>& ways,
                 const ElementRules& rules = hasty_rules());

  std::filesystem::path folder() const;
  Words element_words(const std::string& trainer = "") const;

 private:
  const FakeSweep& sweep_;
};

// The environment of an array task on a node.
Words on_node(const std::string& node, Words more = {});

// The table of the sweep, and every metric that counts.
std::string results_of(const FakeSweep& sweep);

}  // namespace runner
