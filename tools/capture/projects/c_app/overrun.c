#include <stdlib.h>
#include <string.h>

static char *copy(const char *text, size_t n) {
    char *out = malloc(n);
    memcpy(out, text, n + 1);
    return out;
}

int main(void) {
    char *text = copy("0123456789", 10);
    return text[3] == 'x';
}
