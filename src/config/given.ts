/** A configuration that the server does not start with. The message is one line: what is wrong and what to do. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message.replaceAll(/\s+/g, " "));
    this.name = "ConfigError";
  }
}

/** An option's text as it was given, and the words that name its origin in an error. */
export interface GivenOption {
  text: string;
  /** `--listen`, `TESSERA_LISTEN` or `"listen" in tessera.json`. */
  origin: string;
}

/** Text from outside, shortened and escaped so that it stays on one line. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

/** The system's code of an error, such as `ENOENT`, or its message. */
export function errorCode(error: unknown): string {
  if (error instanceof Error) return "code" in error && typeof error.code === "string" ? error.code : error.message;
  return String(error);
}
