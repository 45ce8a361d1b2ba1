// A submission of a FakeSweep's runs, with array tasks as processes of several nodes, all on this
// host.
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

#include "runner/cluster/submission/submission.h"
#include "tests/runner/fake_sweep.h"

namespace runner {

// Signs of life are frequent, so that silence is noticed soon.
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

// Repeats storms until `usual` processes were struck, or LCSM_KILLS if set. After each storm, the
// results equal a calm sweep's, and no step counted twice. `storm_of` makes a storm from a seed.
template <class StormOf>
void expect_no_change(const std::string& ways, int usual, const StormOf& storm_of) {
  const char* const often = std::getenv("LCSM_KILLS");
  const int strikes = often != nullptr ? std::atoi(often) : usual;
  const FakeSweep calm(ways);
  ASSERT_EQ(calm.run().status, 0);
  const std::string wanted = results_of(calm);
  int struck = 0;
  for (unsigned seed = 1; struck < strikes && seed < 1000; ++seed) {
    const auto storm = storm_of(seed);
    struck += storm->blow(strikes - struck);
    ASSERT_EQ(results_of(storm->sweep()), wanted) << "seed " << seed;
    const Ran twice =
        storm->sweep().lcsm({"query",
                             "SELECT count(*) FROM (SELECT 1 FROM history GROUP BY id, metric, "
                             "step HAVING count(*) > 1)",
                             "--format", "csv"});
    EXPECT_NE(twice.out.find("\n0\n"), std::string::npos) << twice.out;
  }
  EXPECT_EQ(struck, strikes);
}

}  // namespace runner
