// Reads data files (data_file_header.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "runner/base/files/mapped_file.h"
#include "runner/data/datasets/data_file_header.h"

namespace runner {

class DataFile {
 public:
  // Checks everything but the data itself: sizes, the order of the ends, labels, the index
  // checksum. Throws DataFileError, and std::runtime_error if there is no file.
  explicit DataFile(const std::string& path);

  const DataShape& shape() const { return header_.shape; }
  std::string_view recipe() const { return recipe_; }
  std::uint64_t examples() const { return header_.examples; }
  std::uint64_t steps() const { return header_.steps; }

  // ----- An example; std::out_of_range if there is none of that number -----

  // The bytes of one of the example's sequences, shape().step_bytes() per step.
  std::string_view sequence(std::uint64_t example, std::uint32_t which = 0) const;
  std::uint64_t steps_of(std::uint64_t example, std::uint32_t which = 0) const;
  std::uint32_t label(std::uint64_t example) const;             // only with classes
  std::span<const float> targets(std::uint64_t example) const;  // only without classes

  // Reads all data. Throws DataFileError for the first block whose checksum is wrong.
  void verify() const;

 private:
  std::uint64_t end_of(std::uint64_t sequence) const;
  void check_index() const;
  void require(std::uint64_t example) const;

  std::string path_;
  MappedFile file_;
  DataHeader header_;
  DataLayout at_;
  std::string_view recipe_;
};

// The value of a sequence at a place that counts values, not bytes.
inline double value_of(std::string_view sequence, Element element, std::uint64_t at) {
  if (element == Element::kByte) return number_at<std::uint8_t>(sequence, at);
  if (element == Element::kShort) return number_at<std::uint16_t>(sequence, 2 * at);
  return static_cast<double>(number_at<float>(sequence, 4 * at));
}

}  // namespace runner
