// The order, equality and lists of values as texts.
#include "results/text/number_text.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace results {

TEST(NaturalOrder, IsNatural) {
  EXPECT_TRUE(natural_less("1-9-1-0", "1-10-1-0"));
  EXPECT_TRUE(natural_less("9e-4", "1e-3"));
  EXPECT_TRUE(natural_less("a", "ab"));
  EXPECT_FALSE(natural_less("a", "a"));
}

// A map keyed by labels loses rows unless the order is a strict weak ordering.
TEST(NaturalOrder, IsStrictAndTotal) {
  const std::vector<std::string> labels = {"0.9", "0.9x", "0.10", "nan",   "inf", "1e1",
                                           "10",  "9a",   "",     "none",  "-1",  "01",
                                           "1",   "1-9",  "-",    "nan(1)"};
  for (const std::string& a : labels)
    for (const std::string& b : labels) {
      EXPECT_EQ(natural_less(a, b) + natural_less(b, a), a != b) << a << " " << b;
      for (const std::string& c : labels)
        EXPECT_FALSE(natural_less(a, b) && natural_less(b, c) && natural_less(c, a))
            << a << " < " << b << " < " << c << " < " << a;
    }
}

TEST(SameValue, IsThatOfNumbers) {
  EXPECT_TRUE(same_value("1e-3", "0.001"));
  EXPECT_TRUE(same_value("64", "64.0"));
  EXPECT_FALSE(same_value("9007199254740993", "9007199254740992"));
  EXPECT_FALSE(same_value("64", "64k"));
}

TEST(SameValue, IsThatOfOptionsInAnyOrder) {
  EXPECT_TRUE(same_value("mega@z=8,v=16", "mega@v=16,z=8"));
  EXPECT_FALSE(same_value("mega@z=8,v=16", "mega@z=16,v=8"));
  EXPECT_FALSE(same_value("mega@z=8,v=16", "mega@z=8,z=16"));
  EXPECT_FALSE(same_value("mega@z=8", "s4++@z=8"));
}

TEST(ListedValues, MayBeQuoted) {
  using Listed = std::vector<std::string_view>;
  EXPECT_EQ(listed_values("['a, b', \"c,d\" , e]"), (Listed{"a, b", "c,d", "e"}));
  EXPECT_EQ(listed_values("[it's, 'x]"), (Listed{"it's", "x"}));
  EXPECT_TRUE(is_among("max(p, q)", "['max(p, q)', 1]"));
  EXPECT_EQ(listed_values("[1-{1,3}-1-0@k=8,tau=2, max(p, q),ssm]"),
            (Listed{"1-{1,3}-1-0@k=8,tau=2", "max(p, q)", "ssm"}));
  EXPECT_EQ(listed_values("['max(p', q]"), (Listed{"max(p", "q"}));
}

}  // namespace results
