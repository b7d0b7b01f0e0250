#include <stdio.h>
#include "app.h"

int main(int argc, char **argv) {
    struct item it;
    if (argc < 2) return 1;
    if (parse(argv[1], &it) != 0) return 2;
    printf("%d\n", store(&it));
    return noisy(argc);
}
