// The loop, the clock and the texts of the fuzz tests.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include "tests/lcsm/formula/random_formula.h"

namespace lcsm::test {

class Fuzzer : public RandomFormula {
 public:
  // `share` of the number of inputs that LCSM_FUZZ requests.
  Fuzzer(std::string_view what, double share)
      : RandomFormula(setting("LCSM_FUZZ_SEED", 1)),
        what_(what),
        inputs_(1 + static_cast<std::uint64_t>(share *
                                               static_cast<double>(setting("LCSM_FUZZ", 10000)))),
        slow_(static_cast<double>(setting("LCSM_FUZZ_SLOW", 0))) {}

  // Runs one text after another, until all are done or one has failed.
  template <typename Body>
  void run(Body body) {
    const auto start = now();
    std::uint64_t done = 0;
    for (; done < inputs_ && !::testing::Test::HasFailure(); ++done) body();
    std::printf("%s: %llu inputs from seed %llu in %.1f s, slowest %.1f ms: %.200s\n",
                what_.c_str(), static_cast<unsigned long long>(done),
                static_cast<unsigned long long>(setting("LCSM_FUZZ_SEED", 1)), since(start) / 1000,
                slowest_, slowest_text_.c_str());
  }

  template <typename Body>
  void timed(const std::string& text, Body body) {
    const auto start = now();
    SCOPED_TRACE(text);
    body();
    const double took = since(start);
    if (slow_ > 0 && took > slow_) std::printf("%.1f ms: %s\n", took, text.c_str());
    if (took <= slowest_) return;
    slowest_ = took;
    slowest_text_ = text;
  }

  // ----- Texts -----
  std::string formula() {
    switch (below(10)) {
      case 0:
        return noise(below(60));
      case 1:
        return words(formula_words(), below(40));
      case 2:
        return words(formula_words(), below(400));
      case 3:
        return nested();
      case 4:
      case 5:
      case 6:
        return mutated(to_string(expr(1 + static_cast<int>(below(24)))), formula_words());
      case 7:
        return to_string(expr(1 + static_cast<int>(below(120))));
      default:
        return to_string(expr(1 + static_cast<int>(below(24))));
    }
  }

  // A rotating gate, and a possible scale or read.
  std::string turning() {
    const std::string size = "sigmoid(" + to_string(expr(1 + static_cast<int>(below(8)))) + ")";
    const std::string text =
        size + " * rotate(" + to_string(expr(1 + static_cast<int>(below(8)))) + ")";
    return chance(0.2) ? mutated(text, formula_words()) : text;
  }
  std::string weight() {
    if (chance(0.2)) return words(weight_words(), below(30));
    std::string text = pick(weight_forms());
    for (std::size_t at = text.find('%'); at != std::string::npos; at = text.find('%', at))
      text.replace(at, 1, "(" + to_string(expr(1 + static_cast<int>(below(6)))) + ")");
    return chance(0.3) ? mutated(text, weight_words()) : text;
  }

  std::string code() {
    const std::string plain = pick(heads()) + (chance(0.5) ? "" : "@" + options());
    switch (below(8)) {
      case 0:
        return noise(below(40));
      case 1:
        return words(code_words(), below(12));
      case 2:
      case 3:
      case 4:
        return mutated(plain, code_words());
      default:
        return plain;
    }
  }

  std::string pattern() {
    static const std::vector<std::string> some = {"*", "?", "[", "]",  "{", "}", ",",  "0", "1",
                                                  "-", "@", "9", "12", "!", "^", "\\", "a", "ssm"};
    return chance(0.3) ? words(some, below(300)) : words(some, below(14));
  }

  std::string mutated(std::string text, const std::vector<std::string>& by) {
    for (std::size_t edits = 1 + below(3); edits > 0; --edits) {
      const std::size_t at = below(text.size() + 1), length = below(6);
      switch (below(4)) {
        case 0:
          text.insert(at, pick(by));
          break;
        case 1:
          text.erase(at, length);
          break;
        case 2:
          text.insert(at, text.substr(below(text.size() + 1), below(20)));
          break;
        default:
          text.replace(at, std::min<std::size_t>(1, text.size() - at), noise(1));
      }
    }
    return text;
  }

  std::string noise(std::size_t length) {
    std::string text;
    while (text.size() < length) text += static_cast<char>(below(256));
    return text;
  }

  std::string words(const std::vector<std::string>& from, std::size_t count) {
    std::string text;
    for (; count > 0; --count) text += pick(from);
    return text;
  }

  const std::string& pick(const std::vector<std::string>& from) { return from[below(from.size())]; }

  static const std::vector<std::string>& formula_words() {
    static const std::vector<std::string> all = {
        "p",     "p_k",     "p_d",  "w_kd",    "w_k",       "w_d",      "p_k2",     "w99",
        "e_k",   "tau",     "o",    "size_d",  "theta_k",   "index_k",  "slope_kd", "exp",
        "log",   "sigmoid", "relu", "rotate(", "softplus(", "sqrt(",    "abs(",     "min(",
        "max(",  "step(",   "(",    "(",       ")",         ")",        ",",        "+",
        "-",     "*",       "/",    "^",       "^2",        "^-1",      "1/tau",    "0",
        "1",     "2",       "0.5",  "1e300",   "1e-300",    "1e308",    "5e-324",   "1e999",
        "0.1",   "1000000", "^64",  " ",       "\t",        "sigmoid(", "exp(",     "tanh(",
        "silu(", "elu(",    "log(", "x",       "\u03c4",    "\xff",     "(p-p)",    "cumsoftmax("};
    return all;
  }

  static const std::vector<std::string>& weight_forms() {
    static const std::vector<std::string> all = {"",
                                                 "1 - q",
                                                 "complex(%, %)",
                                                 "% * rotate(%)",
                                                 "abs(q - %)^2",
                                                 "exp(%) * (q + 1)^3",
                                                 "2 * (q - 1) / complex(-exp(%), %)",
                                                 "sqrt(1 - o^2)",
                                                 "(complex(%, %)^8)^8"};
    return all;
  }
  static const std::vector<std::string>& weight_words() {
    static const std::vector<std::string> all = {
        "q", "o", "rotate(", "complex(", "abs(", "exp(", "log(", "(",  ")",
        ")", ",", "+",       "-",        "*",    "/",    "^2",   "^8", "^",
        "1", "w", "w_kd",    "p_d",      "i",    "p_k",  "tanh("};
    return all;
  }

  static const std::vector<std::string>& code_words() {
    static const std::vector<std::string> all = {
        "0",    "1",   "2",        "9",     "10",     "12",    "-",       "-",      "-",
        "@",    ",",   "=",        "tau=",  "k=",     "d=",    "r=",      "o",      "gate",
        "ssm",  "fwp", "m3",       "fixed", "frozen", "99999", "1048577", "1e-308", "4",
        "7",    "8",   "\xc3",     "nan",   "inf",    "form=", "real",    "small",  "tau",
        "0x10", "+3",  "tau=1e-5", " ",     "own",    "@@",    "-0"};
    return all;
  }

 private:
  // Processor time, so that other programs do not count.
  static std::clock_t now() { return std::clock(); }
  static double since(std::clock_t start) {
    return static_cast<double>(now() - start) * 1000 / CLOCKS_PER_SEC;
  }
  static std::uint64_t setting(const char* name, std::uint64_t usual) {
    const char* text = std::getenv(name);
    return text ? std::strtoull(text, nullptr, 10) : usual;
  }

  static const std::vector<std::string>& heads() {
    static const std::vector<std::string> all = {
        "1-9-1-4",   "0-0-0-0",   "1-1-1-0",   "1-12-1-2", "ssm",      "fwp",
        "1-11-1-0",  "0-4-1-7",   "1-5-0-3",   "m3",       "m2",       "1-10-1-6",
        "1-ces-1-0", "0-s4d-1-2", "1-lru-0-4", "0-11-0-1", "1-ema-1-3"};
    return all;
  }

  std::string options() {
    static const std::vector<std::string> all = {
        "tau=8",     "k=64", "d=256",     "r=8",         "tau=2",  "o=fixed",   "gate=frozen",
        "o=learned", "k=1",  "form=real", "form=stable", "tau=16", "d=1048576", "tau=1e-300"};
    std::string text = pick(all);
    while (chance(0.4)) text += "," + pick(all);
    return text;
  }

  // A text that is deep, long, or full of one thing.
  std::string nested() {
    static const std::vector<std::string> opens = {
        "(", "-", "exp(", "silu(", "2^", "1/(1+", "p*(1-", "abs(", "max(p,", "w_k^(", "1-(p_k+"};
    const std::string& open = pick(opens);
    const std::size_t depth = below(chance(0.5) ? 63 : 300);
    std::string text, close;
    for (std::size_t i = 0; i < depth; ++i) {
      text += open;
      if (open.find('(') != std::string::npos) close += ')';
    }
    if (chance(0.5)) return text + "p_d" + close;
    static const std::vector<std::string> joints = {"+", "*", "-", "/", "^"};
    const std::string& joint = pick(joints);
    text = "p";
    for (std::size_t i = 2; i < 2 + below(250); ++i)
      text += joint + "p" + std::to_string(2 + below(98));
    return text;
  }

  std::string what_;
  std::uint64_t inputs_;
  double slow_, slowest_ = 0;
  std::string slowest_text_;
};

}  // namespace lcsm::test
