/** A plan as commands for a shell. */
import { OPERATIONS } from "@tessera-server/client";
import { SERVER_ADDRESS } from "../base/address.ts";
import type { Place } from "../base/place.ts";
import type { Plan } from "./plan.ts";

/** A word as a POSIX shell reads it. */
export function quoted(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Returns the `tessera` command of a write. */
export function tesseraOf({ operation, command, reason }: Plan, { scope, organization }: Place): string {
  const flags: string[] = [];
  if (isJsonApi(operation)) {
    // Commands for an organization itself already contain its name.
    if (organization !== undefined && command[0] !== "organization") flags.push("--organization", organization);
  } else {
    if (scope.namespace !== "default" && takes(operation, "n")) flags.push("--namespace", scope.namespace);
    if (scope.partition !== "default" && takes(operation, "p")) flags.push("--partition", scope.partition);
  }
  if (reason !== undefined) flags.push("--reason", reason);
  const end = command.includes("--") ? command.indexOf("--") : command.length;
  return wrapped(["tessera", ...command.slice(0, end), ...flags, ...command.slice(end)]);
}

/** Returns the curl command of a write. The token comes from a variable, so the text never contains it. */
export function curlOf(plan: Plan, { scope }: Place): string {
  const { operation, path = {}, query = {}, body, ifMatch = "", isFirst = false, reason } = plan;
  const [method = "GET", template = ""] = OPERATIONS[operation].split(" ");
  const filled = template.replaceAll(/\{([^}]+)\}/g, (_all, name: string) => encodeURIComponent(path[name] ?? ""));
  const parameters = new URLSearchParams();
  if (scope.namespace !== "default" && takes(operation, "n")) parameters.set("ns", scope.namespace);
  if (scope.partition !== "default" && takes(operation, "p")) parameters.set("partition", scope.partition);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== false) parameters.set(name, String(value));
  }
  const text = parameters.toString();
  const url = `${SERVER_ADDRESS}${filled}${text === "" ? "" : `?${text}`}`;
  const type = isJsonApi(operation) ? "application/vnd.api+json" : "application/json";
  const lines = [`curl -X ${method} ${quoted(url)}`, `-H "Authorization: Bearer $TESSERA_TOKEN"`];
  if (body !== undefined || isJsonApi(operation)) lines.push(`-H ${quoted(`Content-Type: ${type}`)}`);
  if (ifMatch !== "") lines.push(`-H ${quoted(`If-Match: ${ifMatch}`)}`);
  if (isFirst) lines.push(`-H 'If-None-Match: *'`);
  if (reason !== undefined) lines.push(`-H ${quoted(`X-Tessera-Change-Reason: ${encodeURIComponent(reason)}`)}`);
  if (body !== undefined) lines.push(`-d ${quoted(JSON.stringify(body, undefined, 2))}`);
  return lines.join(" \\\n  ");
}

function isJsonApi(operation: Plan["operation"]): boolean {
  return OPERATIONS[operation].includes(" /api/v2/");
}

function takes(operation: Plan["operation"], flag: string): boolean {
  return OPERATIONS[operation].split(" ")[2]?.includes(flag) === true;
}

/** One flag in a line, where they do not fit in one. */
function wrapped(words: readonly string[]): string {
  const parts: string[] = [];
  for (const word of words) {
    const last = parts.at(-1);
    if (last !== undefined && /^--?[a-z][a-z-]*$/.test(last) && !word.startsWith("--")) {
      parts[parts.length - 1] = `${last} ${quoted(word)}`;
    } else parts.push(quoted(word));
  }
  const line = parts.join(" ");
  if (line.length <= 76 && !line.includes("\n")) return line;
  const start = parts.findIndex((part) => part.startsWith("--"));
  if (start < 0) return line;
  return [parts.slice(0, start).join(" "), ...parts.slice(start)].join(" \\\n  ");
}
