// Writes data files (data_file_header.h) atomically.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "lcsm/files/whole_file.h"
#include "runner/data/datasets/data_file.h"

namespace runner {

// An example to be written.
struct NewExample {
  std::vector<std::string> sequences = {""};  // their bytes, as in the file
  std::uint32_t label = 0;
  std::vector<float> targets;

  bool operator==(const NewExample&) const = default;
};
NewExample read_example(const DataFile& file, std::uint64_t example);

std::uint64_t steps_of(const NewExample& example, const DataShape& shape);  // of all sequences

// Writes all examples of a split into one file.
void write_examples(const std::filesystem::path& path, const DataShape& shape,
                    std::string_view recipe, const std::vector<NewExample>& examples);

template <class T>
void append(std::string* bytes, T value) {
  bytes->append(reinterpret_cast<const char*>(&value), sizeof value);
}

// Appends an integer in the format of an element.
inline void append_number(std::string* bytes, Element element, std::uint32_t number) {
  if (element == Element::kByte)
    append(bytes, static_cast<std::uint8_t>(number));
  else
    append(bytes, static_cast<std::uint16_t>(number));
}

class DataFileWriter {
 public:
  // The total number of steps of all sequences must be known in advance. Throws lcsm::WriteError,
  // as all functions do.
  DataFileWriter(const std::filesystem::path& path, const DataShape& shape, std::string_view recipe,
                 std::uint64_t examples, std::uint64_t steps);

  // Throws std::logic_error for an example of another shape.
  void add(const NewExample& example);
  void keep();  // std::logic_error if more or less was added than announced

 private:
  void write(std::string_view bytes);
  void fill(std::uint64_t until);
  void flush_block();

  lcsm::WholeFile file_;
  DataHeader header_;
  DataLayout at_;
  std::uint64_t written_ = 0, examples_ = 0, steps_ = 0;
  std::string block_, ends_, labels_, sums_;
};

}  // namespace runner
