#include "app.h"

int store(struct item *it) {
    int total = 0;
    for (; it; it = it->next) total += it->id;
    return total;
}
