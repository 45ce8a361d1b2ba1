// The result of a reader: examples read from published files and checked, not yet written.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "runner/base/files/mapped_file.h"
#include "runner/base/random/split.h"
#include "runner/data/datasets/data_file_writer.h"

namespace runner {

using SplitExamples = std::array<std::vector<NewExample>, 3>;  // by split

// A text that is imported unchanged: bytes begin .. end-1 of a file.
struct TakenText {
  std::string name;  // of the file here
  MappedFile file;
  std::size_t begin = 0, end = 0;

  std::string_view bytes() const { return file.bytes().substr(begin, end - begin); }
};

// Examples, or texts.
struct Taken {
  DataShape shape;
  SplitExamples examples;
  // Set if the files have them or a reader made them: the kind of tokens ("bytes", "characters",
  // "words"), the text of each token, the name of each class.
  std::string tokens = "";
  std::vector<std::string> vocabulary = {}, labels = {};
  std::vector<TakenText> texts = {};
  // The number of the first test example that is reported separately; 0: none.
  std::uint64_t apart = 0;
};

}  // namespace runner
