"""A cart and its price."""

import warnings


def total(prices, discount=0):
    """Sum of prices, less a discount in per cent.

    >>> total([10, 20])
    30
    >>> total([10], 50)
    6
    """
    return sum(prices) * (100 - discount) // 100


def legacy(number):
    warnings.warn(f"legacy({number}) is deprecated, use total()", DeprecationWarning, stacklevel=2)
    return number


def describe(cart):
    return {"items": len(cart), "total": total(cart), "currency": "EUR", "lines": [f"line {n}" for n in cart]}
