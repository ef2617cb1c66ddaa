// Providers of agents' language models (seen on 26.1.0 and 25.14.1).

/** Supported by both generations of servers. */
export const providers: readonly string[] = [
  "openai",
  "anthropic",
  "google",
  "ollama",
  "vllm",
  "nvidia_nim",
  "litellm",
];

/** Called through OpenAI's API. With a base URL, servers send a placeholder if there is no key. */
export const openAIProviders: readonly string[] = [
  "openai",
  "vllm",
  "ollama",
  "litellm",
  "nvidia_nim",
];

/** Supported by older servers, refused by 26.x for agents. */
export const unusableProviders: readonly string[] = ["writer", "bedrock", "mindsdb"];

/** 26.x passes on their base URL but not the key: it sends its own, or none. */
export const partialKeyProviders: readonly string[] = ["ollama", "nvidia_nim", "litellm"];

/** MindsDB's recommendation: with more tables and knowledge bases, agents often choose the wrong ones. */
export const maxConnected = 10;
