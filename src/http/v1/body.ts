/**
 * Bodies of `/v1`: JSON read as Go reads it into a struct, driven by the schema that also documents it. Names match in
 * any case, unknown ones are refused, the last of two counts, null is absent; what comes out has the schema's spelling.
 */
import type { FastifyRequest } from "fastify";
import type { Static, TSchema } from "typebox";
import { AppError } from "../../errors.ts";
import { decoderOf, type Decoder } from "./body-decoder.ts";
import { DecodeError, JsonObject, type JsonNode } from "../../go/json-reader.ts";
import { scanJson } from "../../go/json-scan.ts";
import { LONG_BODY_BYTES, scanJsonInSteps } from "../../go/json-steps.ts";

/** Description of a route's body, in `config.body`. */
export interface BodyConfig {
  /** A TypeBox object; all its members are optional, as all members of a Go struct are. */
  schema: TSchema;
  /** Begins every message about the body, such as `Token decoding failed: `. */
  prefix: string;
  /** The body is a JSON Merge Patch (RFC 7396): a member that is null stays null. */
  patch?: true;
  /** An empty body counts as an empty object. */
  optional?: true;
  /** Reads the body in place of `decode`, in steps, for a family with rules of its own; such a body has no scope. @throws AppError */
  read?: (bytes: Buffer) => Generator<void, object>;
  /** Names at the top that this edition does not know, though the schema does. */
  unknown?: ReadonlySet<string>;
}

/** A merge patch: what is absent stays as it is, null removes. Lists are replaced as a whole. */
export type MergePatch<T> = {
  [Name in keyof T]?:
    | (NonNullable<T[Name]> extends readonly unknown[] | bigint | string | number | boolean
        ? T[Name]
        : MergePatch<T[Name]>)
    | null;
};

/**
 * Decodes a body as the route's `config.body` says: of a merge patch, a member that is null is kept as null.
 *
 * @throws AppError `invalid`, the prefix and Go's text, on anything that the schema does not allow
 */
export function decode(bytes: Buffer, config: BodyConfig): object {
  if (bytes.length === 0 && config.optional) return {};
  try {
    return decodeNode(scanJson(bytes.toString("utf8")), config);
  } catch (error) {
    throw worded(error, config);
  }
}

/** Does the same in steps, which a body of any length has. @throws AppError as `decode` does */
export function* decodeInSteps(bytes: Buffer, config: BodyConfig): Generator<void, object> {
  if (!isLongBody(bytes)) return decode(bytes, config);
  try {
    return decodeNode(yield* scanJsonInSteps(bytes.toString("utf8")), config);
  } catch (error) {
    throw worded(error, config);
  }
}

/** Whether a body is to be read in steps. */
export function isLongBody(bytes: unknown): bytes is Buffer {
  return Buffer.isBuffer(bytes) && bytes.length > LONG_BODY_BYTES;
}

function decodeNode(node: JsonNode, config: BodyConfig): object {
  // The zero value of whatever is wanted.
  if (node === null) return isList(config.schema) ? [] : {};
  const decoder: Decoder = decoderOf(config.schema);
  if (node instanceof JsonObject && config.unknown !== undefined) refuseUnknown(node, config.unknown);
  return decoder.decode(node, { path: "", patch: config.patch === true }) as object;
}

function worded(error: unknown, config: BodyConfig): unknown {
  if (!(error instanceof DecodeError || error instanceof AppError)) return error;
  return new AppError("invalid", config.prefix + error.message);
}

function isList(schema: TSchema): boolean {
  return "type" in schema && schema.type === "array";
}

function refuseUnknown(body: JsonObject, unknown: ReadonlySet<string>): void {
  for (const [name] of body.members) {
    if (!unknown.has(name.toLowerCase())) continue;
    const hint = name === "Namespace" ? " - Namespaces are a Consul Enterprise feature" : "";
    throw new DecodeError(`json: unknown field ${JSON.stringify(name)}${hint}`);
  }
}

/** The decoded body of a route whose `config.body` has this schema. */
export function bodyOf<Schema extends TSchema>(request: FastifyRequest, _schema: Schema): Static<Schema> {
  return request.body as Static<Schema>;
}

/** The decoded merge patch of a route whose `config.body` has this schema. */
export function patchOf<Schema extends TSchema>(request: FastifyRequest, _schema: Schema): MergePatch<Static<Schema>> {
  return request.body as MergePatch<Static<Schema>>;
}
