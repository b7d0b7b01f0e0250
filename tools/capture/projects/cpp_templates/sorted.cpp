#include <algorithm>
#include <list>
#include <map>
#include <string>

struct Key { int id; };

int main() {
    std::list<int> numbers{3, 1, 2};
    std::sort(numbers.begin(), numbers.end());
    std::map<Key, std::string> names;
    names[Key{1}] = "one";
    return 0;
}
