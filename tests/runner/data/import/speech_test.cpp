// Speech Commands: WAV files, ten words, the split and the normalization.
#include <cmath>
#include <set>

#include "runner/data/datasets/check.h"
#include "runner/data/import/wav.h"
#include "tests/runner/data/import/sample_files.h"

namespace runner {
namespace {

class Speech : public OthersFiles {
 protected:
  IntakeRow row(const char* name) const {
    IntakeRow row = *find_intake(name);
    row.length = kSampleLength;
    return row;
  }
  std::string wav_refusal(const std::string& bytes) const {
    put("one.wav", bytes);
    Sha256 contents;
    return message_of([&] { read_wav(from() / "one.wav", 16000, contents); });
  }
};

std::string with(std::string bytes, std::size_t at, char byte) {
  bytes[at] = byte;
  return bytes;
}

}  // namespace

TEST_F(Speech, WavFilesAreReadWithOtherChunksAround) {
  const std::string plain = wav_of({1, -2, 32767, -32768});
  const std::string odd = std::string("LIST\3\0\0\0abc\0", 12);
  put("one.wav", plain.substr(0, 12) + odd + plain.substr(12) + odd);
  Sha256 contents;
  EXPECT_EQ(read_wav(from() / "one.wav", 16000, contents),
            (std::vector<std::int16_t>{1, -2, 32767, -32768}));
}

TEST_F(Speech, DamagedWavFilesAreRefusedByNameAndByte) {
  const std::string good = wav_of({1, 2});
  EXPECT_EQ(wav_refusal(good), "");
  EXPECT_TRUE(has(wav_refusal("RIFX" + good.substr(4)), "one.wav' at byte 0: expected a WAV file"));
  EXPECT_TRUE(has(wav_refusal(""), "at byte 0: expected a WAV file"));
  EXPECT_TRUE(has(wav_refusal(good.substr(0, 47)),
                  "at byte 36: expected a chunk of 4 bytes, got 3 bytes to the end of the file"));
  EXPECT_TRUE(has(wav_refusal(good.substr(0, 40)), "at byte 36: expected a chunk, got 4 bytes"));
  EXPECT_TRUE(has(wav_refusal(good.substr(0, 36)), "at byte 36: expected samples"));
  EXPECT_TRUE(has(wav_refusal(with(good, 20, 3)), "at byte 20: expected plain samples"));
  EXPECT_TRUE(has(wav_refusal(with(good, 22, 2)), "at byte 22: expected channels: 1, got 2"));
  EXPECT_TRUE(has(wav_refusal(with(good, 24, 0)), "expected samples a second: 16000, got 15872"));
  EXPECT_TRUE(has(wav_refusal(with(good, 34, 8)), "at byte 34: expected bits a sample: 16, got 8"));
  EXPECT_TRUE(has(wav_refusal(with(good, 40, 3)), "expected two bytes a sample, got 3 bytes"));
  EXPECT_TRUE(has(wav_refusal(good.substr(0, 12) + good.substr(36)),
                  "at byte 12: expected the format before the samples, got none"));
}

TEST_F(Speech, IsSplitByWordAndNormalisedByWhatIsTrainedOn) {
  put(sample_speech());
  take(row("speech-commands"));
  EXPECT_EQ(taken(Split::kTrain).examples(), 21u);
  EXPECT_EQ(taken(Split::kValid).examples(), 4u);
  EXPECT_EQ(taken(Split::kTest).examples(), 5u);
  double sum = 0, squares = 0;
  std::multiset<std::uint32_t> words;
  const DataFile train = taken(Split::kTrain);
  for (std::uint64_t i = 0; i < 21; ++i) {
    words.insert(train.label(i));
    const double value = value_of(train.sequence(i), Element::kReal, 0);
    EXPECT_EQ(value, value_of(train.sequence(i), Element::kReal, kSampleLength - 1));
    sum += value;
    squares += value * value;
  }
  for (std::uint32_t word = 0; word < 10; ++word) EXPECT_GE(words.count(word), 2u) << word;
  EXPECT_NEAR(sum, 0, 1e-4);
  // The deviation of samples / 2^15, about 0.0009, is divided by 1e-5 more, as in S4.
  EXPECT_NEAR(std::sqrt(squares / 21), 1, 0.02);
  const DatasetFacts facts = check_dataset(to());
  EXPECT_TRUE(facts.mistakes.empty());
  EXPECT_EQ(facts.splits.at(0).names.at(4), "left");
}

TEST_F(Speech, ClipsOfAnotherLengthAreLeftOutOrPadded) {
  put(sample_speech());
  put("yes/9.wav", wav_of({100, 100}));
  take(row("speech-commands"));
  EXPECT_EQ(taken(Split::kTrain).examples() + taken(Split::kValid).examples() +
                taken(Split::kTest).examples(),
            30u);
  std::filesystem::remove_all(to());
  take(row("speech-commands-padded"));
  int ending_in_silence = 0;
  std::uint64_t all = 0;
  for (const Split split : kSplits) {
    const DataFile file = taken(split);
    all += file.examples();
    for (std::uint64_t i = 0; i < file.examples(); ++i) {
      const auto at = [&](std::uint64_t t) {
        return value_of(file.sequence(i), Element::kReal, t);
      };
      ending_in_silence += at(1) != at(2) && at(2) == at(kSampleLength - 1);
    }
  }
  EXPECT_EQ(all, 31u);
  EXPECT_EQ(ending_in_silence, 1);
}

TEST_F(Speech, RefusesWhatIsMissingEmptyOrTooLong) {
  put(sample_speech());
  put("go/9.wav", wav_of(std::vector<std::int16_t>(kSampleLength + 1, 1)));
  EXPECT_TRUE(
      has(refusal(row("speech-commands-padded")), "go/9.wav': expected 1 to 8 samples, got 9"));
  put("go/9.wav", wav_of({}));
  EXPECT_TRUE(has(refusal(row("speech-commands-padded")), "expected 1 to 8 samples, got 0"));
  put("go/9.wav", "RIFF");
  EXPECT_TRUE(has(refusal(row("speech-commands")), "go/9.wav' at byte 0: expected a WAV file"));
  std::filesystem::remove_all(from() / "off");
  EXPECT_TRUE(has(refusal(row("speech-commands")), "off': expected a folder of clips, got none"));
  put("off/1.wav", wav_of(std::vector<std::int16_t>(kSampleLength, 1)));
  EXPECT_TRUE(has(refusal(row("speech-commands")),
                  "off': expected at least two clips *.wav of 8 samples, got 1"));
  EXPECT_FALSE(std::filesystem::exists(to()));
}

}  // namespace runner
