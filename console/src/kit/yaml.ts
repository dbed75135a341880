/** Objects as documents of declared files. */
import type { Members } from "./plan.ts";

/** Returns a YAML document. Nested values are in flow style, which is JSON. */
export function inYaml(members: Members): string {
  const lines = Object.entries(members).filter(([, value]) => value !== undefined && value !== "");
  return ["---", ...lines.map(([name, value]) => `${name}: ${valueOf(value)}`)].join("\n");
}

/** Words that are not texts without quotes. */
const WORDS = /^(?:true|false|yes|no|on|off|null|y|n)$/i;

function valueOf(value: unknown): string {
  if (typeof value === "string" && /^[A-Za-z][\w./-]*$/.test(value) && !WORDS.test(value)) return value;
  return JSON.stringify(value);
}
