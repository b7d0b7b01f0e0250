"""One observation in, one envelope out.

`run` holds the order of the stages and is the only module that touches the
store and the clock (with `deadline`); `classify`, `policy`, `guard` and
`emit` are pure.
"""
