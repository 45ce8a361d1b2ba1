#include "runner/cluster/hosts/parts.h"

#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>

#include "runner/cluster/submission/submission.h"
#include "runner/workspace/claim_watch.h"
#include "tests/message_of.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

const std::string kRun(32, 'a');

class Parts : public testing::Test {
 protected:
  Parts() {
    write_submission(workspace(), {.token = part_.token,
                                   .program = "cafe",
                                   .mark = {"q", "", ""},
                                   .runs = {{kRun, "seed = 1", "seed = 1\n"}}});
    write_part(workspace(), part_);
    fs::create_directory(workspace() / "runs");
  }
  const fs::path& workspace() const { return folder_.path(); }
  fs::path run() const { return workspace() / "runs" / kRun; }

  ScratchFolder folder_;
  HostPart part_{"q-1a",
                 "q",
                 false,
                 {{"abacus", "ada@abacus", "/ws", 2, "all"}},
                 false,
                 "ada@here",
                 "2026-01-31T12:00:00Z"};
};

// The workspace may come from somebody else.
TEST_F(Parts, OfHostsThatWouldBeOptionsOrPathsAreRefused) {
  const auto said = [&](TrainingHost host) {
    part_.hosts = {std::move(host)};
    write_part(workspace(), part_);
    return message_of([&] { open_parts(workspace()); });
  };
  EXPECT_EQ(said({"abacus", "ada@abacus", "/ws", 2, ""}), "");
  for (const TrainingHost& host :
       {TrainingHost{"abacus", "-oProxyCommand=touch /tmp/x", "/ws", 1, ""},
        TrainingHost{"abacus", "", "/ws", 1, ""}, TrainingHost{"../../x", "abacus", "/ws", 1, ""},
        TrainingHost{"abacus", "abacus", "ws; touch x", 1, ""}})
    EXPECT_NE(said(host).find("got something else: move that folder away"), std::string::npos)
        << host.name << " " << host.ssh;
}

TEST_F(Parts, AreReadAsTheyWereWritten) {
  EXPECT_EQ(open_parts(workspace()), std::vector<HostPart>{part_});
  std::ofstream(workspace() / "submissions/q-1a/hosts.json") << "{}";
  EXPECT_THROW(open_parts(workspace()), std::runtime_error);
  EXPECT_TRUE(open_parts(workspace() / "nowhere").empty());
}

TEST_F(Parts, ARunThatAHostHasIsNoOthersUntilThePartIsClosed) {
  EXPECT_TRUE(is_free(workspace(), kRun));
  EXPECT_EQ(claim_for_host(workspace(), part_, {kRun}).size(), 1U);
  EXPECT_EQ(claim_for_host(workspace(), part_, {kRun}).size(), 1U) << "asked again";
  EXPECT_EQ(newest_claim(run()), 1);
  EXPECT_FALSE(is_free(workspace(), kRun));
  ClaimWatch watch;
  std::int64_t judged = 0;
  watch.look(run(), 0, &judged);
  EXPECT_NE(watch.look(run(), 1e8, &judged), ClaimLife::kFree) << "it does not fall silent";
  EXPECT_NE(who_trains_elsewhere(run()).find("ada@abacus"), std::string::npos);
  close_part(workspace(), part_);
  EXPECT_TRUE(is_free(workspace(), kRun));
  EXPECT_TRUE(open_parts(workspace()).empty());
}

TEST_F(Parts, ARunThatAnotherHasIsNotClaimed) {
  ClaimOwner other = this_owner();
  other.node = "another";
  ASSERT_TRUE(make_claim(run(), {.owner = other}, true, 0));
  EXPECT_FALSE(is_free(workspace(), kRun));
  EXPECT_TRUE(claim_for_host(workspace(), part_, {kRun}).empty());
  close_part(workspace(), part_);
  EXPECT_FALSE(claim_end(run(), 1)) << "it is not this part's";
}

}  // namespace
}  // namespace runner
