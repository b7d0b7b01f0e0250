struct item { int id; const char *name; struct item *next; };
int parse(const char *text, struct item *out);
int store(struct item *it);
int noisy(int n);
