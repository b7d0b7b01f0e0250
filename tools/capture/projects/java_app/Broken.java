import java.util.List;
import java.util.Missing;

public class Broken {
    private final List<String> names = List.of("a", 1);

    int count(String text) {
        int total = text.size();
        String label = total;
        undefinedCall(label)
        return total;
    }

    @Override
    public String describe() { return names.get("0"); }
}
