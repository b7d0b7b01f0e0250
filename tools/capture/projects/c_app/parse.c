#include <stdlib.h>
#include "app.h"

int parse(const char *text, struct item *out) {
    out->id = atoi(text);
    out->name = text;
    out->next = 0;
    return out->id < 0;
}
