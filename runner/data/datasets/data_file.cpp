#include "runner/data/datasets/data_file.h"

#include "results/files/checksum.h"

namespace runner {

DataFile::DataFile(const std::string& path)
    : path_(path),
      file_(path),
      header_(parse_data_header(path, file_.bytes())),
      at_(layout_of(header_)),
      recipe_(file_.bytes().substr(sizeof header_, header_.recipe_bytes)) {
  check_index();
}

void DataFile::check_index() const {
  const std::string_view index = file_.bytes().substr(at_.ends, at_.index_sum - at_.ends);
  if (results::crc32(index) != number_at<std::uint32_t>(file_.bytes(), at_.index_sum))
    refuse_data(path_, at_.index_sum, "the checksum of ends, labels and sums",
                "another: they differ from what was written");
  const std::uint64_t sequences = shape().length > 0 ? 0 : examples() * shape().sequences;
  std::uint64_t before = 0;
  for (std::uint64_t i = 0; i < sequences; ++i) {
    const std::uint64_t end = end_of(i);
    if (end < before || end > steps())
      refuse_data(path_, at_.ends + 8 * i,
                  "an end from " + std::to_string(before) + " to " + std::to_string(steps()),
                  std::to_string(end));
    before = end;
  }
  if (sequences > 0 && before != steps())
    refuse_data(path_, at_.labels - 8, "the last end at " + std::to_string(steps()),
                std::to_string(before));
  for (std::uint64_t i = 0; shape().classes > 0 && i < examples(); ++i)
    if (label(i) >= shape().classes)
      refuse_data(path_, at_.labels + 2 * i, "a label below " + std::to_string(shape().classes),
                  std::to_string(label(i)));
}

void DataFile::require(std::uint64_t example) const {
  if (example >= examples())
    throw std::out_of_range("'" + path_ + "': expected an example below " +
                            std::to_string(examples()) + ", got " + std::to_string(example));
}

std::uint64_t DataFile::end_of(std::uint64_t sequence) const {
  if (shape().length > 0) return (sequence + 1) * shape().length;
  return number_at<std::uint64_t>(file_.bytes(), at_.ends + 8 * sequence);
}

std::string_view DataFile::sequence(std::uint64_t example, std::uint32_t which) const {
  require(example);
  const std::uint64_t i = example * shape().sequences + which % shape().sequences;
  const std::uint64_t begin = i == 0 ? 0 : end_of(i - 1);
  return file_.bytes().substr(at_.data + begin * shape().step_bytes(),
                              (end_of(i) - begin) * shape().step_bytes());
}

std::uint64_t DataFile::steps_of(std::uint64_t example, std::uint32_t which) const {
  return sequence(example, which).size() / shape().step_bytes();
}

std::uint32_t DataFile::label(std::uint64_t example) const {
  require(example);
  return shape().classes == 0 ? 0
                              : number_at<std::uint16_t>(file_.bytes(), at_.labels + 2 * example);
}

// The file is mapped at a page, and the labels begin at a multiple of 8.
std::span<const float> DataFile::targets(std::uint64_t example) const {
  require(example);
  const char* const first = file_.bytes().data() + at_.labels + 4 * example * shape().targets;
  return {reinterpret_cast<const float*>(first), shape().targets};
}

void DataFile::verify() const {
  const std::string_view data = file_.bytes().substr(at_.data, at_.data_bytes);
  for (std::uint64_t i = 0; i < at_.blocks; ++i)
    if (results::crc32(data.substr(i * kDataBlock, kDataBlock)) !=
        number_at<std::uint32_t>(file_.bytes(), at_.sums + 4 * i))
      refuse_data(path_, at_.data + i * kDataBlock,
                  "the checksum of " + std::to_string(kDataBlock) + " bytes of data from here",
                  "another: they differ from what was written");
}

}  // namespace runner
