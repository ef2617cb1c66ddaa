// The SQL that MindsDB accepts, as rules. The servers 25.14.1 and 26.1.0 read it with mindsdb-sql-parser 0.13.8, an LALR(1)
// parser. Its grammar is ambiguous in many places, so what it accepts is what is left after its conflicts are resolved:
// these rules are divided like the server's, and their order matters where two of them fit. lalr.ts makes tables of them.
//
// name = a B 'c'    a rule: lower case for other rules, upper case for keywords and values, quotes for marks
// | ...             another form of the rule
// [a b] {a | b}     optional; one of
// %unary            the operator's precedence is that of another, see `precedence`
// -> check          what the server checks when it has read the form, see checks.ts

/** From the weakest to the strongest. Operators that are missing here bind as they come, from the right. */
export const precedence: readonly [associativity: "left" | "right" | "nonassoc", tokens: string][] =
  [
    ["left", "OR"],
    ["left", "AND"],
    ["right", "not"],
    ["left", "= != :="],
    ["nonassoc", "< <= > >= IN NOT_IN BETWEEN IS IS_NOT NOT_LIKE LIKE >> <<"],
    ["left", "->"],
    ["left", "+ -"],
    ["left", "& ^ |"],
    ["left", "* / :: %"],
    ["right", "unary"],
  ];

const statements = String.raw`
statement = show | transaction | alterTable | explain | set | use | describe | trainModel | createSource | view
| detectAnomalies | drop | select | insert | union | update | delete | evaluate | alterDatabase | createTable | job
| createBot | updateObject | trigger | knowledgeBase | createSkill | createAgent

knowledgeBase = CREATE KNOWLEDGE_BASE ifNotExists name [USING options] -> knowledgeBase
| ALTER KNOWLEDGE_BASE name USING options
| CREATE INDEX ON KNOWLEDGE_BASE name [WITH '(' options ')']
| EVALUATE KNOWLEDGE_BASE name USING options
createSkill = CREATE SKILL ifNotExists name USING options -> skill
createAgent = CREATE AGENT ifNotExists name USING options
createBot = CREATE CHATBOT name USING options -> chatbot
updateObject = UPDATE {SKILL | AGENT | CHATBOT} name SET options
| ALTER AGENT name USING options

trigger = CREATE TRIGGER name ON name [COLUMNS columns] '(' text ')'
job = CREATE JOB ifNotExists name [AS] '(' text ')' [schedule] [IF '(' text ')']
schedule = {START | EVERY} {string | word}
| END string
| EVERY integer word
| schedule schedule -> schedule

explain = EXPLAIN name
alterTable = ALTER TABLE name word word
drop = DROP INDEX ON KNOWLEDGE_BASE name
| DROP {CHATBOT | TRIGGER} name
| DROP {KNOWLEDGE_BASE | SKILL | AGENT | JOB | VIEW | DATABASE | PROJECT | SCHEMA} ifExists name
| DROP {PREDICTOR | MODEL | DATASOURCE | DATASET | TABLE | ML_ENGINE} ifExists name
| DROP VIEW ifExists list
alterDatabase = ALTER DATABASE name options
transaction = START TRANSACTION | BEGIN | COMMIT | ROLLBACK

set = SET settings
settings = setting | settings ',' setting
setting = word {word | constant | name}
| word {word | constant} COLLATE {word | constant} -> names
| charset {constant | word}
charset = CHARACTER SET | CHARSET
setting = [scope] TRANSACTION modes
modes = modes ',' mode
| mode
mode = ISOLATION LEVEL level | access
level = REPEATABLE READ | READ COMMITTED | READ UNCOMMITTED | SERIALIZABLE
access = READ WRITE | READ ONLY
setting = [scope] {name | variable} '=' expression
scope = GLOBAL | PERSIST | PERSIST_ONLY | SESSION

show = show WHERE expression
| show LIKE string
| show FROM name
| show IN name
| SHOW [showModes] category
| SHOW word word name
| SHOW {REPLICA | SLAVE} STATUS [FOR CHANNEL word]
category = word [word]
showModes = showMode | showModes showMode
showMode = EXTENDED | FULL

describe = DESCRIBE name
| DESCRIBE {JOB | SKILL | CHATBOT | TRIGGER | KNOWLEDGE_BASE | PROJECT | ML_ENGINE} name
| DESCRIBE name name -> described
use = USE name
`;

const changes = String.raw`
delete = DELETE FROM name [WHERE expression] -> deleteWhere
update = UPDATE name SET assignments [FROM '(' select ')' AS word WHERE expression]
| UPDATE name SET assignments WHERE expression
| UPDATE name ON orderTerms FROM '(' select ')'
insert = INSERT INTO name ['(' columns ')'] {select | union}
| INSERT INTO name ['(' columns ')'] VALUES rows
rows = rows ',' rows
| '(' items ')'

view = {CREATE VIEW ifNotExists | ALTER VIEW} name viewSource [AS] '(' text ')' [USING options]
viewSource = FROM name | empty

columnDefinition = word word
| word word DEFAULT word
| word word PRIMARY_KEY
| word word '(' INTEGER ')' [PRIMARY_KEY]
| word word '(' INTEGER ',' INTEGER ')'
| word word '(' INTEGER ')' DEFAULT word
| PRIMARY_KEY '(' columns ')'
| columnDefinition [NOT] NULL -> nullable
columnDefinitions = columnDefinition | columnDefinitions ',' columnDefinition
createTable = CREATE orReplace TABLE ifNotExists name '(' columnDefinitions ')'
| CREATE orReplace TABLE ifNotExists name {select | '(' select ')'}

trainModel = trainModel USING options
| trainModel {HORIZON | WINDOW} integer
| trainModel GROUP_BY items
| trainModel ORDER_BY orderTerms
| CREATE orReplace {PREDICTOR | MODEL} ifNotExists name [FROM name '(' text ')'] PREDICT targets
| CREATE orReplace MODEL ifNotExists name FROM '(' text ')' PREDICT targets
detectAnomalies = CREATE ANOMALY DETECTION MODEL name [FROM name '(' text ')']
| CREATE ANOMALY DETECTION MODEL name PREDICT targets [FROM name '(' text ')']
| CREATE ANOMALY DETECTION MODEL name FROM name '(' text ')' PREDICT targets
| detectAnomalies USING options
trainModel = RETRAIN [MODEL] name [FROM [name] '(' text ')'] [PREDICT targets]
| FINETUNE [MODEL] name FROM [name] '(' text ')'
evaluate = EVALUATE name FROM '(' text ')' [USING options]

createSource = CREATE ML_ENGINE ifNotExists name FROM word [USING options]
| CREATE orReplace database [[','] PARAMETERS ['='] json]
database = DATABASE ifNotExists name [ENGINE ['='] string]
| DATABASE ifNotExists name WITH ENGINE ['='] string
| DATABASE ifNotExists name USING ENGINE '=' string
| PROJECT ifNotExists name
`;

const queries = String.raw`
union = {select | union} {UNION | INTERSECT | EXCEPT} [ALL | DISTINCT] select
select = '(' select ')'
union = '(' union ')'
select = withQueries select
withQueries = withQueries ',' name withColumns AS '(' {select | union} ')'
| WITH name withColumns AS '(' {select | union} ')'
withColumns = empty | '(' list ')'

select = select FOR UPDATE -> mode
| select OFFSET constant -> offset
| select LIMIT constant [',' constant] -> limit
| select FETCH_FIRST constant ROWS_ONLY -> limit
| select ORDER_BY orderTerms -> orderBy
orderTerms = orderTerms ',' orderTerm
| orderTerm
orderTerm = orderTerm {NULLS_FIRST | NULLS_LAST | DESC | ASC}
| expression
select = select USING options
| select HAVING expression -> having
| select GROUP_BY items -> groupBy
| select WHERE expression -> where
| select FROM {aliasedSource | sources | joins} -> from

joins = {aliasedSource | joins} join aliasedSource [ON expression]
sources = {aliasedSource | sources | joins} ',' aliasedSource
aliasedSource = source [AS] {name | doubleQuoted} -> alias
| source
source = name '(' text ')'
| '(' statement ')' [AS word]
| '(' statement ')' AS word '(' columns ')' -> columnAliases
| PLUGINS
| ENGINES
| name
| parameter
joinKind = [LEFT | RIGHT | INNER | FULL | CROSS | OUTER | LEFT OUTER | FULL OUTER] JOIN
join = joinKind
| ASOF joinKind
| LEFT ASOF JOIN
| joinKind LATERAL

select = SELECT DISTINCT targets
| SELECT DISTINCT ON '(' items ')' targets
| SELECT targets
targets = targets ',' target
| target
target = target [AS] {name | doubleQuoted | singleQuoted} -> alias
| '(' select ')'
| star
| {expression | call | windowCall}
columns = columns ',' word
| word
`;

const expressions = String.raw`
case = CASE [expression] whens [ELSE expression] END
whens = when | whens when
when = WHEN expression THEN expression
windowCall = expression OVER '(' window [word BETWEEN word word AND word word] ')'
window = window PARTITION_BY items
| window ORDER_BY orderTerms
| empty

expression = '(' {select | union} ')'
| '(' expression ')'
call = name '(' expression FROM expression ')'
| name '(' expression FROM expression FOR expression ')'
| DATABASE '(' ')'
| name '(' DISTINCT items ')'
| {functionName | name} '(' arguments ')' -> called
| name '(' star ')' -> called
expression = INTERVAL string [word]
| INTERVAL integer word
call = {EXISTS | NOT_EXISTS} '(' select ')'
expression = expression BETWEEN expression AND expression
arguments = items | empty
expression = CAST '(' expression AS word ['(' integer [',' integer] ')'] ')'
| CONVERT '(' expression {',' | USING} word ')'
| DATE string
| expression '::' {word | DATE}
items = list
| expression
expression = '(' list ')'
star = '*'
expression = expression {'+' | '-' | '~' | '!~' | '*' | '/' | '%' | '&' | '^' | '|'} expression
| expression ':=' expression -> assignment
| expression {'=' | '!=' | '>>' | '<<' | '>=' | '>'} expression
| expression {'>=' | '>'} LAST
| expression {'<=' | '<' | AND | OR | IS_NOT | IS | LIKE | NOT_LIKE | '||'} expression
| expression {'<->' | '<+>' | '<#>' | '<=>' | '<~>' | '<%>'} expression
| expression {'->' | '->>'} constant
| expression {NOT_IN | '@>' | '<@' | '&&' | IN} expression
| '-' expression %unary
| NOT expression %not
constant = '-' constant %unary -> negative
assignments = assignment | assignments ',' assignment
assignment = word '=' expression
list = list ',' expression
| expression ',' expression
expression = name | parameter | constant | latest | case | call
latest = LATEST
constant = NULL | TRUE | FALSE | ON
| integer
| float
| string

object = word '(' options ')'
options = option | options ',' option
option = name '=' {object | jsonValue | name} -> option
json = '{' [jsonMembers] '}'
jsonMembers = jsonMember | jsonMembers ',' jsonMember
jsonMember = string ':' jsonValue
jsonArray = '[' [jsonItems] ']'
jsonItems = jsonValue | jsonItems ',' jsonValue
jsonValue = float | string | integer | variable | NULL | TRUE | FALSE | jsonArray | json

name = name '.' {name | integer | doubleQuoted | star}
string = singleQuoted | doubleQuoted
name = name WITH ROLLUP
| name '(+)'
| word
| doubleQuoted -> alias
parameter = PARAMETER
functionName = word | FULL | RIGHT | LEFT
word = {WORDS}
| charset
float = FLOAT
integer = INTEGER -> digits
singleQuoted = SINGLE_QUOTED
doubleQuoted = DOUBLE_QUOTED
text = '(' text ')'
| text '(' ')'
| text text
expression = variable
variable = SYSTEM_VARIABLE | VARIABLE
orReplace = OR REPLACE | empty
ifNotExists = IF NOT_EXISTS | empty
ifExists = IF EXISTS | empty
text = {TOKENS}
empty =
select = TABLE name -> table
`;

/** Keywords that are also names, in the place of WORDS. */
export const words = `
ID BEGIN CAST DATE CHANNEL CODE COLLATION COLUMNS COMMIT COMMITTED DATASET DATASETS DATABASE DATABASES DATASOURCE
DATASOURCES ENGINE ENGINES EXTENDED FIELDS GLOBAL HORIZON HOSTS INDEXES INDEX INTEGRATION INTEGRATIONS INTERVAL
ISOLATION KEYS LATEST LAST LEVEL LOGS MASTER MUTEX OFFSET ONLY OPEN PARAMETERS PERSIST PLUGINS PREDICT PREDICTOR
PREDICTORS PRIVILEGES PROCESSLIST PROFILES PUBLICATION PUBLICATIONS REPEATABLE REPLACE REPLICA REPLICAS RETRAIN
ROLLBACK SERIALIZABLE SESSION SCHEMA SLAVE START STATUS STORAGE STREAM STREAMS TABLES TABLE TRAIN TRANSACTION TRIGGERS
UNCOMMITTED VARIABLES VIEW VIEWS WARNINGS MODEL DEFAULT MODELS AGENT SCHEMAS FUNCTION CHARSET PROCEDURE ML_ENGINES
HANDLERS BINARY KNOWLEDGE_BASES KNOWLEDGE_BASE ALL CREATE SKILL FINETUNE IF EXISTS EVERY ANOMALY ML_ENGINE EVALUATE
DETECTION JOB ASOF LATERAL ROLLUP PROJECT TRIGGER CHATBOT SEARCH_PATH
`;

export const rules = statements + changes + queries + expressions;
