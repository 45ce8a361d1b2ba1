#include "tests/runner/data/import/sample_files.h"

#include "runner/data/datasets/png.h"
#include "runner/data/import/readers.h"
#include "runner/data/import/texts.h"

namespace runner {
namespace {

Taken read_sample_cut(const IntakeRow&, const std::filesystem::path& from, Sha256& contents) {
  return read_cut_text({"whole", "<", {5, 3, 2}, sha256_hex("<a>bcdefgh")}, from, contents);
}

Files listops() {
  const std::string head = "Source\tTarget\n";
  return {{"basic_train.tsv", head + "( ( ( [MAX 2 ) 9 ) ] )\t9\r\n( ( [SM 7 ) ] )\t7\n"},
          {"basic_val.tsv", head + "[MIN 5 3 X\t3"},
          {"basic_test.tsv", head + "4\t4\n"}};
}

Files pairs() {
  return {{"new_aan_pairs.train.tsv", "1.0\ta\tb\tfirst \xc3\xa9\tsecond\n0.0\ta\tc\tone\ttwo\n"},
          {"new_aan_pairs.eval.tsv", "0.0\ta\tb\tt\tu"},
          {"new_aan_pairs.test.tsv", "1.0\ta\tb\tv\tw\n"}};
}

Files cifar() {
  Files files;
  for (const char* name : {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin",
                           "data_batch_4.bin", "data_batch_5.bin", "test_batch.bin"})
    (files[name] = "\x03").append(3072, '\x40');
  return files;
}

Files reviews() {
  return {{"train/neg/0_1.txt", "bad"},
          {"train/pos/0_9.txt", "good \xc3\xa9"},
          {"test/neg/0_2.txt", "awful"},
          {"test/pos/0_8.txt", "fine"}};
}

Files mega_pictures() {
  std::string line;
  for (std::uint32_t i = 0; i < kSampleSide * kSampleSide; ++i) line += std::to_string(i) + " ";
  line.back() = '\n';
  Files files;
  for (const std::string split : {"train", "valid", "test"}) {
    files["input/" + split + ".src"] = line + line;
    files["label/" + split + ".label"] = "0\n1\n";
  }
  return files;
}

Files sentences() {
  return {
      {"train.tsv", "gj04\t1\t\tOur friends won't \"buy\" this.\ngj04\t0\t*\tThem \xc3\xa9 it.\n"},
      {"dev.tsv", "gj04\t1\t\tThe sailors rode.\n"}};
}

Files praise() {
  return {{"train.tsv", "sentence\tlabel\nhide new secretions \t0\ncontains no wit\t1\n"},
          {"dev.tsv", "sentence\tlabel\nit 's a charming\t1\n"}};
}

Files questions() {
  const std::string head = "id\tqid1\tqid2\tquestion1\tquestion2\tis_duplicate\n";
  return {
      {"train.tsv", head + "1\t2\t3\tWhy?\tHow?\t0\n4\t5\t6\tbroken\n7\t8\t9\tWho?\tWho ?\t1\n"},
      {"dev.tsv", head + "1\t2\t3\tWhat?\t\t0\n"}};
}

Files paraphrases() {
  const std::string head = "\xef\xbb\xbfQuality\t#1 ID\t#2 ID\t#1 String\t#2 String\r\n";
  return {
      {"train.tsv", head + "1\t70\t71\tHe said so .\t\"So\" he said .\r\n0\t1\t2\tA .\tB .\r\n"},
      {"dev.tsv", head + "1\t3\t4\tC .\tD ."}};
}

Files inferences() {
  const std::string head = "index\tgenre\tsentence1\tsentence2\tlabel1\tgold_label\n",
                    two =
                        "0\tfiction\tIt ran.\tIt moved.\tneutral\tentailment\n"
                        "1\tfiction\tIt ran.\tIt slept.\tneutral\tcontradiction\n";
  return {{"train.tsv", head + two},
          {"dev_matched.tsv", head + "0\tfiction\tA.\tB.\tneutral\tneutral\n"},
          {"dev_mismatched.tsv", head + two}};
}

Files news() {
  return {{"train.tok.clean.bpe.32000.en", "the ho@@ use is old .\nyes , it is .\n"},
          {"train.tok.clean.bpe.32000.de", "das H@@ aus ist alt .\nja , das ist es .\n"},
          {"newstest2013.tok.bpe.32000.en", "a ho@@ use\n"},
          {"newstest2013.tok.bpe.32000.de", "ein H@@ aus\n"},
          {"newstest2014.tok.bpe.32000.en", "Yes , a ho@@ use !\n"},
          {"newstest2014.tok.bpe.32000.de", "Ja , ein H@@ aus !\n"},
          {"newstest2013.en", "a house\n"},
          {"newstest2013.de", "ein Haus\n"},
          {"newstest2014.en", "Yes, a house!\n"},
          {"newstest2014.de", "Ja, ein Haus!\n"}};
}

Files own_pairs() {
  const std::string pair = "a small house\tein kleines Haus\n";
  return {{"train.tsv", pair + "yes\tja\n"}, {"valid.tsv", pair}, {"test.tsv", pair}};
}

Files wiki() {
  return {{"wiki.train.tokens", " \n = Title = \n \n A word <unk> . \n"},
          {"wiki.valid.tokens", " \n = One = \n"},
          {"wiki.test.tokens", " \n = Two = \n"}};
}

IntakeRow row_of(const char* name) {
  IntakeRow row = *find_intake(name);
  if (row.side > 0) row.side = kSampleSide;
  if (row.length > 0) row.length = kSampleLength;
  row.words = {};
  return row;
}

}  // namespace

void put_fairseq(const std::vector<std::vector<std::uint16_t>>& sequences, const std::string& name,
                 Files* files) {
  std::string index("MMIDIDX\0\0", 9), sizes, offsets, numbers;
  append(&index, std::uint64_t{1});
  append(&index, std::uint8_t{8});
  append(&index, static_cast<std::uint64_t>(sequences.size()));
  for (const std::vector<std::uint16_t>& sequence : sequences) {
    append(&sizes, static_cast<std::int32_t>(sequence.size()));
    append(&offsets, static_cast<std::int64_t>(numbers.size()));
    for (const std::uint16_t number : sequence) append(&numbers, number);
  }
  (*files)[name + ".idx"] = index + sizes + offsets;
  (*files)[name + ".bin"] = numbers;
}

Files sample_mega_texts() {
  Files files = {{"src-bin/dict.txt", "a 9\nb 5\nc 1\n"}, {"label-bin/dict.txt", "1 4\n0 2\n"}};
  for (const std::string split : {"train", "valid", "test"}) {
    put_fairseq({{4, 5, 2}, {6, 2}}, "src-bin/" + split, &files);
    put_fairseq({{6, 6, 4, 2}, {5, 2}}, "src1-bin/" + split, &files);
    put_fairseq({{4, 2}, {5, 2}}, "label-bin/" + split, &files);
  }
  return files;
}

Files sample_pathfinder(std::size_t pictures) {
  Files files;
  for (std::size_t i = 0; i < pictures; ++i) {
    const std::string batch = std::to_string(i / 5), file = "sample_" + std::to_string(i) + ".png";
    files["imgs/" + batch + "/" + file] = png_of(
        std::string(kSampleSide * kSampleSide, static_cast<char>(i)), kSampleSide, kSampleSide);
    files["metadata/" + batch + ".npy"] += "imgs/" + batch + " " + file + " " + std::to_string(i) +
                                           " " + std::to_string(i % 2) + " 1.0 14 4 2 0.5 1 2\n";
  }
  return files;
}

std::string wav_of(const std::vector<std::int16_t>& samples) {
  const auto bytes = static_cast<std::uint32_t>(2 * samples.size());
  std::string file = "RIFF";
  append(&file, 36 + bytes);
  file += "WAVEfmt ";
  append(&file, std::uint32_t{16});
  for (const std::uint16_t number : {1, 1}) append(&file, number);  // plain samples, channels
  for (const std::uint32_t number : {16000, 32000}) append(&file, number);
  for (const std::uint16_t number : {2, 16}) append(&file, number);
  file += "data";
  append(&file, bytes);
  for (const std::int16_t sample : samples) append(&file, sample);
  return file;
}

Files sample_speech() {
  Files files;
  std::int16_t word = 0;
  for (const std::string name :
       {"yes", "no", "up", "down", "left", "right", "on", "off", "stop", "go"}) {
    for (std::int16_t i = 0; i < 3; ++i)
      files[name + "/" + std::to_string(i) + ".wav"] = wav_of(
          std::vector<std::int16_t>(kSampleLength, static_cast<std::int16_t>(10 * word + i)));
    ++word;
  }
  return files;
}

std::vector<SampleFormat> sample_formats() {
  IntakeRow cut = row_of("enwik8");
  cut.read = read_sample_cut;
  return {{row_of("lra-listops"), listops()},
          {row_of("lra-retrieval"), pairs()},
          {row_of("lra-retrieval-characters"), pairs()},
          {row_of("lra-image"), cifar()},
          {row_of("cifar-10"), cifar()},
          {row_of("lra-text"), reviews()},
          {row_of("lra-text-characters"), reviews()},
          {row_of("lra-pathfinder"), sample_pathfinder(6)},
          {row_of("glue-cola"), sentences()},
          {row_of("glue-sst2"), praise()},
          {row_of("glue-qqp"), questions()},
          {row_of("glue-mrpc"), paraphrases()},
          {row_of("glue-mnli"), inferences()},
          {row_of("wmt16-en-de"), news()},
          {row_of("translate"), own_pairs()},
          {row_of("mega-listops"), sample_mega_texts()},
          {row_of("mega-retrieval"), sample_mega_texts()},
          {row_of("mega-pathfinder"), mega_pictures()},
          {row_of("speech-commands"), sample_speech()},
          {row_of("speech-commands-padded"), sample_speech()},
          {row_of("wikitext-2"), wiki()},
          {cut, {{"whole", "<a>bcdefgh"}}}};
}

}  // namespace runner
