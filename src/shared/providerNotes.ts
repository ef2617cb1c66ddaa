import * as l10n from "@vscode/l10n";

/** Notes shown beside the names of model providers. */
export function createProviderNotes(): Record<string, string> {
  return {
    openai: l10n.t("OpenAI and compatible servers"),
    anthropic: l10n.t("Claude models"),
    google: l10n.t("Gemini models"),
    ollama: l10n.t("Models on your own machine"),
    vllm: l10n.t("A vLLM server"),
    nvidia_nim: l10n.t("NVIDIA's models and containers"),
    litellm: l10n.t("A LiteLLM proxy"),
  };
}
