var unused_error_1 = 1;
var unused_error_2 = 2;
var unused_error_3 = 3;
var unused_error_4 = 4;
var unused_error_5 = 5;
var unused_error_6 = 6;
var unused_error_7 = 7;
var unused_error_8 = 8;
var unused_error_9 = 9;
var unused_error_10 = 10;
var unused_error_11 = 11;
var unused_error_12 = 12;
var unused_error_13 = 13;
var unused_error_14 = 14;
var unused_error_15 = 15;
var unused_error_16 = 16;
var unused_error_17 = 17;
var unused_error_18 = 18;
var unused_error_19 = 19;
var unused_error_20 = 20;
var unused_error_21 = 21;
export function late() {
  return not_defined_anywhere;
}
