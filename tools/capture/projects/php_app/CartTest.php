<?php
use PHPUnit\Framework\TestCase;

final class CartTest extends TestCase
{
    /** @dataProvider prices */
    public function testError(int $price): void
    {
        $this->assertSame($price, $price);
    }

    public function prices(): array
    {
        return array_map(fn ($n) => [$n], range(1, 90));
    }

    public function testDiscount(): void
    {
        $this->assertSame(['sum' => 90, 'items' => ['pen', 'ink']], ['sum' => 100, 'items' => ['pen', 'ink']]);
    }

    public function testReceipt(): void
    {
        $this->assertSame("pen\nink\ntotal 90\n", "pen\nink\ntotal 100\n");
    }

    public function testCurrency(): void
    {
        throw new DomainException('unknown currency: XTS');
    }

    public function testLater(): void
    {
        $this->markTestSkipped('needs a broker');
    }
}
