#include "runner/data/datasets/making.h"

#include <fcntl.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <unordered_set>

#include "lcsm/base/words.h"
#include "lcsm/files/open_file.h"
#include "results/files/file_lock.h"
#include "runner/base/files/sha256.h"
#include "runner/data/tasks/data_search.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

constexpr std::uint64_t kPiece = 500;      // examples; a killed process loses its unfinished piece
constexpr std::uint64_t kMostDraws = 100;  // draws for an example that differs from all before

fs::path pieces_folder(const fs::path& folder) { return folder / ".making"; }

fs::path piece_file(const fs::path& folder, const Piece& piece) {
  return pieces_folder(folder) /
         (std::string(to_string(piece.split)) + "-" + std::to_string(piece.first) + ".set");
}

std::vector<Piece> pieces_of(Split split, std::uint64_t examples) {
  std::vector<Piece> pieces;
  for (std::uint64_t first = 0; first < examples; first += kPiece)
    pieces.push_back({split, first, std::min(kPiece, examples - first)});
  return pieces;
}

Piece whole_of(const Recipe& recipe, Split split) {
  return {split, 0, recipe.examples[index_of(split)]};
}

// True if the file exists, is undamaged and was generated from this recipe.
bool is_made(const fs::path& file, const Recipe& recipe, const Piece& piece) try {
  const DataFile made(file.string());
  made.verify();
  return made.recipe() == recipe_text(recipe, piece);
} catch (const std::runtime_error&) {
  return false;
}

// ----- Pieces, by several threads -----

class Workers {
 public:
  Workers(const Making& making, const DatasetRow& row) : making_(making), row_(row) {
    for (const Split split : kSplits) {
      const std::uint64_t examples = making.recipe.examples[index_of(split)];
      total_ += examples;
      // A finished split needs no pieces: a killed process may have left only the split.
      if (is_made(split_file(making.folder, split), making.recipe, whole_of(making.recipe, split)))
        done_ += examples;
      else
        for (const Piece& piece : pieces_of(split, examples)) pieces_.push_back(piece);
    }
  }

  bool work() {  // false: stopped
    std::vector<std::thread> threads;
    for (int i = 1; i < making_.threads; ++i) threads.emplace_back([this] { each(); });
    each();
    for (std::thread& thread : threads) thread.join();
    if (failure_) std::rethrow_exception(failure_);
    return !stopped_;
  }

 private:
  void each() {
    try {
      const Maker maker = row_.maker(making_.recipe);
      for (std::size_t i = next_++; i < pieces_.size() && !stopped_; i = next_++)
        make(pieces_[i], maker);
    } catch (...) {
      stopped_ = true;
      const std::lock_guard guard(lock_);
      if (!failure_) failure_ = std::current_exception();
    }
  }

  void make(const Piece& piece, const Maker& maker) {
    const fs::path file = piece_file(making_.folder, piece);
    if (!is_made(file, making_.recipe, piece)) {
      std::vector<NewExample> examples;
      for (std::uint64_t i = 0; i < piece.count; ++i) {
        if (making_.stop && making_.stop()) stopped_ = true;
        if (stopped_) return;
        examples.push_back(maker(piece.split, piece.first + i, 0));
      }
      write_examples(file, shape_of(row_, making_.recipe), recipe_text(making_.recipe, piece),
                     examples);
    }
    const std::lock_guard guard(lock_);
    done_ += piece.count;
    if (making_.progress) making_.progress(done_, total_);
  }

  const Making& making_;
  const DatasetRow& row_;
  std::vector<Piece> pieces_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> stopped_ = false;
  std::mutex lock_;
  std::exception_ptr failure_;
  std::uint64_t done_ = 0, total_ = 0;
};

// ----- Files of splits -----

// Redraws examples that equal an earlier one, in the order of splits.
class Unique {
 public:
  Unique(const DatasetRow& row, const Recipe& recipe) : row_(row), maker_(row.maker(recipe)) {}

  void add(const DataFile& file, const Piece& piece) {
    if (!row_.unique) return;
    for (std::uint64_t i = 0; i < file.examples(); ++i) {
      if (insert(read_example(file, i))) continue;
      NewExample other;
      std::uint64_t draws = 1;
      do {
        if (draws > kMostDraws)
          throw std::invalid_argument(
              "expected as many distinct examples as requested, got only duplicates after " +
              std::to_string(seen_.size()) + ": request fewer, or longer expressions");
        other = maker_(piece.split, piece.first + i, draws++);
      } while (!insert(other));
      others_[{piece.split, piece.first + i}] = std::move(other);
    }
  }

  const NewExample* instead_of(Split split, std::uint64_t index) const {
    const auto found = others_.find({split, index});
    return found == others_.end() ? nullptr : &found->second;
  }

 private:
  bool insert(const NewExample& example) {
    return seen_.insert(sha256_hex(lcsm::joined(example.sequences, "|"))).second;
  }

  const DatasetRow& row_;
  Maker maker_;
  std::unordered_set<std::string> seen_;
  std::map<std::pair<Split, std::uint64_t>, NewExample> others_;
};

void join_pieces(const Making& making, const DatasetRow& row, Split split, Unique* unique) {
  const fs::path target = split_file(making.folder, split);
  const Piece whole = whole_of(making.recipe, split);
  if (is_made(target, making.recipe, whole)) {
    unique->add(DataFile(target.string()), whole);
    return;
  }
  std::uint64_t steps = 0;
  for (const Piece& piece : pieces_of(split, whole.count)) {
    const DataFile file(piece_file(making.folder, piece).string());
    unique->add(file, piece);
    steps += file.steps();
    for (std::uint64_t i = 0; i < file.examples(); ++i)
      if (const NewExample* other = unique->instead_of(split, piece.first + i))
        steps += steps_of(*other, row.shape) - steps_of(read_example(file, i), row.shape);
  }
  DataFileWriter writer(target, shape_of(row, making.recipe), recipe_text(making.recipe, whole),
                        whole.count, steps);
  for (const Piece& piece : pieces_of(split, whole.count)) {
    const DataFile file(piece_file(making.folder, piece).string());
    for (std::uint64_t i = 0; i < file.examples(); ++i) {
      const NewExample* other = unique->instead_of(split, piece.first + i);
      writer.add(other != nullptr ? *other : read_example(file, i));
    }
  }
  writer.keep();
}

// Keeps existing files that are part of this data set, and refuses all others.
bool is_complete(const Making& making) {
  bool complete = true;
  for (const Split split : kSplits) {
    const fs::path file = split_file(making.folder, split);
    if (is_made(file, making.recipe, whole_of(making.recipe, split))) continue;
    complete = false;
    if (fs::exists(file))
      throw std::invalid_argument(
          "'" + file.string() +
          "' already exists with other settings, or is damaged: choose another name with "
          "--as, or remove it");
  }
  return complete;
}

void remove_leftovers(const fs::path& folder) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (lcsm::is_leftover(entry.path()) && entry.is_regular_file()) fs::remove(entry.path());
}

}  // namespace

bool is_unfinished(const fs::path& folder) {
  std::error_code none;
  return fs::is_directory(pieces_folder(folder), none);
}

Made make_dataset(const Making& making) {
  const DatasetRow* const row = find_dataset(making.recipe.name);
  if (row == nullptr) throw std::invalid_argument("unknown data set '" + making.recipe.name + "'");
  if (is_complete(making) && !is_unfinished(making.folder)) return Made::kWasThere;
  lcsm::create_folder(pieces_folder(making.folder));
  const fs::path lock_path = pieces_folder(making.folder) / "lock";
  const lcsm::OpenFile lock(lock_path, O_RDWR | O_CREAT);
  if (!lock.is_open() || !results::lock_for_writing(lock.handle()))
    throw std::runtime_error("another process is generating '" + making.folder.string() +
                             "': wait for it, or choose another name with --as");
  remove_leftovers(making.folder);
  Workers workers(making, *row);
  if (!workers.work()) return Made::kStopped;
  Unique unique(*row, making.recipe);
  for (const Split split : kSplits) join_pieces(making, *row, split, &unique);
  fs::remove_all(pieces_folder(making.folder));
  return Made::kMade;
}

}  // namespace runner
