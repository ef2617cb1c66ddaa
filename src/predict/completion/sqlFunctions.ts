// Functions that MindsDB reads: DuckDB's where it computes itself, which most data sources have, too, and its own.
import type { SqlSuggestion } from "./suggestion.ts";

/** `name(parameters)`, by their order of use. */
const signatures = `
count(*)
sum(number)
avg(number)
min(value)
max(value)
median(number)
stddev(number)
variance(number)
string_agg(text, separator)
array_agg(value)
coalesce(value, …)
nullif(value, other)
greatest(value, …)
least(value, …)
concat(text, …)
upper(text)
lower(text)
length(text)
trim(text)
ltrim(text)
rtrim(text)
left(text, count)
right(text, count)
substring(text, start, length)
replace(text, search, replacement)
split_part(text, separator, index)
strpos(text, search)
starts_with(text, search)
contains(text, search)
lpad(text, length, fill)
rpad(text, length, fill)
repeat(text, count)
reverse(text)
md5(text)
regexp_matches(text, pattern)
regexp_extract(text, pattern)
regexp_replace(text, pattern, replacement)
abs(number)
round(number, digits)
ceil(number)
floor(number)
mod(number, divisor)
power(number, exponent)
sqrt(number)
exp(number)
ln(number)
random()
now()
extract(part FROM date)
date_part(part, date)
date_trunc(part, date)
strftime(date, format)
strptime(text, format)
year(date)
month(date)
day(date)
hour(time)
minute(time)
second(time)
dayname(date)
monthname(date)
last_day(date)
json_extract(json, path)
json_extract_string(json, path)
row_number()
rank()
dense_rank()
ntile(count)
lag(value)
lead(value)
first_value(value)
last_value(value)
database()
version()
llm(prompt)
to_markdown(file)
`;

/** A function with its parameters; undefined for one that is not known. */
export function findSignature(name: string): string | undefined {
  const start = `${name.toLowerCase()}(`;
  return signatures.split("\n").find((line) => line.startsWith(start));
}

/** `isCall`: parentheses follow already. */
export function readFunctions(isCall: boolean): SqlSuggestion[] {
  return signatures
    .trim()
    .split("\n")
    .map((detail) => {
      const [label = ""] = detail.split("(");
      const close = detail.endsWith("()") ? "()" : "($0)";
      return { kind: "function", label, text: isCall ? label : label + close, detail };
    });
}
