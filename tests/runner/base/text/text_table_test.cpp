#include "runner/base/text/text_table.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "runner/base/text/display_width.h"

namespace runner {
namespace {

TextTable codes() {
  TextTable table({{"code"}, {"params", Align::kRight}, {"gate", Align::kLeft, 6}, {"plan"}});
  table.add_row({"1-9-1-0", "38.5", "σ(p_k w_d)^(1/τ)", "scan"});
  table.add_row({"ssm", "101", "exp", "matrix products"});
  return table;
}

constexpr Terminal kUnicode = {.tty = true, .colour = false, .unicode = true, .width = 80};

}  // namespace

TEST(TextTable, ShowsEverythingInAPipeWithoutARule) {
  EXPECT_EQ(codes().text({}),
            "code     params  gate              plan\n"
            "1-9-1-0    38.5  σ(p_k w_d)^(1/τ)  scan\n"
            "ssm         101  exp               matrix products\n");
}

TEST(TextTable, DrawsARuleOnlyOnAUnicodeTerminal) {
  EXPECT_EQ(codes().text(kUnicode),
            "code     params  gate              plan\n"
            "───────  ──────  ────────────────  ───────────────\n"
            "1-9-1-0    38.5  σ(p_k w_d)^(1/τ)  scan\n"
            "ssm         101  exp               matrix products\n");
  EXPECT_EQ(codes().text({.tty = true, .width = 80}), codes().text({}));
}

TEST(TextTable, ShortensColumnsAndNamesThem) {
  EXPECT_EQ(codes().text({.tty = true, .unicode = true, .width = 44}),
            "code     params  gate        plan\n"
            "───────  ──────  ──────────  ───────────────\n"
            "1-9-1-0    38.5  σ(p_k w_d…  scan\n"
            "ssm         101  exp         matrix products\n"
            "(shortened: gate; a wider terminal or a pipe\n"
            "shows all)\n");
}

TEST(TextTable, DropsTrailingColumnsAndNamesThem) {
  EXPECT_EQ(codes().text({.tty = true, .width = 26}),
            "code     params  gate\n"
            "1-9-1-0    38.5  σ(p_k ...\n"
            "ssm         101  exp\n"
            "(not shown: plan;\n"
            "shortened: gate; a wider\n"
            "terminal or a pipe shows\n"
            "all)\n");
}

TEST(TextTable, NoLineIsWiderThanTheTerminal) {
  for (int width = 5; width < 60; ++width) {
    const std::string text = codes().text({.tty = true, .unicode = true, .width = width});
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
      EXPECT_LE(display_width(text.substr(at, text.find('\n', at) - at)), width) << text;
  }
}

TEST(TextTable, ColourDoesNotShiftColumns) {
  TextTable table({{"check"}, {"result"}});
  table.add_row({"\033[32mok\033[0m", "disk"});
  table.add_row({"failed", "locks"});
  EXPECT_EQ(table.text({}), "check   result\n\033[32mok\033[0m      disk\nfailed  locks\n");
}

TEST(TextTable, RejectsARowOfTheWrongLength) {
  TextTable table({{"one"}, {"two"}});
  EXPECT_THROW(table.add_row({"only one"}), std::invalid_argument);
}

}  // namespace runner
