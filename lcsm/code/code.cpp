#include "lcsm/code/code.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "lcsm/base/nearest.h"
#include "lcsm/base/words.h"

namespace lcsm {
namespace {

struct Word {
  std::string_view text;
  std::size_t column;
};

std::vector<Word> cut(std::string_view text, char at, std::size_t column) {
  std::vector<Word> words;
  for (std::size_t start = 0;;) {
    const std::size_t end = std::min(text.find(at, start), text.size());
    words.push_back({text.substr(start, end - start), column + start});
    if (end == text.size()) return words;
    start = end + 1;
  }
}

// Quotes a text, without control characters that would reach the terminal.
std::string quoted(std::string_view text) {
  std::string shown(text.substr(0, 40));
  std::replace_if(
      shown.begin(), shown.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
  return "'" + shown + "'";
}

// Parses a number from 0 to `most`, spelled exactly as to_string does.
int number_up_to(const Word& word, int most, const char* what) {
  int value = -1;
  std::from_chars(word.text.data(), word.text.data() + word.text.size(), value);
  if (value >= 0 && value <= most && word.text == std::to_string(value)) return value;
  throw CodeError(word.column, std::string(what) + " must be 0 " + (most == 1 ? "or " : "to ") +
                                   std::to_string(most) + ", got " + quoted(word.text));
}

bool is_number(std::string_view name) { return !name.empty() && name[0] >= '0' && name[0] <= '9'; }

// A hint for a misspelled name; "" for a number, which is not a misspelled name.
std::string meant_oscillation(std::string_view name, const Catalogue& catalogue) {
  return is_number(name) ? "" : did_you_mean(name, catalogue.names());
}

const Oscillation& oscillation_named(const Word& word, const Catalogue& catalogue) {
  if (const Oscillation* found = catalogue.find(word.text)) return *found;
  std::string hint = meant_oscillation(word.text, catalogue);
  if (hint.empty()) {
    hint = "; 'lcsm codes' lists them";
    if (!is_number(word.text)) hint += ", with those of oscillations.toml in the current folder";
  }
  throw CodeError(word.column, "unknown oscillation " + quoted(word.text) + hint,
                  std::string(word.text));
}

Code parse_head(std::string_view head, const Catalogue& catalogue) {
  Code code;
  const std::vector<Word> parts = cut(head, '-', 1);
  if (parts.size() == 1) {
    const Oscillation* whole = catalogue.find(head);
    if (whole && whole->whole) {
      code.o = whole->name;
      return code;
    }
    if (whole)
      throw CodeError(1, quoted(head) + " is an oscillation: write 1-" + whole->name + "-1-0");
  }
  if (head == "0-0") throw CodeError(1, "the paper's 0-0 is written ssm here");
  if (parts.size() != 4) {
    throw CodeError(1, "expected a code of four parts such as 1-9-1-4, got " + quoted(head) +
                           meant_oscillation(head, catalogue));
  }
  code.e = number_up_to(parts[0], 1, "e");
  const Oscillation& oscillation = oscillation_named(parts[1], catalogue);
  if (oscillation.whole)
    throw CodeError(parts[1].column,
                    quoted(parts[1].text) + " is a code by itself: write " + oscillation.name);
  code.o = oscillation.name;
  code.s = number_up_to(parts[2], 1, "s");
  code.a = number_up_to(parts[3], static_cast<int>(activation_rows().size()) - 1, "a");
  return code;
}

bool uses(const Expr& e, std::string_view stem) {
  if (!e) return false;
  const std::vector<Symbol> symbols = symbols_of(e);
  return std::any_of(symbols.begin(), symbols.end(),
                     [&](const Symbol& s) { return stem_of(s).name == stem; });
}

// The gate that the code selects.
const Expr& gate_text(const Code& code, const Oscillation& oscillation) {
  return code.fixed ? oscillation.fixed : oscillation.o;
}

void check_stages(const Code& code, const Oscillation& oscillation) {
  const Expr& o = gate_text(code, oscillation);
  if (code.e == 0 && (uses(o, "e") || uses(oscillation.scale, "e") || uses(oscillation.read, "e")))
    throw CodeError(1, "the gate uses e_k, so e must come from the input: write 1-" +
                           oscillation.name + "-" + std::to_string(code.s) + "-" +
                           std::to_string(code.a));
}

double real_option(const Word& value, std::string_view key) {
  double result = 0;
  const char* end = value.text.data() + value.text.size();
  const auto [stop, error] = std::from_chars(value.text.data(), end, result);
  if (error != std::errc{} || stop != end || !std::isfinite(result) || result <= 0)
    throw CodeError(value.column,
                    std::string(key) + " must be a number above 0, got " + quoted(value.text));
  return result;
}

int size_option(const Word& value, std::string_view key) {
  int result = 0;
  const char* end = value.text.data() + value.text.size();
  const auto [stop, error] = std::from_chars(value.text.data(), end, result);
  if (error == std::errc{} && stop == end && result >= 1 && result <= (1 << 20)) return result;
  const bool zero = stop == end && result == 0 && !value.text.empty();
  throw CodeError(value.column,
                  std::string(key) + " must be an integer from 1 to 1048576, got " +
                      quoted(value.text) +
                      (zero && key == "k" ? ": a memory without rows stores nothing" : ""));
}

bool choice(const Word& value, std::string_view key, std::string_view preset,
            std::string_view other) {
  if (value.text == preset || value.text == other) return value.text == other;
  const std::vector<std::string> both = {std::string(preset), std::string(other)};
  throw CodeError(value.column, std::string(key) + " must be " + both[0] + " or " + both[1] +
                                    ", got " + quoted(value.text) + did_you_mean(value.text, both));
}

// The form that a code selects.
const Oscillation& selected(const Code& code, const Catalogue& catalogue) {
  return *form_of(*catalogue.find(code.o), code.form);
}

void check_form(const Word& value, const Oscillation& oscillation, const Catalogue& catalogue) {
  if (!value.text.empty() && form_of(oscillation, value.text)) return;
  std::vector<std::string> forms, others;
  for (const Oscillation& form : oscillation.forms) forms.push_back(form.form);
  for (const Oscillation& each : catalogue.all())
    if (!each.forms.empty()) others.push_back(each.name);
  if (forms.empty())
    throw CodeError(value.column, "form: oscillation " + oscillation.name +
                                      " has no other form; these have: " + joined(others));
  throw CodeError(value.column, "oscillation " + oscillation.name + " has no form " +
                                    quoted(value.text) + "; its forms are " + joined(forms) +
                                    did_you_mean(value.text, forms));
}

void read_option(Code& code, const Word& key, const Word& value, const Catalogue& catalogue) {
  if (key.text == "form") {
    check_form(value, *catalogue.find(code.o), catalogue);
    code.form = value.text;
  } else if (key.text == "o")
    code.fixed = choice(value, "o", "learned", "fixed");
  else if (key.text == "gate")
    code.frozen = choice(value, "gate", "trained", "frozen");
  else if (key.text == "tau")
    code.tau = real_option(value, "tau");
  else if (key.text == "k")
    code.k = size_option(value, "k");
  else if (key.text == "d")
    code.d = size_option(value, "d");
  else if (key.text == "r")
    code.r = size_option(value, "r");
  else {
    const std::vector<std::string> keys = {"form", "o", "gate", "tau", "k", "d", "r"};
    throw CodeError(key.column,
                    "unknown option " + quoted(key.text) +
                        did_you_mean(key.text, keys, "; the options are " + joined(keys)));
  }
}

void check_fixed(const Oscillation& oscillation, const Catalogue& catalogue, std::size_t column) {
  if (oscillation.fixed) return;
  const std::string list = joined_of(
      catalogue.all(), [](const Oscillation& each) { return each.fixed ? each.name : ""; });
  throw CodeError(column, "o=fixed: oscillation " + oscillation.name +
                              " has no fixed form; these have one: " + list);
}

void check_option(const Code& code, const Oscillation& oscillation, const Word& key) {
  const Expr& o = gate_text(code, oscillation);
  if (key.text == "tau" && !uses(o, "tau") && !uses(oscillation.scale, "tau") &&
      !uses(oscillation.read, "tau"))
    throw CodeError(key.column, "tau is not used by this gate, o = " + to_string(o));
  const auto learns = [&](const Expr& formula) { return uses(formula, "p") || uses(formula, "w"); };
  if (key.text == "gate" && code.frozen && !learns(o) && !learns(oscillation.scale) &&
      !learns(oscillation.read))
    throw CodeError(key.column,
                    "gate=frozen: this gate has no tensors to freeze, o = " + to_string(o));
  if (key.text == "r" && oscillation.ranks.empty())
    throw CodeError(key.column,
                    "r: oscillation " + oscillation.name + " has no low-rank projection");
}

void parse_options(std::string_view text, std::size_t column, Code& code,
                   const Catalogue& catalogue) {
  std::vector<Word> seen;
  for (const Word& option : cut(text, ',', column)) {
    const std::size_t equals = option.text.find('=');
    if (equals == std::string_view::npos)
      throw CodeError(option.column,
                      "expected an option such as tau=8, got " + quoted(option.text));
    const Word key{option.text.substr(0, equals), option.column};
    for (const Word& before : seen)
      if (before.text == key.text)
        throw CodeError(key.column, "option " + quoted(key.text) + " is given twice");
    seen.push_back(key);
    read_option(code, key, {option.text.substr(equals + 1), option.column + equals + 1}, catalogue);
  }
  const Oscillation& oscillation = selected(code, catalogue);
  for (const Word& key : seen)
    if (key.text == "o" && code.fixed) check_fixed(oscillation, catalogue, key.column);
  for (const Word& key : seen) check_option(code, oscillation, key);
  if (code.tau == kDefaultTau) code.tau.reset();
}

}  // namespace

Code parse_code(std::string_view text, const Catalogue& catalogue) {
  const std::size_t at = text.find('@');
  Code code = parse_head(text.substr(0, at), catalogue);
  if (at != std::string_view::npos) parse_options(text.substr(at + 1), at + 2, code, catalogue);
  check_stages(code, selected(code, catalogue));
  return code;
}

std::string plain_code(const Oscillation& oscillation, const Catalogue& catalogue) {
  if (oscillation.whole) return oscillation.name;
  Code code;
  code.o = oscillation.name;
  if (oscillation.read) code.e = code.s = 0;
  return to_string(code, catalogue);
}

std::string to_string(const Code& code, const Catalogue& catalogue) {
  const Oscillation* oscillation = catalogue.find(code.o);
  std::string text = oscillation && oscillation->whole
                         ? code.o
                         : std::to_string(code.e) + "-" + code.o + "-" + std::to_string(code.s) +
                               "-" + std::to_string(code.a);
  std::string options;
  const auto put = [&](const char* key, const std::string& value) {
    options += (options.empty() ? "@" : ",") + std::string(key) + "=" + value;
  };
  if (!code.form.empty()) put("form", code.form);
  if (code.fixed) put("o", "fixed");
  if (code.frozen) put("gate", "frozen");
  if (code.tau && code.tau != kDefaultTau) put("tau", number_text(*code.tau));
  if (code.k) put("k", std::to_string(*code.k));
  if (code.d) put("d", std::to_string(*code.d));
  if (code.r) put("r", std::to_string(*code.r));
  return text + options;
}

}  // namespace lcsm
