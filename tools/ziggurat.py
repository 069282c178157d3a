#!/usr/bin/env python3
"""Print src/base/ziggurat.c: tools/ziggurat.py > src/base/ziggurat.c

The area under a decreasing curve f is cut into 256 layers of equal area v: 255 rectangles
and a bottom layer that has the tail beyond r. edge[i] is the width of layer i, so
edge[1] = r, edge[256] = 0 and edge[0] = v / f(r) is the bottom layer's width if it were a
rectangle; height[i] = f(edge[i]). Only one r makes the topmost layer end at f(0) = 1; it
is found by bisection. Doubles suffice: an edge that is off by one in the last place moves
a layer's share by 2^-53.
"""
import math

LAYERS = 256


def stack(r, f, inverse, tail):
    """The edges for a given r, and how far the last layer misses the top."""
    v = r * f(r) + tail(r)
    edges = [v / f(r), r]
    for _ in range(LAYERS - 2):
        level = f(edges[-1]) + v / edges[-1]
        if level >= 1:
            return edges, level - 1
        edges.append(inverse(level))
    return edges + [0.0], f(edges[-1]) + v / edges[-1] - 1


def solve(low, high, *curve):
    while True:
        middle = (low + high) / 2
        if middle in (low, high):
            edges = stack(high, *curve)[0]
            return (edges + [0.0])[: LAYERS + 1]
        if stack(middle, *curve)[1] > 0:
            low = middle  # r too small: the layers are too thick and overshoot
        else:
            high = middle


def show(name, values):
    print(f"\nconst double fg_{name}[{LAYERS + 1}] = {{")
    for i in range(0, len(values), 4):
        print("    " + " ".join(f"{value:.17g}," for value in values[i : i + 4]))
    print("};")


normal = (
    lambda x: math.exp(-x * x / 2),
    lambda y: math.sqrt(-2 * math.log(y)),
    lambda r: math.sqrt(math.pi / 2) * math.erfc(r / math.sqrt(2)),
)
exponential = (lambda x: math.exp(-x), lambda y: -math.log(y), lambda r: math.exp(-r))

print("""\
/* The layers of the two ziggurats, made by tools/ziggurat.py, which explains them. */
#include "base/ziggurat.h"

/* clang-format off */""")
for name, curve, low, high in (
    ("normal", normal, 3.0, 4.5),
    ("exponential", exponential, 6.0, 9.0),
):
    edges = solve(low, high, *curve)
    show(f"{name}_edge", edges)
    show(f"{name}_height", [curve[0](edge) for edge in edges])
