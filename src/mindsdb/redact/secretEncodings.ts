// The forms of a secret in text: plain, in JSON, in URLs, in HTML, in Base64, as Python repr, and in nested JSON.

/** Longer values, such as private keys, do not occur in URLs and pages, so those forms are not searched for. */
const maxInUrl = 512;

/** The forms in which servers have been seen to repeat a value; none is shorter than the value. */
export function encodeSecret(value: string): string[] {
  const plain = [value, pythonText(value, "'"), pythonText(value, '"')];
  const inJson = plain.map((form) => JSON.stringify(form).slice(1, -1));
  const ascii = inJson.map((form) =>
    form.replace(
      /[\u0080-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
    ),
  );
  const texts = [...plain, ...inJson, ...ascii, ...jsonInPage(inJson[0] ?? value)];
  if (value.length > maxInUrl) return texts;
  const inPage = [pageText(value, "&#39;", "&#34;"), pageText(value, "&#x27;", "&quot;")];
  return [...texts, ...formsInUrl(value), ...inPage, ...formsInBase64(value)];
}

/** JSON that may stand in a page: encoders escape signs of HTML, some of them quotes or slashes too. */
function jsonInPage(json: string): string[] {
  const escape = (signs: RegExp): string =>
    json.replace(signs, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
  return [escape(/[&<>]/g), escape(/[&<>']/g), json.replaceAll("/", "\\/")];
}

/** The value as a whole in Base64, with either alphabet. A word ends before the padding. */
function formsInBase64(value: string): string[] {
  const bytes = Buffer.from(value);
  return [bytes.toString("base64").replaceAll("=", ""), bytes.toString("base64url")];
}

/** The value escaped for HTML; there are two ways to escape quotes. */
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

/** The value encoded for URLs, by browsers and by Python, which keeps slashes and escapes a few more characters. */
function formsInUrl(value: string): string[] {
  // Lone surrogates cannot be URL-encoded.
  if (/\p{Surrogate}/u.test(value)) return [];
  const escape = (sign: string): string => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
  const whole = encodeURIComponent(value);
  const inPython = whole.replace(/[!'()*]/g, escape);
  const forms = [whole, inPython].flatMap((form) => [form, form.replaceAll("%2F", "/")]);
  const inForms = forms.map((form) => form.replaceAll("%20", "+"));
  const all = [...forms, ...inForms];
  return [...all, ...all.map((form) => form.replace(/%../g, (sign) => sign.toLowerCase()))];
}

/** The content of a Python string literal, as `repr` writes it. */
function pythonText(value: string, quote: string): string {
  const escapes: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\" };
  return value.replace(/[\n\r\t\\'"]/g, (sign) =>
    sign === quote ? `\\${sign}` : (escapes[sign] ?? sign),
  );
}
