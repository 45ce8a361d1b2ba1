// The width of UTF-8 text in terminal columns: combining marks and color sequences take none, CJK
// and emoji two, everything else (subscripts, Greek, arrows) one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace runner {

int display_width(std::string_view text);

// The number of bytes of `text` that fit into `width` columns.
std::size_t bytes_within(std::string_view text, int width);

// `text` and blanks, as wide as `width`.
std::string padded(std::string_view text, int width);

// `text` cut to at most `width` columns; it ends in `ellipsis` if something was cut.
std::string cut_to_width(std::string_view text, int width, std::string_view ellipsis);

}  // namespace runner
