/** How long the texts of a configuration may be: each is read anew, and sent, whenever somebody logs in. */
import { text, texts, type ConfigKind } from "./config.ts";
import { MethodConfigError } from "./errors.ts";

/** Longest URL, name or secret, in characters. */
const MAX_LENGTH = 4096;

/** Longest token, in characters. */
export const MAX_TOKEN_LENGTH = 32 * 1024;

/** Longest PEM text of certificates that vouch for a server, in characters. */
export const MAX_AUTHORITIES_LENGTH = 64 * 1024;

/** Most certificates that vouch for a server. */
export const MAX_AUTHORITIES = 20;

/** A text of at most so many characters. A longer one is a ConfigError that names the key. */
export function limitedText(most: number): ConfigKind<string> {
  return {
    zero: () => text.zero(),
    read: (value, path) => checked(text.read(value, path), path, most),
  };
}

/** A URL, a name or a secret. A longer text is a ConfigError that names the key. */
export const shortText: ConfigKind<string> = limitedText(MAX_LENGTH);

/** URLs or names; one that is longer is a ConfigError that names the key and the place in the list. */
export const shortTexts: ConfigKind<readonly string[]> = {
  zero: () => texts.zero(),
  read(value, path) {
    const found = texts.read(value, path);
    for (const [index, entry] of found.entries()) {
      checked(entry, Array.isArray(value) ? `${path}[${index}]` : path, MAX_LENGTH);
    }
    return found;
  },
};

function checked(found: string, path: string, most: number): string {
  if (found.length > most) throw new MethodConfigError(`'${path}' must not be longer than ${most} characters`);
  return found;
}

/** Refuses keys that a type of auth method does not take: such as say no more than if they were not there may stand. */
export function refuseKeys(config: Readonly<Record<string, unknown>>, keys: object, type: "jwt" | "oidc"): void {
  const set = Object.keys(keys).find((key) => !isZero(config[key]));
  if (set !== undefined) throw new MethodConfigError(`'${set}' must not be set for type "${type}"`);
}

/** Whether the value of a key says as much as if the key were not there. */
export function isZero(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : value === "" || value === false || value === 0n;
}

/** Checks the URL of a provider. @throws ConfigError that names the key */
export function checkProviderUrl(key: string, address: string): void {
  const url = URL.parse(address);
  if (url === null || !["https:", "http:"].includes(url.protocol)) {
    throw new MethodConfigError(`error checking ${key}: not a valid http or https URL`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new MethodConfigError(`error checking ${key}: a URL with credentials is not supported`);
  }
}
