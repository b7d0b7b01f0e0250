#include "price.h"
int price(int units, int discount) { return units * 100 - discount; }
std::string label(int cents) {
  return std::to_string(cents / 100) + "." + std::to_string(cents % 100);
}
