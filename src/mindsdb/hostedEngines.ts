/**
 * Kinds of ML engines whose models a provider runs, so that each row that reaches one costs money: those of 25.14.1 and
 * 26.1.0, as their handlers are called. Engines of somebody's own (BYOM, MLflow, Ollama) run where that person says.
 */
export const hostedEngines: ReadonlySet<string> = new Set([
  "anthropic",
  "bedrock",
  "clipdrop",
  "cohere",
  "dspy",
  "google_gemini",
  "groq",
  "huggingface_api",
  "langchain",
  "langchain_embedding",
  "leonardo_ai",
  "litellm",
  "llama_index",
  "minds_endpoint",
  "monkeylearn",
  "openai",
  "palm",
  "portkey",
  "rag",
  "replicate",
  "stabilityai",
  "timegpt",
  "togetherai",
  "twelve_labs",
  "unify",
  "vertex",
  "writer",
]);
