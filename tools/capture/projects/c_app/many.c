#include "app.h"

int many(int n) {
    int spare_1 = n + 1;
    int spare_2 = n + 2;
    int spare_3 = n + 3;
    int spare_4 = n + 4;
    int spare_5 = n + 5;
    int spare_6 = n + 6;
    int spare_7 = n + 7;
    int spare_8 = n + 8;
    int spare_9 = n + 9;
    int spare_10 = n + 10;
    int spare_11 = n + 11;
    int spare_12 = n + 12;
    int spare_13 = n + 13;
    int spare_14 = n + 14;
    int spare_15 = n + 15;
    int spare_16 = n + 16;
    int spare_17 = n + 17;
    int spare_18 = n + 18;
    int spare_19 = n + 19;
    int spare_20 = n + 20;
    int spare_21 = n + 21;
    return n + missing_limit;
}
