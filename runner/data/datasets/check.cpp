#include "runner/data/datasets/check.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "runner/base/files/sha256.h"
#include "runner/data/datasets/own_names.h"
#include "runner/data/tasks/data_search.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

constexpr std::uint64_t kMadeAgain = 20;  // examples of a split
constexpr double kBalance = 5;  // standard deviations; 1 of 1.7 million random splits deviates more

// The split in which each example was seen first, keyed by the hash of its bytes.
using Seen = std::unordered_map<std::string, Split>;

class SplitCheck {
 public:
  SplitCheck(const fs::path& path, Split split, Seen* seen, std::vector<std::string>* mistakes)
      : path_(path), file_(path.string()), seen_(seen), mistakes_(mistakes) {
    facts_.split = split;
    facts_.examples = file_.examples();
    facts_.labels.resize(file_.shape().classes);
    facts_.names = own_names(file_.recipe()).labels;
    facts_.least = std::numeric_limits<double>::infinity();
    facts_.most = -facts_.least;
  }

  SplitFacts check() {
    file_.verify();
    const auto recipe = read_recipe(file_.recipe());
    const DatasetRow* row = find_dataset(recipe_name(file_.recipe()));
    if (row != nullptr && file_.shape() != (recipe ? shape_of(*row, recipe->recipe) : row->shape)) {
      say("its shape is not that of " + std::string(row->name));
      row = nullptr;
    }
    for (std::uint64_t i = 0; i < file_.examples(); ++i) look_at(i, row);
    set_lengths();
    if (bad_values_ > 0)
      say(std::to_string(bad_values_) + " values are not below " +
          std::to_string(file_.shape().vocabulary) + ", or not finite");
    if (wrong_ > 0)
      say(std::to_string(wrong_) + " wrong answers, the first in example " +
          std::to_string(first_wrong_));
    if (recipe && row != nullptr) check_recipe(*recipe, *row);
    return facts_;
  }

 private:
  void say(const std::string& what) { mistakes_->push_back("'" + path_.string() + "': " + what); }

  void look_at(std::uint64_t i, const DatasetRow* row) {
    const NewExample example = read_example(file_, i);
    for (const std::string& sequence : example.sequences) {
      lengths_.push_back(sequence.size() / file_.shape().step_bytes());
      look_at_values(sequence);
    }
    if (file_.shape().classes > 0) ++facts_.labels[example.label];
    if (row != nullptr && row->is_right != nullptr) {
      ++facts_.evaluated;
      if (!row->is_right(example) && wrong_++ == 0) first_wrong_ = i;
    }
    Sha256 hash;
    for (const std::string& sequence : example.sequences) {
      const std::uint64_t size = sequence.size();  // "ab", "c" is not "a", "bc"
      hash.add(reinterpret_cast<const char*>(&size), sizeof size);
      hash.add(sequence.data(), size);
    }
    const auto [before, is_new] = seen_->try_emplace(hash.hex(), facts_.split);
    if (is_new) return;
    ++(before->second == facts_.split ? facts_.repeated : facts_.shared);
  }

  void look_at_values(const std::string& sequence) {
    const Element element = file_.shape().element;
    const double end = file_.shape().vocabulary;
    for (std::uint64_t i = 0; i < sequence.size() / bytes_of(element); ++i) {
      const double value = value_of(sequence, element, i);
      facts_.least = std::min(facts_.least, value);
      facts_.most = std::max(facts_.most, value);
      bad_values_ += element == Element::kReal ? !std::isfinite(value) : value >= end;
    }
  }

  void set_lengths() {
    std::sort(lengths_.begin(), lengths_.end());
    for (std::size_t i = 0; i < facts_.lengths.size() && !lengths_.empty(); ++i)
      facts_.lengths[i] = lengths_[(lengths_.size() - 1) * i / (facts_.lengths.size() - 1)];
    if (lengths_.empty()) facts_.least = facts_.most = 0;
  }

  // If the data set is one that we generate, regenerates some of its examples.
  void check_recipe(const FileRecipe& recipe, const DatasetRow& row) {
    const std::uint64_t count = recipe.recipe.examples[index_of(facts_.split)];
    if (recipe.piece.split != facts_.split || recipe.piece.count != count ||
        file_.examples() != count)
      return say("its recipe does not describe the examples that it holds");
    if (row.unique && facts_.repeated + facts_.shared > 0)
      say(std::to_string(facts_.repeated + facts_.shared) + " duplicate examples");
    const Maker maker = row.maker(recipe.recipe);
    for (std::uint64_t n = 0; n < std::min(count, kMadeAgain); ++n) {
      const std::uint64_t i = n * count / std::min(count, kMadeAgain);
      if (is_same(read_example(file_, i), maker, i, row.unique))
        ++facts_.made_again;
      else
        say("example " + std::to_string(i) + " differs from the one that its recipe generates");
    }
    check_balance();
  }

  // If examples must be unique, the file may hold a later draw.
  bool is_same(const NewExample& example, const Maker& maker, std::uint64_t i, bool unique) const {
    for (std::uint64_t again = 0; again <= (unique ? 3u : 0u); ++again)
      if (example == maker(facts_.split, i, again)) return true;
    return false;
  }

  void check_balance() {
    if (facts_.labels.size() != 2) return;
    const auto examples = static_cast<double>(facts_.examples);
    const double off = std::abs(static_cast<double>(facts_.labels[1]) - examples / 2);
    if (off > kBalance * std::sqrt(examples) / 2)
      say("expected both labels about equally often, got " + std::to_string(facts_.labels[0]) +
          " and " + std::to_string(facts_.labels[1]));
  }

  fs::path path_;
  DataFile file_;
  Seen* seen_;
  std::vector<std::string>* mistakes_;
  SplitFacts facts_;
  std::vector<std::uint64_t> lengths_;
  std::uint64_t bad_values_ = 0, wrong_ = 0, first_wrong_ = 0;
};

}  // namespace

DatasetFacts check_dataset(const fs::path& folder) {
  DatasetFacts facts;
  Seen seen;
  for (const Split split : kSplits) try {
      facts.splits.push_back(
          SplitCheck(split_file(folder, split), split, &seen, &facts.mistakes).check());
    } catch (const std::runtime_error& error) {
      facts.mistakes.push_back(error.what());
    }
  return facts;
}

}  // namespace runner
