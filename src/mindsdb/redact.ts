// Keeps secrets out of everything that is shown, logged or saved: by the name of a key and by known value.
// Real servers return agents' api_key unmasked and print it in error texts (also as a Python repr).

/** What stands in a secret's place. */
export const mask = "******";

const secretWords =
  "(?:api|access|secret|private|account|auth)[_-]?key|token|secret|password|passwd|pwd|authorization|cookie|credentials?";
const secretKey = new RegExp(`^(.*[_-])?(${secretWords})$`, "i");
/** A name that ends like a secret and is none. */
const harmlessKey = /^max[_-]?token$/i;

/** True for the name of a field whose value is a secret (`api_key`, `webhook_token`, `openaiApiKey`, `password`). */
export function isSecretKey(name: string): boolean {
  const words = name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_");
  return secretKey.test(words) && !harmlessKey.test(words);
}

// The lengths are bounded, so that a text of many megabytes is read in linear time.
/** `"api_key": "…"` and `'api_key': '…'` in free text, quotes escaped or not (an error inside an error). */
const secretInText = new RegExp(
  String.raw`(\\*["']([\w-]{0,60}?(?:${secretWords}))\\*["']\s*[:=]\s*)(\\*)(["'])((?:(?!\3\4)[^\\]|\\.){0,2000}?)\3\4`,
  "gi",
);
/** `api_key=…` in a URL or a command line. */
const assignmentInText = new RegExp(
  String.raw`(?<![\w-])([\w-]{0,60}?(?:${secretWords})=)[^\s&,;'")]{1,2000}`,
  "gi",
);
/** `https://user:password@host`: what stands before the host. */
const accountInText = /(?<=:\/\/)[^\s/?#:@"']{0,200}:[^\s/?#@"']{1,500}(?=@)/g;
/** `Authorization: Bearer …`, `Bearer pat_…` and bare MindsDB tokens. */
const bearerInText = /\b(Bearer\s+)[\w.~+/-]+=*/g;
const tokenInText = /\bpat_[\w-]{20,}/g;
/** What providers' keys look like, for the ones a server quotes without naming (`Incorrect API key provided: sk-…`). */
const providerKeyInText = /\b(sk|rk|pk)-[\w-]{8,}/g;

/** What every pattern above contains: most texts are done with after this one look. */
const suspicious =
  /key|token|secret|passw|pwd|authorization|cookie|credential|bearer|pat_|[srp]k-|:\/\/[^/]{1,700}@/i;

/** How a value can be written: as it is, in JSON, in a URL, in a page, and by servers in Python's way, in JSON again. */
function formsOf(value: string): string[] {
  const plain = [value, pythonText(value, "'"), pythonText(value, '"')];
  const inJson = plain.map((form) => JSON.stringify(form).slice(1, -1));
  const ascii = inJson.map((form) =>
    form.replace(
      /[\u0080-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
    ),
  );
  const inPage = [pageText(value, "&#39;", "&#34;"), pageText(value, "&#x27;", "&quot;")];
  return [...plain, ...inJson, ...ascii, ...formsInUrl(value), ...inPage];
}

/** In a web page; there are two ways to write quotes. */
function pageText(value: string, single: string, double: string): string {
  const entities: Record<string, string> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    "'": single,
    '"': double,
  };
  return value.replace(/[&<>'"]/g, (sign) => entities[sign] ?? sign);
}

/** In a URL, as browsers and Python write it: Python leaves slashes alone and escapes a few signs more. */
function formsInUrl(value: string): string[] {
  // Half a character has no form in a URL.
  if (/\p{Surrogate}/u.test(value)) return [];
  const escape = (sign: string): string => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
  const whole = encodeURIComponent(value);
  const inPython = whole.replace(/[!'()*]/g, escape);
  const forms = [whole, inPython].flatMap((form) => [form, form.replaceAll("%2F", "/")]);
  const inForms = forms.map((form) => form.replaceAll("%20", "+"));
  const all = [...forms, ...inForms];
  return [...all, ...all.map((form) => form.replace(/%../g, (sign) => sign.toLowerCase()))];
}

/** The inside of a Python text literal, as `repr` writes it. */
function pythonText(value: string, quote: string): string {
  const escapes: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\" };
  return value.replace(/[\n\r\t\\'"]/g, (sign) =>
    sign === quote ? `\\${sign}` : (escapes[sign] ?? sign),
  );
}

/** Written as a key for servers that want one and take any: words that texts are full of. */
const placeholders = [
  "ollama",
  "openai",
  "vllm",
  "litellm",
  "nvidia_nim",
  "none",
  "null",
  "empty",
  "lm-studio",
  "api-key-not-set",
];

/** The secrets known to this process. One instance serves every connection: a key never appears, whoever sent it. */
export class Secrets {
  readonly #values = new Set<string>();
  #pattern: RegExp | undefined;

  /**
   * Remembers a value. Texts under four characters are not remembered, nor what people write where no key is needed:
   * they would mask half of every answer.
   */
  add(value: string | undefined): void {
    if (value === undefined || value.length < 4 || value === mask || this.#values.has(value)) {
      return;
    }
    if (placeholders.includes(value.toLowerCase())) return;
    this.#values.add(value);
    this.#pattern = undefined;
  }

  /** Remembers what stands under a secret's name anywhere in a JSON value. */
  learn(value: unknown): void {
    if (value === null || typeof value !== "object") return;
    for (const [name, item] of Object.entries(value)) {
      if (typeof item === "string" && isSecretKey(name)) this.add(item);
      else this.learn(item);
    }
  }

  /** The text without secrets. */
  redact(text: string): string {
    this.#pattern ??= this.#compile();
    const known = this.#pattern ? text.replace(this.#pattern, mask) : text;
    if (!suspicious.test(known)) return known;
    return known
      .replace(secretInText, (whole, head: string, name: string, slashes: string, quote: string) =>
        isSecretKey(name) ? `${head}${slashes}${quote}${mask}${slashes}${quote}` : whole,
      )
      .replace(assignmentInText, (whole, head: string) =>
        isSecretKey(head.slice(0, -1)) ? head + mask : whole,
      )
      .replace(accountInText, mask)
      .replace(bearerInText, `$1${mask}`)
      .replace(tokenInText, mask)
      .replace(providerKeyInText, mask);
  }

  /** A copy of a JSON value without secrets; what stood under a secret's name is remembered for texts to come. */
  redactValue(value: unknown): unknown {
    if (typeof value === "string") return this.redact(value);
    if (Array.isArray(value)) return value.map((item) => this.redactValue(item));
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => {
        if (!isSecretKey(name) || item === null || typeof item === "object") {
          return [name, this.redactValue(item)];
        }
        if (typeof item === "string") this.add(item);
        return [name, mask];
      }),
    );
  }

  #compile(): RegExp | undefined {
    if (this.#values.size === 0) return undefined;
    const forms = [...this.#values].flatMap(formsOf);
    // Longest first, so that a secret that contains another one is masked whole.
    const unique = [...new Set(forms)].sort((a, b) => b.length - a.length);
    return new RegExp(
      unique.map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"),
      "g",
    );
  }
}
