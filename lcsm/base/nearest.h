// "Did you mean": the candidate closest to a mistyped word.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace lcsm {

// Edits (insert, delete, replace, swap of neighbors) that turn `a` into `b`.
int edit_distance(std::string_view a, std::string_view b);

// The candidate fewest edits away; on a tie one that has all characters of the word, else the first
// one. Empty if none is within a third of the word's length (at least one edit), or if the edits
// replace every letter.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

// "; did you mean 'x'?", or `otherwise` if no candidate is near.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates,
                         const std::string& otherwise = "");

}  // namespace lcsm
