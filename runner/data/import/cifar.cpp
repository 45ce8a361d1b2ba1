// Imports CIFAR-10's binary batches: rows of a label and three planes of 32 x 32 bytes.
#include <algorithm>
#include <iterator>

#include "runner/data/datasets/picture.h"
#include "runner/data/import/plain_files.h"
#include "runner/data/import/random_split.h"
#include "runner/data/import/readers.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

constexpr std::size_t kPixels = 1024, kRow = 1 + 3 * kPixels;
constexpr std::uint32_t kCifarSeed = 42;  // of S4 and of MEGA

// TensorFlow's rgb_to_grayscale for bytes: computed in float32, then truncated.
std::string grey_of(std::string_view planes) {
  std::string grey;
  for (std::size_t i = 0; i < kPixels; ++i) {
    const auto plane = [&](std::size_t which) {
      return static_cast<float>(static_cast<unsigned char>(planes[which * kPixels + i])) / 255;
    };
    const float mean = 0.2989f * plane(0) + 0.587f * plane(1) + 0.114f * plane(2);
    grey += static_cast<char>(static_cast<unsigned char>(std::min(255.0f, mean * 255.5f)));
  }
  return grey;
}

// PIL's conversion to "L".
std::string grey_of_pil(std::string_view planes) {
  std::string grey;
  for (std::size_t i = 0; i < kPixels; ++i) {
    const auto plane = [&](std::size_t which) {
      return static_cast<unsigned char>(planes[which * kPixels + i]);
    };
    grey += luma_of(plane(0), plane(1), plane(2));
  }
  return grey;
}

// The three bytes of a pixel, pixel after pixel.
std::string colours_of(std::string_view planes) {
  std::string pixels;
  for (std::size_t i = 0; i < kPixels; ++i)
    for (std::size_t which = 0; which < 3; ++which) pixels += planes[which * kPixels + i];
  return pixels;
}

using Pixels = std::string (*)(std::string_view planes);

void add_batch(const fs::path& path, Pixels pixels, Sha256& contents,
               std::vector<NewExample>* into) {
  const MappedFile file = open_plain(path, contents);
  const std::string_view bytes = file.bytes();
  if (bytes.size() % kRow != 0)
    refuse_file(path, at_byte(bytes.size() / kRow * kRow), "rows of 3073 bytes",
                std::to_string(bytes.size() % kRow) + " bytes");
  for (std::size_t at = 0; at < bytes.size(); at += kRow) {
    const auto label = static_cast<unsigned char>(bytes[at]);
    if (label > 9) refuse_file(path, at_byte(at), "a label from 0 to 9", std::to_string(label));
    into->push_back({{pixels(bytes.substr(at + 1, 3 * kPixels))}, label, {}});
  }
}

// Reads the batches without a validation split.
Taken read_batches(const fs::path& from, Pixels pixels, Sha256& contents) {
  Taken taken{{.vocabulary = 256, .classes = 10, .length = kPixels, .rows = 32, .columns = 32}, {}};
  for (int i = 1; i <= 5; ++i)
    add_batch(from / ("data_batch_" + std::to_string(i) + ".bin"), pixels, contents,
              &taken.examples[0]);
  add_batch(from / "test_batch.bin", pixels, contents, &taken.examples[2]);
  return taken;
}

// The last tenth of the training images is for validation.
Taken with_last_tenth_apart(Taken taken) {
  SplitExamples& all = taken.examples;
  const auto cut = all[0].begin() + static_cast<std::ptrdiff_t>(all[0].size() * 9 / 10);
  all[1].assign(std::make_move_iterator(cut), std::make_move_iterator(all[0].end()));
  all[0].erase(cut, all[0].end());
  return taken;
}

}  // namespace

Taken read_cifar(const IntakeRow&, const fs::path& from, Sha256& contents) {
  return with_last_tenth_apart(read_batches(from, grey_of, contents));
}

Taken read_cifar_colours(const IntakeRow&, const fs::path& from, Sha256& contents) {
  Taken taken = with_last_tenth_apart(read_batches(from, colours_of, contents));
  taken.shape.channels = 3;
  taken.labels = {"airplane", "automobile", "bird",  "cat",  "deer",
                  "dog",      "frog",       "horse", "ship", "truck"};
  return taken;
}

// Holds out a random tenth of the training images.
Taken read_cifar_drawn(const IntakeRow&, const fs::path& from, Sha256& contents) {
  Taken taken = read_batches(from, grey_of_pil, contents);
  std::vector<NewExample> all = std::move(taken.examples[0]);
  taken.examples[0].clear();
  const auto splits = torch_split(static_cast<std::uint32_t>(all.size()), 0.1, 0, kCifarSeed);
  for (const std::size_t split : {0, 1})
    for (const std::uint32_t i : splits[split]) taken.examples[split].push_back(std::move(all[i]));
  return taken;
}

}  // namespace runner
