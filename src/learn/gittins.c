#include "learn/gittins.h"

double fg_gittins(double a, double b, double discount)
{
    double n = a + b, mean = a / n, deviation = sqrt(mean * (1 - mean) / (n + 1));
    return mean + deviation * fg_gittins_reach(1 / (-log(discount) * (n + 1)));
}
