// Who can run an agent's language model, and what is known of each (seen on 26.1.0 and 25.14.1).

/** The providers that both generations of servers take. */
export const providers: readonly string[] = [
  "openai",
  "anthropic",
  "google",
  "ollama",
  "vllm",
  "nvidia_nim",
  "litellm",
];

/** Those that are asked in OpenAI's way; with a base URL, servers send them a placeholder where the key is missing. */
export const openAIProviders: readonly string[] = [
  "openai",
  "vllm",
  "ollama",
  "litellm",
  "nvidia_nim",
];

/** Providers that older servers take and that 26.x refuses for agents. */
export const unusableProviders: readonly string[] = ["writer", "bedrock", "mindsdb"];

/** Of these 26.x takes the base URL, but drops the key: it sends its own, or none. */
export const partialKeyProviders: readonly string[] = ["ollama", "nvidia_nim", "litellm"];

/** MindsDB's own advice: with more tables and knowledge bases than this, agents choose badly. */
export const maxConnected = 10;
