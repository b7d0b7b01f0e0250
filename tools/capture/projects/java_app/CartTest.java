import static org.junit.Assert.assertEquals;
import org.junit.Test;

public class CartTest {
    static int total(int... prices) {
        int sum = 0;
        for (int price : prices) sum += price;
        return sum;
    }

    @Test public void empty() { assertEquals(0, total()); }
    @Test public void one() { assertEquals(3, total(3)); }
    @Test public void discount() { assertEquals("cart with discount", 90, total(50, 50)); }
    @Test public void text() { assertEquals("first line\nsecond line", "first line\nsecond lime"); }
    @Test public void currency() { Helper.rate(null); }

    static class Helper {
        static int rate(String code) {
            try {
                return code.length();
            } catch (NullPointerException e) {
                throw new IllegalStateException("no rate for " + code, e);
            }
        }
    }
}
