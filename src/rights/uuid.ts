import { createHash, randomUUID } from "node:crypto";
import { AppError } from "../errors.ts";

/** Beginning of the IDs of built-in objects; no other object may have such an ID. */
export const RESERVED_PREFIX = "00000000-0000-0000-0000-0000000000";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether the text has the form of a UUID; letters in any case. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

const UUIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/**
 * Replaces UUIDs in a text by digests. A client may put a SecretID in the wrong place: into its own name, or into the
 * name of a missing object.
 */
export function withoutUuids(text: string): string {
  return text.replaceAll(
    UUIDS,
    (uuid) => `uuid-sha256-${createHash("sha256").update(uuid).digest("hex").slice(0, 12)}`,
  );
}

/** A new random UUID, lower case, never with the reserved prefix. */
export function newUuid(): string {
  const id = randomUUID();
  return id.startsWith(RESERVED_PREFIX) ? newUuid() : id;
}

/**
 * The ID of a path in its stored spelling.
 *
 * @param kind the object as the text names it, such as `policy`
 * @throws AppError `not_found` when it is no UUID, with the text that tells how it should look
 */
export function checkUuid(id: string, kind: string): string {
  if (isUuid(id)) return id.toLowerCase();
  throw new AppError("not_found", malformedText(id, kind));
}

/**
 * The same for an ID that a list is filtered by, which may be empty.
 *
 * @throws AppError `bad_parameter` with the same text
 */
export function checkFilterId(id: string, kind: string): string {
  if (id === "" || isUuid(id)) return id.toLowerCase();
  throw new AppError("bad_parameter", malformedText(id, kind));
}

function malformedText(id: string, kind: string): string {
  return `failed acl ${kind} lookup: index error: ${malformation(id)}`;
}

function malformation(id: string): string {
  if (id.length !== 36) return "UUID must be 36 characters";
  const hyphens = id.split("-").length - 1;
  if (hyphens > 4) return `UUID should have maximum of 4 "-"; got ${hyphens}`;
  if ((id.length - hyphens) % 2 === 1) return "UUID (without hyphens) must be an even number of characters";
  return "invalid UUID: it must be hexadecimal, as in 01234567-89ab-cdef-0123-456789abcdef";
}
