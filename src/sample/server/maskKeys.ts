// Masks API keys. The sample server calls no language model, so it never needs to store a key.

const mask = "******";
const credentialName =
  /(?:^|[_-])(?:api_?key|key|token|secret|passw(?:or)?d|credentials?|authorization)$/i;
const camelCaseName = /[a-z](?:Key|Token|Secret|Password|Credentials?)$/;

/** Returns a copy in which the values of credential fields and the user info in URLs are masked. */
export function maskKeys(value: unknown, name = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => maskKeys(item, name));
  if (typeof value === "object" && value !== null) {
    const isSecret = isCredentialName(name);
    const members = Object.entries(value).map(([key, member]) => {
      return [key, maskKeys(member, isSecret ? name : key)] as const;
    });
    return Object.fromEntries(members);
  }
  if (value === null || value === undefined || value === "") return value;
  if (isCredentialName(name)) return mask;
  return typeof value === "string" ? value.replace(/\/\/[^/\s@]+@/g, `//${mask}@`) : value;
}

function isCredentialName(name: string): boolean {
  return credentialName.test(name) || camelCaseName.test(name);
}
