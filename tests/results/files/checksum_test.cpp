#include "results/files/checksum.h"

#include <gtest/gtest.h>

namespace results {

TEST(Checksum, IsThatOfZlib) {
  EXPECT_EQ(crc32("123456789"), 0xCBF43926U);  // the check value of CRC-32/ISO-HDLC
  EXPECT_EQ(crc32(""), 0U);
}

TEST(Checksum, OfCastagnoliIsThatOfRfc3720) {
  EXPECT_EQ(crc32c("123456789"), 0xE3069283U);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAU);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62A8AB43U);
}

TEST(Checksum, ContinuesFromThatOfTheBytesBefore) {
  EXPECT_EQ(crc32("789", crc32("123456")), 0xCBF43926U);
}

TEST(Checksum, IsShownInEightDigits) {
  EXPECT_EQ(crc_text(0xCBF43926U), "cbf43926");
  EXPECT_EQ(crc_text(10), "0000000a");
}

}  // namespace results
