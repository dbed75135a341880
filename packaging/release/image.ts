/** The image as it is published: what buildah makes, without what is another at each build. */
import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

interface Described {
  digest: string;
  size: number;
}

interface ImageConfig {
  container?: string;
  container_config?: { Hostname?: string };
  config: { Hostname?: string };
}

/**
 * Takes the container's number and its name for itself out of an image: buildah draws both, and they mean nothing to who runs it.
 *
 * @param folder the image in buildah's layout `dir:`, in the format of Docker, which alone knows a check of health
 * @returns the digest by which a registry has it then
 */
export function settleImage(folder: string): string {
  const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as { config: Described };
  const before = join(folder, manifest.config.digest.replace("sha256:", ""));
  const config = JSON.parse(readFileSync(before, "utf8")) as ImageConfig;
  delete config.container;
  delete config.container_config;
  config.config.Hostname = "";
  const text = JSON.stringify(config);
  rmSync(before);
  manifest.config = { ...manifest.config, digest: digestOf(text), size: Buffer.byteLength(text) };
  writeFileSync(join(folder, manifest.config.digest.replace("sha256:", "")), text);
  const settled = JSON.stringify(manifest);
  writeFileSync(join(folder, "manifest.json"), settled);
  return digestOf(settled);
}

function digestOf(text: string): string {
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}
