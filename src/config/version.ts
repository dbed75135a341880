import { readFileSync } from "node:fs";

/** Version of the package; this file lies two levels below its root, as source and when built. */
export function readVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return String((JSON.parse(text) as { version: unknown }).version);
}
