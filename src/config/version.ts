import { readFileSync } from "node:fs";

/** Version of the package. As source it stands in the manifest from which the package's own is made. */
export function readVersion(): string {
  const manifest = import.meta.url.endsWith(".ts") ? "../../packaging/manifest.json" : "../../package.json";
  const text = readFileSync(new URL(manifest, import.meta.url), "utf8");
  return String((JSON.parse(text) as { version: unknown }).version);
}
