import { hash } from "node:crypto";

/**
 * A digest over the fields of an object that carry meaning, base64 of 32 bytes.
 * Clients compare it to see a change; the same fields give the same digest on every engine.
 */
export function digest(fields: readonly unknown[]): string {
  return hash("sha256", JSON.stringify(fields), "base64");
}
