#include <stdio.h>

struct node { int value; struct node *next; };

static int last(struct node *n) {
    while (n->value != 7) n = n->next;
    return n->value;
}

int main(void) {
    struct node b = {2, 0}, a = {1, &b};
    puts("walking");
    fflush(stdout);
    return last(&a);
}
