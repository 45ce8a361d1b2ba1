#include <ATen/ops/arange.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/imag.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdlib>

#include "tests/lcsm/files/safetensors_file.h"

namespace lcsm {
namespace {

TEST_F(SafeTensorsFile, OfNothingComesBack) {
  EXPECT_EQ(written({}), file_of("{}      ", ""));
  expect_equal({}, read_safetensors(path("written")));
}

TEST_F(SafeTensorsFile, HoldsTheBytesOfTheFormat) {
  EXPECT_EQ(written({{{"b", at::tensor({1, 2}, at::kByte)}, {"a", at::ones({1, 1}, at::kFloat)}},
                     {{"k", "v"}}}),
            file_of(R"({"__metadata__":{"k":"v"},)"
                    R"("a":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]},)"
                    R"("b":{"dtype":"U8","shape":[2],"data_offsets":[4,6]}}   )",
                    std::string("\0\0\x80\x3f\1\2", 6)));
}

TEST_F(SafeTensorsFile, PutsWideTypesFirstSoThatAllAreAligned) {
  const std::string bytes =
      written({{{"a", at::ones({3}, at::kBool)}, {"b", at::ones({1}, at::kDouble)}}, {}});
  EXPECT_NE(bytes.find(R"("a":{"dtype":"BOOL","shape":[3],"data_offsets":[8,11]})"),
            std::string::npos);
  EXPECT_EQ((bytes.size() - 11) % 8, 0U);
}

TEST_F(SafeTensorsFile, IsTheSameForEqualContent) {
  EXPECT_EQ(written(every_type()), written(every_type()));
  const at::Tensor wide = at::arange(12, at::kDouble).view({3, 4});
  const at::Tensor t = wide.t();
  EXPECT_EQ(written({{{"a", t}}, {}}), written({{{"a", t.contiguous()}}, {}}));
  EXPECT_EQ(written({{{"a", wide.select(1, 2)}}, {}}),
            written({{{"a", at::tensor({2., 6., 10.}, at::kDouble)}}, {}}));
  EXPECT_EQ(written({{{"a", at::ones({1}).expand({4})}}, {}}),
            written({{{"a", at::ones({4}).requires_grad_()}}, {}}));
}

TEST_F(SafeTensorsFile, HoldsTheValueOfANegatedView) {
  const at::Tensor view = at::imag(at::complex(at::ones({2}), at::ones({2})).conj());
  write_safetensors(path(), {{{"a", view}}, {}});
  EXPECT_EQ(read_safetensors(path()).tensors.at("a")[1].item<float>(), -1);
}

TEST_F(SafeTensorsFile, RefusesTensorsThatItCannotHold) {
  const auto refused = [&](const at::Tensor& tensor) {
    return write_refusal({{{"x", tensor}}, {}}, path());
  };
  const std::string dense =
      "was not written: expected a dense tensor of type I64, F64, F32, I32, BF16, F16, I16, I8, "
      "U8, BOOL as 'x', got ";
  EXPECT_EQ(refused(at::ones({1}, at::kComplexFloat)), dense + "ComplexFloat; convert it");
  EXPECT_EQ(refused(at::Tensor()), dense + "an undefined one; convert it");
  EXPECT_EQ(refused(at::ones({2, 2}).to_sparse()), dense + "one without dense storage; convert it");
  EXPECT_EQ(refused(at::empty({2}, at::device(at::kMeta))),
            dense + "one without dense storage; convert it");
  EXPECT_EQ(files(), 0U);
}

TEST_F(SafeTensorsFile, IsUnchangedWhenTheDiskIsFull) {
  const SafeTensors old{{{"a", at::ones({2})}}, {}};
  write_safetensors(path(), old);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  auto* const signal = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small = {1000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string sentence = write_refusal({{{"a", at::ones({4096})}}, {}}, path());
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, signal);
  EXPECT_EQ(sentence,
            "cannot be written: File too large; raise the limit (ulimit -f), or write less");
  expect_equal(old, read_safetensors(path()));
  EXPECT_EQ(files(), 1U);
}

TEST_F(SafeTensorsFile, IsTheSameToTheReferenceImplementation) {
  const char* const chosen = std::getenv("LCSM_TEST_PYTHON");
  const std::string interpreter = chosen != nullptr ? chosen : "python3";
  const auto python = [&](const std::string& program) {
    return runner::run_program({interpreter, "-c", program});
  };
  if (python("import numpy, safetensors.numpy").status != 0)
    GTEST_SKIP() << interpreter
                 << " has no numpy and safetensors (set LCSM_TEST_PYTHON to another)";
  SafeTensors content = every_type();
  std::erase_if(content.tensors, [](const auto& row) { return row.first.starts_with("BF16"); });
  write_safetensors(path("ours"), content);
  const runner::Ran ran =
      python("from safetensors import safe_open, numpy\nf = safe_open('" + path("ours") +
             "', 'np')\nnumpy.save_file({k: f.get_tensor(k) for "
             "k in f.keys()}, '" +
             path("theirs") + "', f.metadata())");
  ASSERT_EQ(ran.status, 0) << ran.err;
  expect_equal(content, read_safetensors(path("theirs")));
}

}  // namespace
}  // namespace lcsm
