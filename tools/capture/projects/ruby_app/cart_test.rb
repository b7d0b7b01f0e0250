require "minitest/autorun"

class CartTest < Minitest::Test
  def total(*prices) = prices.sum

  80.times do |n|
    define_method("test_error_#{n}") { assert_equal n, total(n) }
  end

  def test_discount
    assert_equal({ sum: 90, items: %w[pen ink] }, { sum: 100, items: %w[pen ink] })
  end

  def test_raises
    raise ArgumentError, "unknown currency: XTS"
  end

  def test_skipped
    skip "needs a broker"
  end
end
