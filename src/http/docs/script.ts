/** The script of the reference: Redoc, as it is installed or as it was put into the package. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Beside the chunks of the package. */
const PACKED = join(import.meta.dirname, "../docs/redoc.js");
const INSTALLED = join(import.meta.dirname, "../../../node_modules/redoc/bundles/redoc.standalone.js");

/** An image that Redoc shows in its menu, from a server of others. */
const LOGO = '"https://cdn.redoc.ly/redoc/logo-mini.svg"';

/** Redoc with nothing in it that asks another server. @throws Error when there is no Redoc, or another than this knows */
export function readScript(): string {
  return existsSync(PACKED) ? readFileSync(PACKED, "utf8") : installedScript();
}

/** The same as it is to be packed. @throws Error as above */
export function installedScript(): string {
  const parts = readFileSync(INSTALLED, "utf8").split(LOGO);
  if (parts.length !== 2) throw new Error("unknown version of Redoc: check its requests to other servers");
  // An image that is not there: it then shows none.
  return parts.join('"data:,"').replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n");
}
