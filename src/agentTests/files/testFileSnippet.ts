// A whole test file to fill in.

/** In VS Code's snippet syntax. `agent` is `PROJECT/NAME`; without it, it is to be filled in, too. */
export function createTestFileSnippet(agent?: string): string {
  const provider =
    agent === undefined
      ? '"mindsdb:${1:mindsdb/my_agent}"'
      : JSON.stringify(`mindsdb:${agent}`).replace(/[\\$}]/g, "\\$&");
  return `providers: [${provider}]
prompts: ["{{question}}"]
tests:
  - vars:
      question: \${2:Question}
    assert:
      - type: \${3:icontains}
        value: \${4:text}
`;
}
