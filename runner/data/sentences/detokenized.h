// Undoes the tokenization of Moses (tokenizer.perl -no-escape), as its detokenizer.perl does for
// Western languages.
#pragma once

#include <string>
#include <string_view>

namespace runner {

// `language`: "en" has contractions and genitives after an apostrophe; any other has none.
std::string detokenized(std::string_view text, std::string_view language);

}  // namespace runner
