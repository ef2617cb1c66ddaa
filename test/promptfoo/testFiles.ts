// Test files for the seeded servers. Each test says what becomes of it, so that no runner is the other's only judge.

const washingMachines = "[1, 11, 21]";
const provider = "file://mindsdb-provider.mjs";

export const agentTests = `# Each description begins with the verdict.
description: Rented homes
providers: ["mindsdb:mindsdb/rental_agent"]
prompts: ["{{question}}"]
defaultTest:
  assert:
    - { type: latency, threshold: 120000 }
  vars: { word: rented }
tests:
  - description: "passed: texts"
    vars: { question: "[text] Hello?" }
    assert:
      - { type: contains, value: "**{{word}} homes**" }
      - { type: icontains, value: RENTED HOMES }
      - { type: starts-with, value: "Hello!" }
      - { type: regex, value: "notes on \\\\w+\\\\.$" }
      - { type: not-contains, value: washing }
      - { type: contains-any, value: "boats, homes" }
      - { type: contains-all, value: [homes, notes] }
      - { type: word-count, value: { min: 5, max: 40 } }
      - { type: levenshtein, value: "Hello! I can answer questions about **rented homes** and about notes on listings." }
      - { type: not-is-json }
      - { type: not-equals, value: Hello }
  - description: "failed: another text"
    vars: { question: "[text] Hello?" }
    assert:
      - { type: equals, value: Hello }
      - { type: icontains-all, value: [homes, boats] }
  - description: "failed: too slow"
    vars: { question: "[text] Hello?" }
    assert: [{ type: latency, threshold: 1 }]
  - description: "passed: half of it is enough"
    vars: { question: "[text] Hello?" }
    threshold: 0.5
    assert: [{ type: contains, value: boats }, { type: contains, value: homes }]
  - description: "failed: half of it is not enough"
    vars: { question: "[text] Hello?" }
    threshold: 0.9
    assert: [{ type: contains, value: boats, weight: 3 }, { type: contains, value: homes }]
  - description: "passed: without weight"
    vars: { question: "[text] Hello?" }
    assert: [{ type: contains, value: boats, weight: 0 }, { type: contains, value: homes }]
  - description: "passed: a set"
    vars: { question: "[text] Hello?" }
    assert:
      - type: assert-set
        threshold: 0.5
        assert: [{ type: contains, value: boats }, { type: contains, value: homes }]
  - description: "failed: no JSON"
    vars: { question: "[text] Hello?" }
    assert: [{ type: is-json }, { type: contains-json }]
  - description: "passed: no default"
    vars: { question: "[text] Hello?" }
    options: { disableDefaultAsserts: true }
  - description: "passed: several questions, twice"
    vars:
      question: ["[text] Hello?", "[sql] Which location is the most expensive?"]
      word: [homes, Homes]
    assert: [{ type: icontains, value: "{{word}}" }]
    options: { repeat: 2 }
  - description: "passed: the way"
    vars: { question: "[sql] Which location is the most expensive?" }
    assert:
      - { type: regex, value: "\\\\*\\\\*(great|good|poor)\\\\*\\\\*" }
      - { type: "trajectory:tool-used", value: "sql*" }
      - { type: "not-trajectory:tool-used", value: "web*" }
      - { type: "trajectory:step-count", value: { type: tool, min: 1, max: 9 } }
  - description: "failed: the way"
    vars: { question: "[sql] Which location is the most expensive?" }
    assert: [{ type: "trajectory:tool-used", value: "web*" }]
  - description: "failed: too many steps"
    vars: { question: "[sql] Which location is the most expensive?" }
    assert: [{ type: "trajectory:step-count", value: { type: tool, max: 0 } }]
  - description: "failed: other arguments"
    vars: { question: "[sql] Which location is the most expensive?" }
    assert: [{ type: "trajectory:tool-args-match", value: { name: "sql*", args: { query: SELECT 1 } } }]
  - description: "passed: notes"
    vars: { question: "[kb] Where is a washing machine?" }
    assert: [{ type: contains-all, value: ["1", "11", "21"] }]
  - description: "passed: a key in the answer"
    vars: { question: "[key] What is your key?" }
    assert: [{ type: contains, value: My key is }]
  - description: "error: the model refuses the key"
    vars: { question: "[401 early] Which location?" }
    assert: [{ type: contains, value: homes }]
`;

export const searchTests = `providers: [{ id: "mindsdb-search:mindsdb/listing_notes", config: { limit: 5 } }]
prompts: ["{{question}}"]
tests:
  - description: "passed: first"
    vars: { question: washing machine in the unit }
    assert:
      - { type: javascript, value: "${provider}:hitAtK", config: { expected: ${washingMachines}, k: 1 } }
      - { type: javascript, value: "${provider}:reciprocalRank", config: { expected: ${washingMachines} }, threshold: 1 }
      - { type: is-json }
  - description: "failed: not there"
    vars: { question: washing machine in the unit }
    assert:
      - { type: javascript, value: "${provider}:hitAtK", config: { expected: [2000], k: 5 } }
      - { type: javascript, value: "${provider}:reciprocalRank", config: { expected: [2000] } }
  - description: "passed: the mean is above the threshold"
    vars: { question: roof terrace with a view of the bay }
    threshold: 0.4
    assert:
      - { type: javascript, value: "${provider}:hitAtK", config: { expected: [7, 17, 27], k: 3 } }
      - { type: javascript, value: "${provider}:hitAtK", config: { expected: [2000] } }
  - description: "passed: several questions, twice"
    vars: { question: [washing machine in the unit, roof terrace with a view of the bay] }
    options: { repeat: 2 }
    assert:
      - { type: javascript, value: "${provider}:hitAtK", config: { expected: [1, 11, 21, 7, 17, 27], k: 3 } }
      - { type: is-json, value: { type: array, minItems: 1, maxItems: 5, items: { type: string } } }
  - description: "passed: by a schema"
    vars: { question: washing machine in the unit }
    assert:
      - { type: is-json, value: { type: array, contains: { enum: ["1", "11", "21"] } } }
      - { type: not-is-json, value: { type: array, contains: { const: "2000" } } }
  - description: "failed: more than were asked for"
    vars: { question: washing machine in the unit }
    assert: [{ type: is-json, value: { type: array, minItems: 6 } }]
  - description: "passed: a set of ranks"
    vars: { question: washing machine in the unit }
    assert:
      - type: assert-set
        threshold: 0.5
        assert:
          - { type: javascript, value: "${provider}:hitAtK", config: { expected: [2000], k: 5 } }
          - { type: javascript, value: "${provider}:hitAtK", config: { expected: ${washingMachines}, k: 5 } }
  - description: "failed: the rank is below the threshold"
    vars: { question: washing machine in the unit }
    assert:
      - { type: javascript, value: "${provider}:reciprocalRank", config: { expected: [2000, 2001] }, threshold: 0.1 }
  - description: "passed: without weight"
    vars: { question: washing machine in the unit }
    assert:
      - { type: javascript, value: "${provider}:hitAtK", config: { expected: [2000], k: 1 }, weight: 0 }
      - { type: contains-any, value: ['"1"', '"11"', '"21"'] }
`;

export const missingKnowledgeBaseTests = `providers: ["mindsdb-search:mindsdb/no_such_notes"]
prompts: ["{{question}}"]
tests:
  - description: "error: no such knowledge base"
    vars: { question: washing machine }
    assert: [{ type: javascript, value: "${provider}:hitAtK", config: { expected: [1], k: 1 } }]
`;

export const missingAgentTests = `providers: ["mindsdb:mindsdb/no_such_agent"]
prompts: ["{{question}}"]
tests:
  - description: "error: no such agent"
    vars: { question: "[text] Hello?" }
    assert: [{ type: contains, value: homes }]
`;
