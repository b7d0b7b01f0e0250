let a = 1;
if (a == 2) { debugger; }
var unused = 3;
export { a };
