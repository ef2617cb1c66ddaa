// A whole test file, as completion offers it in an empty one.

/** In VS Code's snippet syntax. */
export const testFileSnippet = `providers: ["mindsdb:\${1:mindsdb/my_agent}"]
prompts: ["{{question}}"]
tests:
  - vars:
      question: \${2:Question}
    assert:
      - type: \${3:icontains}
        value: \${4:text}
`;
