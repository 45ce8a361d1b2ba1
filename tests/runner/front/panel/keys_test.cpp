#include "runner/front/panel/keys.h"

#include <gtest/gtest.h>

namespace runner {
namespace {

using Keys = std::vector<KeyPress>;

}  // namespace

TEST(PanelKeys, ArrowsEnterAndLetters) {
  KeyReader reader;
  EXPECT_EQ(reader.take("\033[A\033OB\r"), (Keys{{Key::kUp}, {Key::kDown}, {Key::kEnter}}));
  EXPECT_EQ(reader.take("q+j"), (Keys{{Key::kLetter, 'q'}, {Key::kLetter, '+'}, {Key::kDown}}));
  EXPECT_EQ(reader.take("\033[5~\033[6~"), (Keys{{Key::kPageUp}, {Key::kPageDown}}));
}

TEST(PanelKeys, AnArrowMayArriveInPieces) {
  KeyReader reader;
  EXPECT_TRUE(reader.take("\033").empty());
  EXPECT_TRUE(reader.take("[").empty());
  EXPECT_EQ(reader.take("A"), Keys{{Key::kUp}});
}

TEST(PanelKeys, ALoneEscapeIsTheKey) {
  KeyReader reader;
  EXPECT_TRUE(reader.take("\033").empty());
  EXPECT_EQ(reader.settle(), Keys{{Key::kEscape}});
  EXPECT_TRUE(reader.settle().empty());
  EXPECT_EQ(reader.take("\033q"), (Keys{{Key::kEscape}, {Key::kLetter, 'q'}}));
}

TEST(PanelKeys, DropsUnknownSequences) {
  KeyReader reader;
  EXPECT_TRUE(reader.take("\033[200~\033[1;5C").empty());
  EXPECT_TRUE(reader.take("\033[1111111111111111111111").empty()) << "without an end";
  EXPECT_EQ(reader.take("p"), (Keys{{Key::kLetter, 'p'}}));
}

}  // namespace runner
