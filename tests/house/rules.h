// The rules of the source tree, one function each, which returns the violations.
#pragma once

#include <string>
#include <vector>

#include "tests/house/source_tree.h"

namespace house {

struct Finding {
  std::string path;
  int line = 0;  // 0 = the file as a whole
  std::string expected, got, advice;
};
using Findings = std::vector<Finding>;

// "runner/a.cpp:3: expected x, got y: do z", one line each.
std::string report(const Findings& findings);

// Layout (layout_rules.cpp)
Findings top_level_is_the_design(const Tree& tree);
Findings every_top_folder_has_a_readme(const Tree& tree);
Findings every_source_is_listed(const Tree& tree);
Findings every_room_has_tests(const Tree& tree);
Findings size_notes(const Tree& tree);  // long files and large folders: printed, but no errors

// Rooms (room_rules.cpp)
Findings every_source_is_in_a_room(const Tree& tree);
Findings includes_go_down(const Tree& tree);
Findings costly_packages_stay_out_of_headers(const Tree& tree);

// Headers (header_rules.cpp)
Findings standard_headers_are_included(const Tree& tree);

// Targets (direction_rules.cpp)
Findings links_go_down(const Tree& tree);
Findings includes_follow_the_links(const Tree& tree);
Findings torch_stays_in_its_place(const Tree& tree);
Findings cmake_has_no_glob_and_no_native(const Tree& tree);

// Text (text_rules.cpp)
Findings nothing_of_one_host(const Tree& tree);
Findings lines_are_clean(const Tree& tree);

// Names (name_rules.cpp)
Findings types_are_defined_once(const Tree& tree);

}  // namespace house
