// Expressions over a table with columns of many types, whose values a real server and PostgreSQL must agree about.

/** A table of the schema query_a of PostgreSQL, with NULL, zero, halves, and texts of many letters. */
export const typedTable = `
  CREATE TABLE query_a.things (id int PRIMARY KEY, a int, b int, n numeric(10, 4), f float8, s text, u text, w text,
    vc varchar(20), bo boolean, d date, d2 date, ts timestamp, ts2 timestamp);
  INSERT INTO query_a.things VALUES
    (1, 7, 2, 2.5, 2.5, 'Alpha beta', 'Zürich S', '12', 'x-1,y-2', true, '2024-01-31', '2023-12-25', '2024-01-31 23:59:58.5', '2023-12-31'),
    (2, -7, 2, -2.5, -2.5, 'alpha', 'élan', '9', 'a.b.c', false, '2024-02-29', '2023-02-28', '2024-02-29', '2022-02-28 12:30:45'),
    (3, 0, 5, 0, 0.5, '', '  pad  ', '100', '', NULL, '2023-12-31', '2024-03-10', '2023-12-31 12:00', '2024-03-10 02:30'),
    (4, NULL, 3, NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, '2024-01-01', NULL, '2024-01-01'),
    (5, 10, NULL, 1.2345, 0.25, 'beta_x%y', 'Ünïcode', '-3.5', 'Q''s \\ x', NULL, '2025-03-30', NULL, '2025-03-30 01:30:00.125', NULL),
    (6, 3, 3, 3.1416, 3.14159265358979, 'Beta', 'ZÜRICH', 'abc', 'x1y22z', false, '2020-02-29', '2020-02-29', '2020-02-29 23:59:59.75', '2020-03-01'),
    (7, -1, 4, 12345.6789, -0.1, '10', 'a b  c', ' 8 ', '10%', true, '1999-12-31', '2000-01-01', '1999-12-31 23:59:59', '2000-01-01'),
    (8, 1, 1, 0.5, 1.5, 'B', 'Öl', '0', 'B', false, '2024-12-30', '2024-12-29', '2024-12-30 06:07:08', '2024-12-29 06:07:08')`;

/**
 * Left out is what SQL leaves to each engine, and what nobody writes: where NULL is in a descending order, a start before
 * the text in substring(), floor() and round() to decimals of a division of whole numbers.
 */
export const expressions = String.raw`
t.a / t.b
round(t.f)
length(t.u)
concat(t.s, '-', t.bo)
format('%s-%s', t.s, t.a)
t.s ILIKE 'a%'
t.s LIKE '%\%%'
t.s LIKE 'beta\_x%'
t.s LIKE '%x!%y' ESCAPE '!'
t.s ~ 'a'
t.s ~ '^a'
t.s !~ 'a'
CASE WHEN t.b = 0 THEN 0 ELSE t.a / t.b END
t.n::int
t.n::numeric
t.n::float
CAST(t.s AS varchar(3))
CAST(t.s AS char(3))
t.b + '5'
t.d - t.d2
t.ts - t.ts2
extract(second from t.ts)
date_part('second', t.ts)
age(t.ts, t.ts2)
age(t.d, t.d2)
concat(t.bo, '')
t.a + t.b / 2
1 / 2
7 / 2
10 / 4 * 4
(SELECT count(*) FROM query_a.things) / 3
100 * t.a / (SELECT sum(b) FROM query_a.things)
t.a / (SELECT max(f) FROM query_a.things)
t.a * 100 / count(*) OVER ()
t.a * 100 / sum(t.b) OVER (PARTITION BY t.bo)
t.a * 100 / sum(t.a::bigint) OVER ()
ceil(t.a / t.b)
t.u ILIKE '%ü%'
'5' + t.b
t.n + '5'
t.f + '1.5'
t.a / t.b * 1.0
t.s = 'a' || 'lpha'
t.s LIKE '%' || 'a' || '%'
t.d - DATE '2024-01-01'
DATE '2024-03-01' - t.d
(t.d - t.d2) * 2
(t.d - t.d2) / 2
t.ts::date - t.d
length(t.s)
t.n::text
t.a::numeric
t.a::real
CAST(t.a AS decimal)
concat(t.n, '')
t.n || ''
1.5::int
2.5::int
t.a::numeric / t.b
t.a::float / t.b
CAST(t.a AS float) / t.b
100 * t.a / t.b
round(t.a::numeric / t.b, 3)
round(CAST(t.a AS numeric) / 3, 2)
t.a % t.b
mod(t.a, t.b)
t.a * 1.0 / t.b
t.n / t.b
t.n / 3
power(t.a, 2)
sqrt(abs(t.a))
cbrt(t.f)
exp(t.b)
ln(t.b)
log(t.b)
log10(t.b)
log(2, t.b)
abs(t.n)
sign(t.a)
ceil(t.n)
ceiling(t.f)
floor(t.n)
round(t.n)
round(t.n, 1)
round(t.a, -1)
trunc(t.n)
greatest(t.a, t.b)
least(t.a, t.b)
coalesce(t.a, t.b)
coalesce(t.s, 'none')
nullif(t.a, 0)
nullif(t.s, '')
degrees(t.a)
radians(t.a)
sin(t.a)
atan2(t.a, t.b)
gcd(t.a, t.b)
lcm(t.a, t.b)
factorial(t.b)
char_length(t.u)
character_length(t.u)
bit_length(t.u)
lower(t.u)
trim(t.u)
ltrim(t.u)
rtrim(t.u)
trim(t.s, 'a')
ltrim(t.s, 'Al')
lpad(t.s, 6, '*')
rpad(t.s, 6, '*')
left(t.s, 3)
right(t.s, 3)
left(t.s, -2)
right(t.s, -2)
substring(t.s, 2)
substring(t.s, 2, 3)
substr(t.s, 2, 3)
substring(t.s from 2 for 3)
position('a' in t.s)
strpos(t.s, 'a')
replace(t.s, 'a', 'o')
translate(t.s, 'ab', 'xy')
reverse(t.u)
repeat(t.s, 2)
split_part(t.vc, '-', 1)
split_part(t.vc, '-', -1)
concat(t.s, t.a)
concat_ws('-', t.s, t.u)
concat(t.s, NULL, 'x')
t.s || t.u
t.s || NULL
t.a || 'x'
ascii(t.u)
chr(65 + t.b)
md5(t.s)
to_hex(t.b)
starts_with(t.s, 'al')
regexp_replace(t.vc, '[0-9]', '#')
regexp_replace(t.vc, '[0-9]', '#', 'g')
t.s LIKE 'a%'
t.s NOT LIKE 'a%'
t.a IN (1, 7, NULL)
t.a NOT IN (1, 7, NULL)
t.bo IS TRUE
t.bo IS NOT TRUE
t.bo::int
t.bo::text
t.f::numeric(10,2)
t.a::float8
t.a::smallint
t.a::bigint
CAST(t.n AS decimal(8,2))
CAST(t.f AS integer)
CAST(t.d AS text)
CAST(t.ts AS date)
CAST(t.ts AS time)
CAST(t.d AS timestamp)
'5'::int + t.b
t.ts::date = t.d
t.d + interval '1 month'
t.d - interval '1 day'
t.ts - t.ts2 > interval '30 days'
extract(year from t.d)
extract(month from t.ts)
extract(day from t.ts)
extract(dow from t.d)
extract(isodow from t.d)
extract(doy from t.d)
extract(week from t.d)
extract(isoyear from t.d)
extract(quarter from t.d)
extract(hour from t.ts)
extract(minute from t.ts)
extract(epoch from t.ts)
extract(microseconds from t.ts)
extract(century from t.d)
extract(decade from t.d)
extract(millennium from t.d)
date_part('year', t.d)
date_part('day', t.ts - t.ts2)
date_trunc('month', t.d)
date_trunc('month', t.d)::date
date_part('day', age(t.d, t.d2))
make_date(2024, t.b, 1)
isfinite(t.d)
t.ts::time
t.d::text LIKE '2024%'
left(t.d::text, 7)
substring(t.ts::text, 1, 10)
concat(t.d, '')
t.a IN ('7', '10')
(t.a + t.b) * 2
100.0 * t.a / t.b
lower(t.u) = 'zürich'
t.a IS NULL
(t.a > 0) = t.bo
(t.a > 0)::int
(t.a, t.b) = (7, 2)
row_number() OVER (ORDER BY t.id)
rank() OVER (ORDER BY t.b)
dense_rank() OVER (ORDER BY t.bo, t.b)
lag(t.a) OVER (ORDER BY t.id)
lag(t.a, 2, 0) OVER (ORDER BY t.id)
lead(t.a) OVER (ORDER BY t.id)
first_value(t.a) OVER (ORDER BY t.id)
last_value(t.a) OVER (ORDER BY t.id)
nth_value(t.a, 2) OVER (ORDER BY t.id)
ntile(3) OVER (ORDER BY t.id)
sum(t.a) OVER (ORDER BY t.id)
sum(t.a) OVER (PARTITION BY t.bo ORDER BY t.id)
avg(t.a) OVER (PARTITION BY t.bo)
avg(t.n) OVER ()
count(t.a) OVER (PARTITION BY t.bo)
percent_rank() OVER (ORDER BY t.id)
cume_dist() OVER (ORDER BY t.id)
max(t.s) OVER ()
min(t.s) OVER ()
t.b % '2'
t.b + CAST('5' AS int)
t.b + '5'::int
t.bo::int + 1
t.a / -2.0
t.a % -3
-t.a % 3
t.a - (t.b - 1)
t.a / (t.b * 2.0)
t.a * (t.b + 1) * 2
(t.a + t.b) % 3
100 - (t.a - t.b)
2.0 * (t.a / 2.0)
NOT (t.a > 0 OR t.b > 2)
NOT (t.a > 0 AND t.b > 2)
(t.a > 0 OR t.b > 2) AND t.bo
t.a + (t.b = 2)::int
(t.a IS NULL) = t.bo
t.a IS NULL OR t.b IS NULL
(t.a = 7) IS NOT FALSE
t.s NOT IN ('alpha', 'B')
t.s IN ('alpha', NULL)
t.s LIKE 'A%' OR t.s LIKE 'b%'
NOT t.s LIKE 'A%'
t.s LIKE t.s
t.vc LIKE '%''%'
t.s || ' ' || t.u
coalesce(t.s, '') || coalesce(t.w, '')
t.s || ' (' || t.a::text || ')'
upper(left(t.s, 1)) || lower(substring(t.s, 2))
t.s LIKE concat('%', 'a')
t.d + INTERVAL '1 month' - INTERVAL '1 day'
t.d + 7 * INTERVAL '1 day'
t.d + t.b * INTERVAL '1 day'
date_trunc('month', t.d) + INTERVAL '1 month' - INTERVAL '1 day'
t.d + INTERVAL '1 week'
t.d - INTERVAL '1 day' = '2024-01-30'
(t.ts::date - t.ts2::date)
coalesce(t.d, DATE '2024-01-01')
date_part('month', t.ts)::int
date_part('year', t.d) || '-' || date_part('month', t.d)
extract(year from t.d)::text
extract(year from t.d) || '-Q' || extract(quarter from t.d)
extract(month from t.d) IN (1, 2)
extract(year from t.d) = 2024
extract(dow from t.d) IN (0, 6)
CASE WHEN extract(hour from t.ts) < 12 THEN 'am' ELSE 'pm' END
replace(t.s, 'A', NULL)
string_agg(t.s, ',') OVER (ORDER BY t.id)
array_agg(t.a) OVER (ORDER BY t.id)
greatest(t.a, NULL, t.b)
least(t.a, 5)
greatest(t.a, 1.5)
coalesce(t.a, 0.5)
coalesce(NULL, t.a)
coalesce(t.a, t.n, 0)
nullif(t.a, t.b)
nullif(t.b, 2) IS NULL
round(t.n * 100) / 100
round(t.n * 100.0 / 3, 1)
round(100.0 * t.a / t.b, 1)
sum(t.n) OVER ()
trunc(t.a / 2.0)
ceil(t.a / 2.0)
floor(t.a / 2.0)
mod(t.a, 3)
t.n % 2
sqrt(t.b)
abs(-t.n)
sign(-t.n)
sum(t.n * 2) OVER ()
trunc(t.n, 2)
t.d + t.b
t.d - (t.a)
btrim(t.u)
to_char(t.d, 'YYYY-MM')
extract(epoch from t.ts - t.ts2)
(t.a * 1.5)::int
avg(t.b) OVER (PARTITION BY t.bo)
`
  .trim()
  .split("\n");
