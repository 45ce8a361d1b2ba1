#include "runner/data/datasets/data_file_writer.h"

#include "results/files/checksum.h"

namespace runner {

NewExample read_example(const DataFile& file, std::uint64_t example) {
  NewExample copy;
  copy.sequences.clear();
  for (std::uint32_t i = 0; i < file.shape().sequences; ++i)
    copy.sequences.emplace_back(file.sequence(example, i));
  copy.label = file.label(example);
  const std::span<const float> targets = file.targets(example);
  if (file.shape().classes == 0) copy.targets.assign(targets.begin(), targets.end());
  return copy;
}

std::uint64_t steps_of(const NewExample& example, const DataShape& shape) {
  std::uint64_t bytes = 0;
  for (const std::string& sequence : example.sequences) bytes += sequence.size();
  return bytes / shape.step_bytes();
}

DataFileWriter::DataFileWriter(const std::filesystem::path& path, const DataShape& shape,
                               std::string_view recipe, std::uint64_t examples, std::uint64_t steps)
    : file_(path) {
  if (recipe.size() > kMostRecipe)
    throw DataFileError("'" + path.string() + "': expected names of tokens and labels of at most " +
                        std::to_string(kMostRecipe) + " bytes, got " +
                        std::to_string(recipe.size()) +
                        "; shorten the labels, or choose task.tokens = \"bytes\" or a larger "
                        "task.rarest");
  header_.shape = shape;
  header_.recipe_bytes = static_cast<std::uint32_t>(recipe.size());
  header_.examples = examples;
  header_.steps = steps;
  at_ = layout_of(header_);
  header_.file_bytes = at_.end;
  header_.sum = header_sum(header_, recipe);
  write({reinterpret_cast<const char*>(&header_), sizeof header_});
  write(recipe);
  fill(at_.data);
}

void DataFileWriter::write(std::string_view bytes) {
  file_.write(bytes.data(), bytes.size());
  written_ += bytes.size();
}

void DataFileWriter::fill(std::uint64_t until) { write(std::string(until - written_, '\0')); }

void DataFileWriter::flush_block() {
  const std::string_view piece = std::string_view(block_).substr(0, kDataBlock);
  append(&sums_, results::crc32(piece));
  write(piece);
  block_.erase(0, piece.size());
}

void DataFileWriter::add(const NewExample& example) {
  const DataShape& shape = header_.shape;
  const bool labelled =
      shape.classes > 0 ? example.label < shape.classes : example.targets.size() == shape.targets;
  if (example.sequences.size() != shape.sequences || !labelled)
    throw std::logic_error("[DataFileWriter] an example of another shape");
  for (const std::string& sequence : example.sequences) {
    const std::uint64_t steps = sequence.size() / shape.step_bytes();
    if (sequence.size() % shape.step_bytes() != 0 || (shape.length > 0 && steps != shape.length))
      throw std::logic_error("[DataFileWriter] a sequence of another length");
    block_ += sequence;
    steps_ += steps;
    if (shape.length == 0) append(&ends_, steps_);
  }
  while (block_.size() >= kDataBlock) flush_block();
  if (shape.classes > 0)
    append(&labels_, static_cast<std::uint16_t>(example.label));
  else
    for (const float target : example.targets) append(&labels_, target);
  ++examples_;
}

void DataFileWriter::keep() {
  if (examples_ != header_.examples || steps_ != header_.steps)
    throw std::logic_error("[DataFileWriter] other examples than announced");
  if (!block_.empty()) flush_block();
  fill(at_.ends);
  labels_.resize(at_.sums - at_.labels);
  const std::string index = ends_ + labels_ + sums_;
  write(index);
  std::string sum;
  append(&sum, results::crc32(index));
  write(sum);
  file_.keep();
}

void write_examples(const std::filesystem::path& path, const DataShape& shape,
                    std::string_view recipe, const std::vector<NewExample>& examples) {
  std::uint64_t steps = 0;
  for (const NewExample& example : examples) steps += steps_of(example, shape);
  DataFileWriter writer(path, shape, recipe, examples.size(), steps);
  for (const NewExample& example : examples) writer.add(example);
  writer.keep();
}

}  // namespace runner
