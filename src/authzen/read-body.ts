/** Bodies of AuthZEN requests: strict JSON (I-JSON, RFC 7493), of which members that nobody knows are ignored. */
import { isAscii } from "node:buffer";
import { AppError } from "../errors.ts";
import { DecodeError, JsonObject, type JsonNode } from "../go/json-reader.ts";
import { scanJson } from "../go/json-scan.ts";
import { scanJsonInSteps } from "../go/json-steps.ts";
import { isLongBody } from "../http/v1/body.ts";

export type JsonMembers = Readonly<Record<string, unknown>>;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a body, a long one in steps.
 *
 * @throws AppError `bad_parameter` when it is not one JSON object in UTF-8, has a member twice, or is nested too deep
 */
export function* readBody(bytes: Buffer): Generator<void, JsonMembers> {
  let value: unknown;
  try {
    const text = isAscii(bytes) ? bytes.toString("latin1") : utf8.decode(bytes);
    // Bounds depth and number of values, which `JSON.parse` does not.
    checkNames(isLongBody(bytes) ? yield* scanJsonInSteps(text) : scanJson(text));
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof AppError) throw error;
    const reason = error instanceof DecodeError || error instanceof SyntaxError ? error.message : "not UTF-8";
    throw new AppError("bad_parameter", `The request body is not valid JSON: ${reason}`);
  }
  if (isMembers(value)) return value;
  throw new AppError("bad_parameter", "The request body is not a JSON object");
}

/** Whether a value is a JSON object. */
export function isMembers(value: unknown): value is JsonMembers {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function checkNames(node: JsonNode): void {
  if (Array.isArray(node)) for (const each of node) checkNames(each);
  if (!(node instanceof JsonObject)) return;
  const { members } = node;
  const names = members.length > FEW ? new Set<string>() : undefined;
  let at = 0;
  for (const [name, value] of members) {
    const isRepeated = names === undefined ? isBefore(members, at, name) : names.has(name);
    if (isRepeated) throw new AppError("bad_parameter", `The member ${JSON.stringify(name)} is repeated`);
    names?.add(name);
    at += 1;
    checkNames(value);
  }
}

/** So many names are compared sooner than put into a set. */
const FEW = 8;

function isBefore(members: JsonObject["members"], end: number, name: string): boolean {
  for (let at = 0; at < end; at++) if (members[at]?.[0] === name) return true;
  return false;
}
