// `lcsm codes`, run as a program.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "lcsm/code/code.h"
#include "lcsm/formula/functions.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

Ran codes(Words words) {
  words.insert(words.begin(), "codes");
  return run_lcsm(words, {"LCSM_OSCILLATIONS="});
}

}  // namespace

TEST(Codes, ListsEveryGateAndActivation) {
  const Ran ran = codes({});
  EXPECT_EQ(ran.status, 0);
  for (const char* part :
       {"sigmoid(p_k * w_d)^(1/tau)", "rotate(theta_k)", "ssm", "m3", "relu(x)^2"})
    EXPECT_TRUE(has(ran.out, part)) << part;
}

TEST(Codes, HelpNamesEveryFunction) {
  const std::string help = codes({"--help"}).out;
  for (const lcsm::FunctionRow& row : lcsm::functions())
    EXPECT_TRUE(std::regex_search(help, std::regex("\\b" + std::string(row.name) + "\\b")))
        << row.name;
}

TEST(Codes, ShowsOneCodeInFull) {
  const Ran ran = codes({"1-9-1-0"});
  EXPECT_EQ(ran.err, "");
  for (const char* part : {"fused scan", "43,457,024", "valid 24.23  test 24.54",
                           "half-life 16 tokens", "oscillation.p_k.weight", "10 layers", "\\sigma"})
    EXPECT_TRUE(has(ran.out, part)) << part;
}

TEST(Codes, ReadsTheRealPartOfAComplexMemory) {
  for (const char* code : {"1-11-1-0", "0-11-0-0", "0-ces-0-0"})
    EXPECT_NE(codes({code}).out.find("y_t[d] = Re(sum over k of s_t[k,d]"), std::string::npos)
        << code;
  EXPECT_EQ(codes({"0-ema-0-0"}).out.find("Re("), std::string::npos);
}

TEST(Codes, ShowsThePlainCodeOfAnOscillation) {
  EXPECT_EQ(codes({"ces"}).out, codes({"0-ces-0-0"}).out);
  EXPECT_EQ(codes({"9@tau=8"}).out, codes({"1-9-1-0@tau=8"}).out);
  EXPECT_EQ(codes({"ssm"}).status, 0);
  EXPECT_TRUE(has(codes({"cess"}).err, "ces"));
}

TEST(Codes, CoversEveryCodeLearnedAndFixed) {
  const auto learned = nlohmann::json::parse(codes({"*", "--json"}).out);
  EXPECT_EQ(learned["schema"], "lcsm.codes/1");
  EXPECT_EQ(learned["codes"].size(), lcsm::all_codes(lcsm::Catalogue()).size());
  const auto fixed = nlohmann::json::parse(codes({"*-{0,4,5}-*-*@o=fixed", "--json"}).out);
  EXPECT_EQ(fixed["codes"].size(), 3 * 4 * lcsm::activation_rows().size());
}

TEST(Codes, WritesJsonThatNamesItsSchemaAndGate) {
  const auto json = nlohmann::json::parse(codes({"1-1-1-0@tau=8", "--json"}).out);
  const auto& code = json["codes"][0];
  EXPECT_EQ(code["code"], "1-1-1-0@tau=8");
  EXPECT_EQ(code["plan"]["machine"], "chunk");
  EXPECT_EQ(code["plan"]["log_parts"]["k"], "-softplus(-p_k) / tau");
  EXPECT_EQ(code["model"]["parameters"], 44039680);
  EXPECT_EQ(code["published"][0]["valid"], 23.53);
  const std::string of_all = nlohmann::json::parse(codes({"--json"}).out)["schema"];
  EXPECT_TRUE(has(codes({"--help"}).out, of_all)) << of_all;
}

TEST(Codes, ExplainsAFormulaWithoutTraining) {
  const Ran ran = codes({"--try", "sigmoid(p_k + p_d)^(1/tau)"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_TRUE(has(ran.out, "does not separate into k and d parts"));
}

TEST(Codes, WarnsOfAFormulaAndAllowsGrowthOnlyToAGateThatCanGrow) {
  const std::string growing = codes({"--try", "2 * sigmoid(p_k)"}).out;
  EXPECT_TRUE(has(growing, "memory may grow without bound")) << growing;
  EXPECT_TRUE(has(growing, "growth = true")) << growing;
  const std::string odd = codes({"--try", "sigmoid(p_k2)"}).out;
  EXPECT_TRUE(has(odd, "'p_k2' is used without 'p_k'")) << odd;
  EXPECT_FALSE(has(odd, "growth = true")) << odd;
  const std::string zero = codes({"--try", "0"}).out;
  EXPECT_TRUE(has(zero, "the gate is always 0")) << zero;
  EXPECT_FALSE(has(zero, "growth = true")) << zero;
}

TEST(Codes, ShowsTheSignOfARealGateAndTheSizeOfARotatingOne) {
  EXPECT_TRUE(has(codes({"--try", "-sigmoid(p_k)"}).out, "; o = -0.5 for zero input"));
  EXPECT_TRUE(has(codes({"--try", "-sigmoid(p_k) * rotate(1)"}).out, "; |o| = 0.5 for zero input"));
}

TEST(Codes, SaysHowLongAGateRemembers) {
  EXPECT_TRUE(has(codes({"--try", "1/2"}).out, "at start  half-life 1 token; o = 0.5"));
  EXPECT_TRUE(has(codes({"10"}).out, "at start  never forgets; o = 1"));
  const std::string lasting = codes({"--try", "sigmoid(index_k)"}).out;
  EXPECT_TRUE(has(lasting, "half-life 7.92e+25 tokens (306658 to 1.12e+48)")) << lasting;
}

TEST(Codes, PointsAtTheMistake) {
  const Ran formula = codes({"--try", "sigmod(p_k)"});
  EXPECT_EQ(formula.status, 2);
  EXPECT_TRUE(has(formula.err, "formula:1:1: unknown function 'sigmod'; did you mean 'sigmoid'?"));
  EXPECT_EQ(codes({"--try", ""}).status, 2);
  EXPECT_TRUE(has(codes({"--try", "sigmoid(p_d)", "--tau", "8"}).err, "tau is not used"));
  const Ran code = codes({"1-9-1-99"});
  EXPECT_EQ(code.status, 2);
  EXPECT_TRUE(has(code.err, "code:1:7: a must be 0 to "));
  EXPECT_EQ(codes({"mamba"}).err,
            "lcsm codes: expected a code such as 1-9-1-4, got the named system 'mamba': see `lcsm "
            "systems mamba`\n");
}

TEST(Codes, AcceptsCustomOscillationsInEveryCode) {
  const ScratchFolder folder;
  const std::string file = (folder.path() / "my.toml").string();
  std::ofstream(file) << "[oscillation.griffin]\n"
                         "o = \"exp(-8 * softplus(w_d) * sigmoid(p_d))\"\n"
                         "help = \"mine\"\n";
  EXPECT_TRUE(has(codes({"1-griffin-1-0", "--file", file}).out, "decay over d"));
  EXPECT_TRUE(has(codes({"--file", file, "1-griffin-1-0"}).out, "decay over d"));
  EXPECT_TRUE(has(codes({"--file", file}).out, "griffin"));
  EXPECT_TRUE(has(codes({"1-grifin-1-0", "--file", file}).err, "did you mean 'griffin'?"));
  EXPECT_TRUE(has(codes({"1-g*-1-{0,4}", "--file", file}).out, "1-griffin-1-4"));
}

TEST(Codes, ChangesSizesAndDepth) {
  const auto json = nlohmann::json::parse(
      codes({"1-10-1-0", "--d", "64", "--k", "32", "--layers", "2", "--vocab", "100", "--json"})
          .out);
  // 2 d^2 + 2 k d + k d stored + 2 d, GLU 3 d 85, 4 d of norms; embedding and final norm
  const int mixer = 2 * 64 * 64 + 3 * 32 * 64 + 2 * 64, around = 3 * 64 * 85 + 4 * 64;
  EXPECT_EQ(json["codes"][0]["model"]["parameters"], 2 * (mixer + around) + 100 * 64 + 2 * 64);
}

TEST(Codes, DrawsOnATerminalAndNotInAPipe) {
  const Words command = {program_beside("lcsm").string(), "codes", "1-9-1-0"};
  const Ran terminal = run_on_terminal(command, {"LANG=C.UTF-8", "LCSM_OSCILLATIONS="});
  EXPECT_TRUE(has(terminal.out, "\u03c3(p_k\u00b7w_d)^(1/\u03c4)"));
  const std::string piped = run_program(command, {"LANG=C.UTF-8", "LCSM_OSCILLATIONS="}).out;
  for (const char c : piped) ASSERT_LT(static_cast<unsigned char>(c), 0x80) << piped;
}

}  // namespace runner
