#include "app.h"

int noisy(int n) {
    int unused_1 = n * 1;
    int unused_2 = n * 2;
    int unused_3 = n * 3;
    int unused_4 = n * 4;
    int unused_5 = n * 5;
    int unused_6 = n * 6;
    int unused_7 = n * 7;
    int unused_8 = n * 8;
    int unused_9 = n * 9;
    int unused_10 = n * 10;
    int unused_11 = n * 11;
    int unused_12 = n * 12;
    int unused_13 = n * 13;
    int unused_14 = n * 14;
    int unused_15 = n * 15;
    int unused_16 = n * 16;
    int unused_17 = n * 17;
    int unused_18 = n * 18;
    int unused_19 = n * 19;
    int unused_20 = n * 20;
    int unused_21 = n * 21;
    int unused_22 = n * 22;
    int unused_23 = n * 23;
    int unused_24 = n * 24;
    return n;
}
