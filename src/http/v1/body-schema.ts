/** Schemas of members of `/v1` bodies that JSON Schema has no word for. */
import { Type, type TArray, type TSchema, type TString, type TUnsafe } from "typebox";

/** How a member is read that is more than its JSON type says. */
export type GoType = "duration" | "time" | "uint64" | "bytes";

/** The key under which a schema carries it. */
export const GO_TYPE = "x-go-type";

/** The key of a schema whose value is checked and then dropped. */
export const IGNORED = "x-ignored";

/** The key of an object schema with other spellings of its members, each with the member that it stands for. */
export const ALIASES = "x-aliases";

/** The key of a schema of a text, or of a list as JSON, that is bounded: how many bytes of UTF-8 it may have. */
export const MAX_BYTES = "x-max-bytes";

/** Bytes of a text that people write about an object. */
const FREE_TEXT_BYTES = 8 * 1024;

/** A member that people write as they like, such as `Description`: the one thing of most objects that can be long. */
export function freeText(): TString {
  return Type.String({
    maxLength: FREE_TEXT_BYTES,
    description: `${FREE_TEXT_BYTES} bytes at most.`,
    [MAX_BYTES]: FREE_TEXT_BYTES,
  });
}

/** One of these: what documents and generated types have; a body with another is refused by its service, in the words of clients. */
export function oneOf(values: readonly string[], description?: string): TUnsafe<string> {
  return Type.Unsafe<string>({ type: "string", enum: values, ...(description === undefined ? {} : { description }) });
}

/** A list whose entries together may have so many bytes as JSON. */
export function boundedList<Entry extends TSchema>(entry: Entry, most: number): TArray<Entry> {
  return Type.Array(entry, { description: `At most ${most} bytes as JSON.`, [MAX_BYTES]: most });
}

/** A duration: `1h30m`, or a number of nanoseconds; read as nanoseconds. */
export function goDuration(options: object = {}): TUnsafe<bigint> {
  return Type.Unsafe<bigint>({ type: ["string", "integer"], ...options, [GO_TYPE]: "duration" satisfies GoType });
}

/** A time of RFC 3339; read as nanoseconds since 1970. */
export function goTime(options: object = {}): TUnsafe<bigint> {
  return Type.Unsafe<bigint>({
    type: "string",
    format: "date-time",
    ...options,
    [GO_TYPE]: "time" satisfies GoType,
  });
}

function ignored(type: object, goType: GoType) {
  return Type.Optional(Type.Unsafe<undefined>({ ...type, readOnly: true, [GO_TYPE]: goType, [IGNORED]: true }));
}

/** Members that clients send back as they read them, on every object: accepted and dropped. */
export const READ_ONLY_INDEXES = {
  CreateIndex: ignored({ type: "integer" }, "uint64"),
  ModifyIndex: ignored({ type: "integer" }, "uint64"),
};

/** A time that clients send back as they read it. */
export const READ_ONLY_TIME = ignored({ type: "string", format: "date-time" }, "time");

/** The same on objects that have a digest, which are tokens, policies and roles. */
export const READ_ONLY_MEMBERS = { ...READ_ONLY_INDEXES, Hash: ignored({ type: ["string", "null"] }, "bytes") };
