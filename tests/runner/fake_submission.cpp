#include "tests/runner/fake_submission.h"

#include <gtest/gtest.h>

#include "runner/config/run/run_config.h"
#include "runner/config/run/run_id.h"
#include "runner/workspace/folder.h"

namespace runner {
namespace {

constexpr const char* kToken = "mine-1";

}  // namespace

ElementRules hasty_rules() {
  ElementRules rules;
  rules.jobs = 2;
  rules.beat = 0.05;
  rules.silence = 1;
  rules.retries = 0;
  rules.fruitless = 50;
  return rules;
}

FakeSubmission::FakeSubmission(const FakeSweep& sweep, const std::vector<int>& ways,
                               const ElementRules& rules)
    : sweep_(sweep) {
  Submission submission{.token = kToken, .program = "none", .mark = {"mine", "Mine", ""}};
  submission.rules = rules;
  for (const int way : ways) {
    const RunConfig config = parse_config(
        "", "", {"task.name=mqar", "model.code=1-1-1-0", "task.seed=" + std::to_string(way)},
        [](const std::string&) {});
    submission.runs.push_back({run_id(config), "task.seed = " + std::to_string(way),
                               toml_text(config, false), 100.0 - way, 0, 0, 0});
    EXPECT_EQ(submission.runs.back().id, sweep.id(way));
  }
  write_submission(sweep.workspace(), submission);
}

std::filesystem::path FakeSubmission::folder() const {
  return submission_folder(sweep_.workspace(), kToken);
}

Words FakeSubmission::element_words(const std::string& trainer) const {
  return {program_beside("lcsm").string(), "element", folder().string(), "--trainer",
          trainer.empty() ? program_beside("fake_train").string() : trainer};
}

Words on_node(const std::string& node, Words more) {
  more.push_back("SLURMD_NODENAME=" + node);
  return more;
}

}  // namespace runner
