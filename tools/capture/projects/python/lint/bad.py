import os, sys
import json
from typing import List


def f(a:int, b: List[int] = [])->int:
    x = 1
    if a == None:
        return "none"
    try:
        return a.bit_size() + len(b)
    except:
        pass
    l = lambda: undefined_name
    eval("1")
    return b


class C:
    def m(self, y: str) -> None:
        self.z: int = y
        f("one", ["two"])
        self.missing()
