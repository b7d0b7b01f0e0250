use strict; use warnings; use Test::More tests => 40;
ok($_ > 0, "keeps error code $_") for 1 .. 40;
