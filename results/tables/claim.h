// Judges the claims of a paper or a researcher about a sweep by the sweep's runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "results/tables/difference.h"
#include "results/tables/table.h"

namespace results {

struct ClaimSpec {
  std::string sweep = {};
  std::string text = {};  // "1-9-1-0 < 1-1-1-0 in valid.ppl", "sigmoid is best of model.activation"
  std::string paper = {};               // the claim in the paper's words; may be empty
  std::vector<std::string> tuned = {};  // as in TableSpec
  std::string by = {};
  std::vector<std::string> over = {};  // parameters in which paired runs must also agree
  std::vector<Condition> where = {};
  std::vector<std::string> across = {};  // as in TableSpec
  double matched = 0;                    // as in TableSpec
  ViewScope scope = {};                  // a claim may name a value as it is shown
};

// ----- Reading -----

struct ParsedClaim {
  enum class Kind { kLess, kMore, kBest, kWorst };
  Kind kind = Kind::kLess;
  std::string left, right;  // values of `key`; right is empty for best and worst
  std::string key;          // the parameter that both are values of; empty: inferred
  std::string metric;       // parse_value; empty: the first validation metric
};

//   A < B [of KEY] [in METRIC]        A > B [of KEY] [in METRIC]
//   A is best [of KEY] [in METRIC]    A is worst [of KEY] [in METRIC]
// < and > compare the numbers; best and worst respect the direction of the metric. `names`:
// values may have their display names. Throws std::invalid_argument.
ParsedClaim parse_claim(const std::string& text, const DisplayNames& names = {});

// ----- Deciding -----

// The left value of a claim against one other value.
struct Rival {
  std::string name;
  Difference difference;      // left minus this one
  double margin = 0;          // by how much the claim holds; negative: it does not
  std::int64_t settings = 1;  // combinations of values of `over`
};

// A claim before the correction.
struct ComparedClaim {
  Claim claim;  // `why` is set if no test can be made
  std::vector<Rival> rivals;
};

// Throws std::invalid_argument for a claim that cannot be evaluated; missing runs leave it
// undecided.
ComparedClaim compare_claim(Database& database, const Roles& roles, const ClaimSpec& spec);

// The claims of one file are one family: the probability that any verdict is wrong is at most 0.05.
// The marks of a table are another family.
std::vector<Claim> judge_claims(const std::vector<ComparedClaim>& family);

// "supported: 1-9-1-0 < 1-1-1-0 in valid.ppl (valid.ppl minus that of 1-1-1-0: -0.31, 95 % interval
// -0.52 to -0.1; paired t-test over common seeds, p = 0.012, n = 5)"
std::string claim_sentence(const Claim& claim);
std::string verdict_name(const Claim& claim);
std::string claim_reason(const Claim& claim);  // the sentence without the verdict

}  // namespace results
