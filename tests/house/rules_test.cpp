// Tests the rules: each finds the violation in a small tree, at the right line.
#include "tests/house/rules.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace house {
namespace {

Tree tree_of(std::vector<SourceFile> files) {
  std::sort(files.begin(), files.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  return {std::move(files)};
}

// "path:line" of each finding.
std::vector<std::string> places(const Findings& findings) {
  std::vector<std::string> found;
  for (const Finding& finding : findings)
    found.push_back(finding.path + ":" + std::to_string(finding.line));
  return found;
}

using Places = std::vector<std::string>;

// Two folders in the right order, plus a test's additions.
Tree house_with(std::vector<SourceFile> more) {
  std::vector<SourceFile> files = {
      {"lcsm/CMakeLists.txt",
       "add_library(lcsm_code STATIC code/code.cpp)\nadd_library(lcsm layer/mixer.cpp)\n"
       "target_link_libraries(lcsm PUBLIC lcsm_code torch::cpu)\n"},
      {"lcsm/code/code.cpp", "#include \"lcsm/code/code.h\"\n#include <vector>\n"},
      {"lcsm/code/code.h", "#pragma once\n"},
      {"lcsm/layer/mixer.cpp", "#include \"lcsm/layer/mixer.h\"\n#include <ATen/ATen.h>\n"},
      {"lcsm/layer/mixer.h", "#include \"lcsm/code/code.h\"\n"},
  };
  for (SourceFile& file : more) {
    std::erase_if(files, [&](const SourceFile& old) { return old.path == file.path; });
    files.push_back(std::move(file));
  }
  return tree_of(std::move(files));
}

}  // namespace

TEST(Rules, AGoodHouseHasNoFindings) {
  const Tree tree = house_with({{"README.md", "house\n"},
                                {"lcsm/README.md", "layer\n"},
                                {"tests/README.md", "tests\n"},
                                {"tests/CMakeLists.txt",
                                 "add_project_test(t\n  SOURCES lcsm/code/code_test.cpp "
                                 "lcsm/layer/mixer_test.cpp # all\n  LIBS lcsm)\n"},
                                {"tests/lcsm/code/code_test.cpp", "\n"},
                                {"tests/lcsm/layer/mixer_test.cpp", "\n"}});
  for (const auto rule :
       {top_level_is_the_design, every_top_folder_has_a_readme, every_source_is_in_a_room,
        includes_go_down, costly_packages_stay_out_of_headers, standard_headers_are_included,
        every_source_is_listed, every_room_has_tests, links_go_down, includes_follow_the_links,
        torch_stays_in_its_place, cmake_has_no_glob_and_no_native, types_are_defined_once,
        size_notes, nothing_of_one_host, lines_are_clean})
    EXPECT_EQ(report(rule(tree)), "");
}

TEST(Rules, StandardHeaders) {
  const Tree tree =
      house_with({{"lcsm/code/code.h", "#include <string>\n"},
                  {"lcsm/code/code.cpp",
                   "#include \"lcsm/code/code.h\"\n// std::map\nstd::string a = std::max(b, c);\n"
                   "std::string d = std::min(b, c) + std::ranges::max(e);\n"}});
  EXPECT_EQ(report(standard_headers_are_included(tree)),
            "lcsm/code/code.cpp:3: expected <algorithm>, for std::max, got no include of it: "
            "include it, here or in a header of ours\n");
}

TEST(Rules, TopLevel) {
  const Tree tree =
      tree_of({{"utils/a.cpp", ""}, {"notes.txt", ""}, {".ci/run", ""}, {"bootstrap", ""}});
  EXPECT_EQ(places(top_level_is_the_design(tree)), (Places{"notes.txt:0", "utils:0"}));
}

TEST(Rules, Readmes) {
  EXPECT_EQ(places(every_top_folder_has_a_readme(house_with({}))),
            (Places{"README.md:0", "lcsm/README.md:0"}));
}

TEST(Rules, SourcesInNoRoomOrOfAnotherTarget) {
  const Tree tree = house_with(
      {{"lcsm/loose.cpp", ""},
       {"lcsm/attic/old.h", ""},
       {"lcsm/CMakeLists.txt", "add_library(lcsm_code code/code.cpp layer/mixer.cpp)\n"}});
  EXPECT_EQ(places(every_source_is_in_a_room(tree)),
            (Places{"lcsm/attic/old.h:0", "lcsm/layer/mixer.cpp:0", "lcsm/loose.cpp:0"}));
}

TEST(Rules, IncludesThatGoUp) {
  const Tree tree = house_with(
      {{"lcsm/code/code.h", "#pragma once\n#include \"lcsm/tape/tape.h\"\n"},
       {"lcsm/tape/tape.h", "#include \"lcsm/code/code.h\"\n#include \"lcsm/nowhere.h\"\n"},
       {"results/store/fold.h", "#include <sqlite3.h>\n#include \"lcsm/code/code.h\"\n"},
       {"results/tables/table.h", "#include <map>\n#include <sqlite3.h>\n"}});
  EXPECT_EQ(places(includes_go_down(tree)),
            (Places{"lcsm/code/code.h:2", "lcsm/tape/tape.h:2", "results/tables/table.h:2"}));
}

TEST(Rules, CostlyPackagesInHeaders) {
  const Tree tree =
      house_with({{"runner/sweeps/language/file.h", "#pragma once\n#include <toml++/toml.h>\n"},
                  {"runner/sweeps/language/file.cpp", "#include <toml++/toml.h>\n"},
                  {"tests/runner/x.h", "#include <toml++/toml.h>\n"}});
  EXPECT_EQ(places(costly_packages_stay_out_of_headers(tree)),
            Places{"runner/sweeps/language/file.h:2"});
}

TEST(Rules, ForgottenSourcesAndHeaders) {
  const Tree tree = house_with({{"lcsm/code/lost.cpp", ""}, {"lcsm/code/lost.h", ""}});
  EXPECT_EQ(places(every_source_is_listed(tree)),
            (Places{"lcsm/code/lost.cpp:0", "lcsm/code/lost.h:0"}));
}

TEST(Rules, RoomsWithoutTests) {
  const Tree tree = house_with({{"tests/lcsm/code/code_test.cpp", ""}, {"lcsm/code/more.cpp", ""}});
  EXPECT_EQ(places(every_room_has_tests(tree)), (Places{"lcsm/layer/:0"}));
}

TEST(Rules, LinksThatGoUp) {
  const Tree tree = house_with({{"lcsm/CMakeLists.txt",
                                 "add_library(lcsm_code code/code.cpp)\n# lcsm\n"
                                 "target_link_libraries(lcsm_code\n  PUBLIC lcsm_flags lcsm)\n"
                                 "add_library(lcsm layer/mixer.cpp)\n"
                                 "target_link_libraries(lcsm fmt::fmt lcsm_code torch::cpu)\n"
                                 "add_library(torch::cpu INTERFACE IMPORTED)\n"}});
  const Findings findings = links_go_down(tree);
  EXPECT_EQ(places(findings), (Places{"lcsm/CMakeLists.txt:5", "lcsm/CMakeLists.txt:1"}));
  EXPECT_EQ(findings[0].got, "lcsm -> fmt::fmt");
  EXPECT_EQ(findings[1].got, "lcsm_code -> lcsm");
}

TEST(Rules, IncludesAgainstTheDirection) {
  const Tree up =
      house_with({{"lcsm/code/code.cpp", "#include <vector>\n#include \"lcsm/layer/mixer.h\"\n"}});
  EXPECT_EQ(places(includes_follow_the_links(up)), (Places{"lcsm/code/code.cpp:2"}));
  const Tree hidden = house_with({{"lcsm/code/code.h", "#include \"lcsm/code/rows.h\"\n"},
                                  {"lcsm/code/rows.h", "\n\n#include <toml++/toml.h>\n"}});
  EXPECT_EQ(places(includes_follow_the_links(hidden)),
            (Places{"lcsm/code/rows.h:3", "lcsm/code/rows.h:3"}))
      << "a header included by a header, once for each target that reaches it";
}

TEST(Rules, TorchWhereItMustNotBe) {
  const Tree tree = house_with({{"lcsm/code/code.cpp", "#include <c10/util/Half.h>\n"},
                                {"lcsm/layer/mixer.h", "#include <torch/torch.h>\n"},
                                {"lcsm/cuda/scan_cuda.cu", "#include <ATen/ATen.h>\n"}});
  EXPECT_EQ(places(torch_stays_in_its_place(tree)),
            (Places{"lcsm/code/code.cpp:1", "lcsm/cuda/scan_cuda.cu:1", "lcsm/layer/mixer.h:1"}));
}

TEST(Rules, GlobAndNative) {
  const std::string native = std::string("-march=") + "native";
  const Tree tree =
      tree_of({{"ets/CMakeLists.txt", "\nfile(GLOB_RECURSE all *.cpp)\n# file(GLOB x)\n"},
               {"ets/x.cmake", "set(F " + native + ")\n"},
               {"README.md", "never " + native + "\n"}});
  EXPECT_EQ(places(cmake_has_no_glob_and_no_native(tree)),
            (Places{"ets/CMakeLists.txt:2", "ets/x.cmake:1"}));
}

TEST(Rules, TypesOfOneName) {
  const std::string point =
      "namespace a {\nstruct Point {\n};\nstruct Other;\nstruct Point::Inner {\n};\n}\n";
  const Tree tree =
      tree_of({{"a/x.h", point},
               {"b/x.h", "namespace b {\nstruct Point {\n};\n}\n"},
               {"b/y-inl.h", point},
               {"b/y.h", point},
               {"c/x.cpp",
                "namespace a {\nnamespace {\nclass Point : Other {\n};\n"
                "}  // namespace\nstruct Other {\n};\n"},
               {"c/y.cpp", "namespace a {\nclass Other final {\n};\n}\n"},
               {"tests/x.h", point},
               {"tests/y.h", "namespace a {\ntemplate <>\nstruct Other<int> {\n};\n}\n"}});
  EXPECT_EQ(places(types_are_defined_once(tree)),
            (Places{"b/y.h:2", "b/y.h:5", "c/y.cpp:2", "tests/x.h:2", "tests/x.h:5"}));
}

TEST(Rules, Sizes) {
  const std::string lines(301, '\n');
  std::vector<SourceFile> files = {
      {"a.cpp", lines}, {"b.md", lines}, {"c", "#!/bin/sh\n" + lines}, {"d.h", lines.substr(1)}};
  for (int i = 0; i < 41; ++i) files.push_back({"r/v" + std::to_string(i) + ".cpp", ""});
  EXPECT_EQ(places(size_notes(tree_of(files))), (Places{"a.cpp:0", "c:0", "r/:0"}));
}

TEST(Rules, PathsAndHosts) {
  const Tree tree = tree_of({{"a.sh",
                              "cd /ho"
                              "me/x\n"},
                             {"b.md",
                              "\nfrom py"
                              "pi.org\n"}});
  EXPECT_EQ(places(nothing_of_one_host(tree)), (Places{"a.sh:1", "b.md:2"}));
}

TEST(Rules, UncleanLines) {
  const Tree tree = tree_of({{"a.cpp", "x \ny\n"},
                             {"b.cpp", "\tx\n"},
                             {"c.cpp", "x\r\n"},
                             {"d.cpp", "x"},
                             {"e.cpp", ""}});
  EXPECT_EQ(places(lines_are_clean(tree)), (Places{"a.cpp:1", "b.cpp:1", "c.cpp:1", "d.cpp:1"}));
}

TEST(Rules, CMakeIsReadWithQuotesAndComments) {
  const auto commands =
      cmake_commands("# no(thing)\nset(A \"b c\" d)\nif(X)\n  f(a(b) c)  # )\nendif()\n");
  ASSERT_EQ(commands.size(), 4u);
  EXPECT_EQ(commands[0].words, (std::vector<std::string>{"A", "b c", "d"}));
  EXPECT_EQ(commands[0].line, 2);
  EXPECT_EQ(commands[2].name, "f");
}

}  // namespace house
