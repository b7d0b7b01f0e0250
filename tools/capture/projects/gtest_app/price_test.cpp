#include <gtest/gtest.h>
#include <stdexcept>
#include "price.h"

TEST(Price, NoDiscount) { EXPECT_EQ(300, price(3, 0)); }
TEST(Price, ErrorOnNegative) { EXPECT_LT(price(0, 1), 0); }
TEST(Price, Discount) {
  EXPECT_EQ(250, price(3, 40)) << "three with discount";
  EXPECT_EQ(100, price(1, 0));
}
TEST(Label, Pads) { EXPECT_EQ("1.05", label(105)); }
TEST(Label, Throws) { throw std::runtime_error("no currency set"); }
class Many : public ::testing::TestWithParam<int> {};
TEST_P(Many, IsLinear) { EXPECT_EQ(GetParam() * 100, price(GetParam(), 0)); }
INSTANTIATE_TEST_SUITE_P(Units, Many, ::testing::Range(1, 60));
