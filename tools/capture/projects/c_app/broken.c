#include "app.h"

int total(struct item *it, unsigned limit) {
    int sum = 0;
    for (int i = 0; i < limit; i++) {
        sum += it->idd;
        it = it->nxt;
    }
    return sum
}

int later(struct item *it) {
    return lookup(it, "key");
}
