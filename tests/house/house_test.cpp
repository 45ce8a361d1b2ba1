// The rules on the source tree that this test was built from.
#include <gtest/gtest.h>

#include <iostream>

#include "tests/house/rules.h"
#include "tests/source_folder.h"

namespace house {
namespace {

class House : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (std::filesystem::exists(source_folder() / "CMakeLists.txt"))
      tree_ = read_tree(source_folder());
  }
  void SetUp() override {
    if (tree_.files.empty()) GTEST_SKIP() << "no source tree at " << source_folder();
  }
  static inline Tree tree_;
};

void expect_none(const Findings& findings) { EXPECT_TRUE(findings.empty()) << report(findings); }

}  // namespace

TEST_F(House, TopLevelIsTheDesign) { expect_none(top_level_is_the_design(tree_)); }
TEST_F(House, EveryTopFolderHasAReadme) { expect_none(every_top_folder_has_a_readme(tree_)); }
TEST_F(House, EverySourceIsInARoom) { expect_none(every_source_is_in_a_room(tree_)); }
TEST_F(House, IncludesGoDown) { expect_none(includes_go_down(tree_)); }
TEST_F(House, CostlyPackagesStayOutOfHeaders) {
  expect_none(costly_packages_stay_out_of_headers(tree_));
}
TEST_F(House, StandardHeadersAreIncluded) { expect_none(standard_headers_are_included(tree_)); }
TEST_F(House, EverySourceIsListed) { expect_none(every_source_is_listed(tree_)); }
TEST_F(House, EveryRoomHasTests) { expect_none(every_room_has_tests(tree_)); }
TEST_F(House, LinksGoDown) { expect_none(links_go_down(tree_)); }
TEST_F(House, IncludesFollowTheLinks) { expect_none(includes_follow_the_links(tree_)); }
TEST_F(House, TorchStaysInItsPlace) { expect_none(torch_stays_in_its_place(tree_)); }
TEST_F(House, NoGlobNoNative) { expect_none(cmake_has_no_glob_and_no_native(tree_)); }
TEST_F(House, TypesAreDefinedOnce) { expect_none(types_are_defined_once(tree_)); }

TEST_F(House, NothingOfOneHost) { expect_none(nothing_of_one_host(tree_)); }
TEST_F(House, LinesAreClean) { expect_none(lines_are_clean(tree_)); }

// CI prints slow tests that are not in this list.
TEST_F(House, SlowTestsExist) {
  const SourceFile* list = tree_.find("tests/slow_tests.txt");
  ASSERT_NE(list, nullptr);
  std::string tests;
  for (const SourceFile& file : tree_.files)
    if (file.path.ends_with("_test.cpp")) tests += file.text;
  for (const std::string_view line : list->lines()) {
    if (line.starts_with('#')) continue;
    const std::size_t dot = line.rfind('.', line.find('/'));
    const std::string name(line.substr(dot + 1, line.find('/') - dot - 1));
    EXPECT_NE(tests.find(", " + name + ")"), std::string::npos) << line;
  }
}

// Sizes are printed for people to judge; they fail no test.
TEST_F(House, SizesAreNoted) { std::cout << report(size_notes(tree_)); }

// If the tree were read as empty, every rule would pass.
TEST_F(House, IsReadAtAll) {
  EXPECT_TRUE(targets_of(tree_).contains("lcsm_code"));
  const SourceFile* nearest = tree_.find("lcsm/base/nearest.cpp");
  ASSERT_NE(nearest, nullptr);
  EXPECT_EQ(includes_of(*nearest).size(), 3u);
}

}  // namespace house
