import java.util.List;
import java.util.ArrayList;

public class Types {
    private final List<String> names = new ArrayList<Integer>();

    int count(String text) {
        int total = text.size();
        String label = total;
        return total + missing;
    }

    @Override
    public String describe() { return names.get("0"); }
}
