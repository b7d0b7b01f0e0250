export const   ugly = {a:1,
 b :2}
