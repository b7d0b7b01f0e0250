#pragma once
#include <string>
int price(int units, int discount);
std::string label(int cents);
