use strict; use warnings; use Test::More;
is(1 + 1, 2, 'adds');
is_deeply({ sum => 100, items => ['pen'] }, { sum => 90, items => ['pen'] }, 'discount is subtracted');
is("total 100\n", "total 90\n", 'receipt');
TODO: { local $TODO = 'not written'; ok(0, 'mail'); }
SKIP: { skip 'needs a broker', 1; }
done_testing;
