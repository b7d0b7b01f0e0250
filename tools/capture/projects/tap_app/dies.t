use strict; use warnings; use Test::More tests => 5;
ok(1, 'starts');
die "cannot open queue: jobs\n";
