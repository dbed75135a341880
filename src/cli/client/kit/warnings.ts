/** Warnings of a server in the answer to a write. */
import type { Answer } from "@tessera-server/client";
import { plain } from "../output/values.ts";
import type { Item } from "../output/types.ts";
import type { Call } from "../spec.ts";

/** Shows the server's warnings about a write that it accepted. */
export async function noteWarnings(call: Call, headers: Answer["headers"]): Promise<void> {
  const text = headers.get("x-service-warnings");
  if (text === null || text === "") return;
  let warnings: unknown;
  try {
    warnings = JSON.parse(text);
  } catch {
    return;
  }
  for (const warning of Array.isArray(warnings) ? warnings : [])
    await call.out.warn(`warning: ${warningText(warning)}`);
}

/** A warning is a text, or an object with a message and where it is. */
export function warningText(warning: unknown): string {
  if (typeof warning !== "object" || warning === null) return String(warning);
  const { Message: message, Line: line, Column: column, DidYouMean: better } = warning as Item;
  if (typeof message !== "string") return JSON.stringify(warning);
  const hint = typeof better === "string" && !message.includes(better) ? `; did you mean ${better}?` : "";
  const place = typeof line === "number" && line > 0 ? `${line}:${plain(column, "1")}: ` : "";
  return place + message + hint;
}
