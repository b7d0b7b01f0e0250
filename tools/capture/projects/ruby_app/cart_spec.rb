RSpec.describe "Cart" do
  40.times { |n| it("keeps error code #{n}") { expect(n).to eq(n) } }

  context "with a discount" do
    it "subtracts it" do
      expect({ sum: 100, items: %w[pen ink] }).to eq({ sum: 90, items: %w[pen ink] })
    end

    it "prints a receipt" do
      expect("pen\nink\ntotal 100\n").to eq("pen\nink\ntotal 90\n")
    end
  end

  it "knows the currency" do
    raise KeyError, "key not found: \"XTS\""
  end

  it "is sent by mail", :pending do
    expect(1).to eq(2)
  end
end
