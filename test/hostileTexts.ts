// Texts that break what is put together without care: quotes, escapes, comments, statements.

export const hostileTexts = [
  "it's",
  'say "hi"',
  "back`tick",
  "back\\slash",
  "ends with \\",
  "line\nbreak\r\nand tab\t.",
  "-- comment",
  "/* comment */",
  "'; DROP TABLE x; --",
  "a' OR '1'='1",
  "\\' OR 1=1 --",
  "'quoted'",
  '"quoted"',
  "100% _under",
  ":question",
  "{brace} %s $1 ?",
  "Straße 🏠 ｕｎｉｃｏｄｅ",
];
