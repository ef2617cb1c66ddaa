// Finds keys and tokens by how they look, for messages that quote one without its field name.
import { endsInWord } from "./wordBoundaries.ts";

/** A range of a text: from, to (exclusive). */
export type Span = readonly [from: number, to: number];

/** Beginnings of keys with which no ordinary word begins. */
const clearBeginnings = [
  // OpenAI, Anthropic, OpenRouter, Langfuse
  ...["sk-proj-", "sk-svcacct-", "sk-ant-", "sk-or-v1-", "sk-lf-", "pk-lf-"],
  // Google
  ...["AIza", "AQ.Ab", "1//0", "ya29.", "GOCSPX-"],
  // NVIDIA, Perplexity, Tavily, LangSmith, Pinecone, Together, Jina, Cerebras
  ...["nvapi-", "pplx-", "tvly-", "lsv2_pt_", "lsv2_sk_", "pcsk_", "tgp_v1_", "jina_", "csk-"],
  // GitHub, GitLab, npm and PyPI, Docker
  ...["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "pypi-AgE", "dckr_pat_"],
  ...["glpat-", "gldt-", "glrt-", "glptt-", "glcbt-"],
  // Slack
  ...["xoxb-", "xoxp-", "xoxa-", "xoxs-", "xoxr-", "xoxe-", "xoxe.xoxb-", "xoxe.xoxp-", "xapp-"],
  // Stripe, SendGrid, Shopify
  ...["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_", "SG.", "shpat_", "shpss_"],
  // Sentry, Figma, PostHog, Postman, New Relic, Doppler
  ...["sntrys_", "figd_", "phc_", "phx_", "PMAK-", "NRAK-", "dp.pt.", "dp.st."],
  // AWS, Databricks, DigitalOcean, Vault, Grafana, Atlassian, Linear, Supabase
  ...["ABSK", "dapi", "dop_v1_", "hvs.", "glsa_", "ATATT3x", "lin_api_", "sbp_"],
];

/** Beginnings of addresses whose last parts are a secret: webhooks and bots. */
const secretPaths = ["hooks.slack.com/services/", "/api/webhooks/", "api.telegram.org/bot"];
const secretPath = /[\w/:-]{16,512}/y;

/** Beginnings of keys with which names and numbers of orders begin too; the length of the rest, if it is always the same. */
const commonBeginnings: Record<string, number | undefined> = {
  // OpenAI, DeepSeek, LiteLLM and others
  "sk-": undefined,
  "rk-": undefined,
  "pk-": undefined,
  // MindsDB
  pat_: 43,
  // Hugging Face, Groq, xAI, Replicate, Fireworks, Voyage, ElevenLabs, npm, AWS, Notion
  hf_: 34,
  gsk_: 52,
  "xai-": 80,
  r8_: 37,
  fw_: undefined,
  "pa-": 43,
  sk_: 48,
  npm_: 36,
  AKIA: 16,
  ASIA: 16,
  ntn_: undefined,
  secret_: 43,
};

const anyOf = (beginnings: readonly string[]): string =>
  beginnings.map((beginning) => beginning.replaceAll(".", "\\.")).join("|");

/** Source of a case-insensitive regular expression for texts at which a key can begin. */
export const tokenHints = `eyj|-----begin|${anyOf([...secretPaths, ...clearBeginnings, ...Object.keys(commonBeginnings)])}`;

const pathBeginning = new RegExp(anyOf(secretPaths), "iy");
const clearBeginning = new RegExp(anyOf(clearBeginnings), "y");
const commonBeginning = new RegExp(anyOf(Object.keys(commonBeginnings)), "y");
const word = /[\w-]*/y;
/** No more dots: a word that is no key is not read again for each of its dots. */
const dottedWord = /[\w-]*(?:\.[\w-]+){0,3}/y;
/** The second part of an encrypted one may be empty. */
const jsonWebToken = /eyJ[\w-]{8,}\.\.?[\w-]{8,}(?:\.[\w-]*){0,3}/y;
const privateKeyBegin = /-----BEGIN [A-Z\d ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;
/** Lines of a private key, which can be escaped; it ends at the dashes before `END`, or where the text is truncated. */
const privateKeyLines = /(?:[\w\s+/=\\:,.()]|-(?!----)){0,16384}/y;

/** Letters beside digits, and pairs of capitals beside a small letter: rare in names, frequent in keys. */
const changes =
  /[a-z](?=\d)|\d(?=[a-z])|[a-z](?=[A-Z]{2})|[A-Z]{2}(?=[a-z])|[A-Z](?=\d)|\d(?=[A-Z])/g;

/** Shorter ones are no keys. */
const minLength = 16;
/** Longer ones are not looked at as a whole. */
const maxExamined = 1_000;

/** The key or token that begins at a place. */
export function tokenAt(text: string, at: number): Span | undefined {
  if (text[at] === "-") return privateKeyAt(text, at);
  const path = endOf(text, at, pathBeginning);
  if (path !== undefined) {
    const end = endOf(text, path, secretPath);
    return end !== undefined && /\d/.test(text.slice(path, end)) ? [path, end] : undefined;
  }
  if (endsInWord(text, at)) return undefined;
  const end = endOf(text, at, jsonWebToken) ?? endOfClear(text, at) ?? endOfCommon(text, at);
  return end === undefined ? undefined : [at, end];
}

function endOfClear(text: string, at: number): number | undefined {
  const start = endOf(text, at, clearBeginning);
  if (start === undefined) return undefined;
  const hasDots = text.slice(at, start).includes(".");
  const end = endOf(text, start, hasDots ? dottedWord : word) ?? start;
  const isKey = end - start >= minLength && /\d|[a-z][A-Z]/.test(text.slice(start, end));
  return isKey ? end : undefined;
}

function endOfCommon(text: string, at: number): number | undefined {
  const start = endOf(text, at, commonBeginning);
  if (start === undefined) return undefined;
  const end = endOf(text, start, word) ?? start;
  const rest = text.slice(start, Math.min(end, start + maxExamined));
  const isOfLength = commonBeginnings[text.slice(at, start)] === end - start;
  return (isOfLength && !/[-_]/.test(rest)) || isRandom(rest) ? end : undefined;
}

/** The content of a private key in PEM; certificates and public keys are not secret. */
function privateKeyAt(text: string, at: number): Span | undefined {
  const start = endOf(text, at, privateKeyBegin);
  if (start === undefined) return undefined;
  const end = endOf(text, start, privateKeyLines) ?? start;
  return /[A-Za-z\d+/]{16}/.test(text.slice(start, end)) ? [start, end] : undefined;
}

/** True for text that looks like made by a random generator, not for words, numbers and dates between hyphens. */
export function isRandom(text: string): boolean {
  if (text.length < minLength) return false;
  const runs = text.slice(0, maxExamined).match(/[A-Za-z\d]{10,}/g) ?? [];
  return runs.some((run) => {
    const isMixed = run.length >= 24 && /\d/.test(run) && /[A-Za-z]/.test(run);
    return isMixed || (run.match(changes)?.length ?? 0) >= 3;
  });
}

/** The end of a match of a sticky pattern. */
export function endOf(text: string, from: number, pattern: RegExp): number | undefined {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
