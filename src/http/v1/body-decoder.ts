/** Turns a schema into what reads a JSON value by it, once per schema. */
import type { TSchema } from "typebox";
import { ALIASES, GO_TYPE, IGNORED, MAX_BYTES, type GoType } from "./body-schema.ts";
import { parseDuration } from "../../go/duration.ts";
import { goQuote } from "../../go/quote.ts";
import { DecodeError, JsonNumber, JsonObject, type JsonNode } from "../../go/json-reader.ts";
import { parseTime } from "../../go/time.ts";

/** Position of a value: messages name its path, and only objects outside lists are patched. */
interface Place {
  path: string;
  patch: boolean;
}

export interface Decoder {
  /** The type as Go's messages name it. */
  name: string;
  /** Returns the value that replaces null inside a list or a map. */
  zero(): unknown;
  decode(node: Exclude<JsonNode, null>, place: Place): unknown;
}

/** The parts of JSON Schema that bodies are written in. */
interface Schema {
  type?: string | readonly string[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  patternProperties?: Record<string, Schema>;
  items?: Schema;
  [GO_TYPE]?: GoType;
  [IGNORED]?: boolean;
  [MAX_BYTES]?: number;
  [ALIASES]?: Record<string, string>;
}

const decoders = new WeakMap<object, Decoder>();

/**
 * The decoder of a schema.
 *
 * @throws Error when the schema says something that this decoder does not know: a fault of the route
 */
export function decoderOf(schema: TSchema): Decoder {
  let decoder = decoders.get(schema);
  if (decoder === undefined) {
    decoder = compile(schema);
    decoders.set(schema, decoder);
  }
  return decoder;
}

function compile(schema: Schema): Decoder {
  const decoder = compileType(schema);
  const most = schema[MAX_BYTES];
  return most === undefined ? decoder : boundedDecoder(decoder, most);
}

function compileType(schema: Schema): Decoder {
  const goType = schema[GO_TYPE];
  if (goType !== undefined) return SPECIAL[goType];
  switch (schema.type) {
    case "string":
      return TEXT;
    case "boolean":
      return BOOLEAN;
    case "integer":
      return INTEGER;
    case "array":
      return listDecoder(compile(schema.items ?? {}));
    case "object":
      return schema.patternProperties === undefined ? objectDecoder(schema) : mapDecoder(schema.patternProperties);
    case undefined:
      return ANYTHING;
    default:
      throw new Error(`a body cannot have the type ${String(schema.type)}`);
  }
}

/** @param read gives undefined for what is not of this type */
function scalar(name: string, zero: unknown, read: (node: Exclude<JsonNode, null>) => unknown): Decoder {
  return { name, zero: () => zero, decode: (node, place) => read(node) ?? refuse(node, place, name) };
}

const textIn = (node: JsonNode): string | undefined => (typeof node === "string" ? checkText(node) : undefined);

const TEXT = scalar("string", "", textIn);
const BOOLEAN = scalar("bool", false, (node) => (typeof node === "boolean" ? node : undefined));
const INTEGER = scalar("int", 0, (node) => {
  const value = node instanceof JsonNumber ? Number(wholeNumber(node) ?? Number.NaN) : undefined;
  return Number.isSafeInteger(value) ? value : undefined;
});

const MAX_INT64 = 2n ** 63n - 1n;
const MAX_UINT64 = 2n ** 64n - 1n;

const SPECIAL: Readonly<Record<GoType, Decoder>> = {
  duration: scalar("time.Duration", 0n, (node) => {
    if (typeof node === "string") return parseDuration(node);
    const value = node instanceof JsonNumber ? truncated(node) : undefined;
    return value === undefined || value > MAX_INT64 || value < -MAX_INT64 - 1n ? undefined : value;
  }),
  time: scalar("time.Time", undefined, (node) => {
    if (typeof node !== "string") throw new DecodeError("Time.UnmarshalJSON: input is not a JSON string");
    return parseTime(node);
  }),
  uint64: scalar("uint64", 0n, (node) => {
    const value = node instanceof JsonNumber ? wholeNumber(node) : undefined;
    return value === undefined || value < 0n || value > MAX_UINT64 ? undefined : value;
  }),
  bytes: scalar("[]uint8", "", textIn),
};

/** A free value, as `JSON.parse` would give it, but for maps: they have no prototype, since their keys are a client's. */
const ANYTHING: Decoder = {
  name: "interface {}",
  zero: () => null,
  decode(node, place) {
    if (typeof node === "string") return checkText(node);
    if (node instanceof JsonNumber) return finite(node) ?? refuse(node, place, "float64");
    if (Array.isArray(node)) return LIST_OF_ANYTHING.decode(node, place);
    return node instanceof JsonObject ? MAP_OF_ANYTHING.decode(node, place) : node;
  },
};

const LIST_OF_ANYTHING = listDecoder(ANYTHING);
const MAP_OF_ANYTHING = mapDecoder({ "": {} });

function listDecoder(entries: Decoder): Decoder {
  const name = `[]${entries.name}`;
  return {
    name,
    zero: () => [],
    decode(node, { path, patch }) {
      if (!Array.isArray(node)) return refuse(node, { path, patch }, name);
      // A list is replaced as a whole, so nothing in it is a patch.
      const place = { path, patch: false };
      return node.map((entry) => (entry === null ? entries.zero() : entries.decode(entry, place)));
    },
  };
}

function mapDecoder(patterns: Record<string, Schema>): Decoder {
  const [schema = {}] = Object.values(patterns);
  const isFree = schema.type === undefined && schema[GO_TYPE] === undefined;
  const values = isFree ? ANYTHING : compile(schema);
  const name = `map[string]${values.name}`;
  return {
    name,
    zero: () => Object.create(null) as object,
    decode(node, place) {
      if (!(node instanceof JsonObject)) return refuse(node, place, name);
      const map = Object.create(null) as Record<string, unknown>;
      for (const [key, value] of node.members) {
        map[checkText(key)] = value === null ? (place.patch ? null : values.zero()) : values.decode(value, place);
      }
      return map;
    },
  };
}

function boundedDecoder(decoder: Decoder, most: number): Decoder {
  return {
    ...decoder,
    decode(node, place) {
      const value = decoder.decode(node, place);
      const bytes = Buffer.byteLength(typeof value === "string" ? value : JSON.stringify(value));
      if (bytes <= most) return value;
      throw new DecodeError(`${place.path.slice(1)} has ${bytes} bytes; at most ${most} are allowed`);
    },
  };
}

interface Member {
  name: string;
  decoder: Decoder;
  isIgnored: boolean;
}

function objectDecoder({ properties = {}, required = [], [ALIASES]: aliases = {} }: Schema): Decoder {
  if (required.length > 0) throw new Error(`members of a body are optional: ${required.join(", ")}`);
  const members = new Map<string, Member>();
  for (const [name, schema] of Object.entries(properties)) {
    const member = { name, decoder: compile(schema), isIgnored: schema[IGNORED] === true };
    // In its own spelling too: nearly all clients use that, and folding costs more than the look-up.
    members.set(name, member).set(fold(name), member);
  }
  for (const [alias, name] of Object.entries(aliases)) {
    const member = members.get(name);
    if (member === undefined) throw new Error(`an alias stands for no member: ${name}`);
    members.set(alias, member);
  }
  return {
    name: "struct",
    zero: () => ({}),
    decode(node, place) {
      if (!(node instanceof JsonObject)) return refuse(node, place, "struct");
      const object: Record<string, unknown> = {};
      for (const [key, value] of node.members) {
        const member = members.get(key) ?? members.get(fold(key));
        if (member === undefined) throw new DecodeError(`json: unknown field ${goQuote(key)}`);
        const { name, decoder, isIgnored } = member;
        if (value === null && !place.patch) delete object[name];
        const decoded =
          value === null ? null : decoder.decode(value, { path: `${place.path}.${name}`, patch: place.patch });
        if (!isIgnored && (decoded !== null || place.patch)) object[name] = decoded;
      }
      return object;
    },
  };
}

/** ASCII only: no letter beyond it is in a name of ours, and none shall be mistaken for one. */
function fold(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function checkText(text: string): string {
  if (text.includes("\0")) throw new DecodeError("text must not contain NUL characters");
  return text;
}

/** Undefined when it is beyond what a double can be. */
function finite({ text }: JsonNumber): number | undefined {
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** The integer that the number is written as; undefined when it has a fraction or exponent, or is far beyond 64 bits. */
function wholeNumber({ text }: JsonNumber): bigint | undefined {
  return text.length <= 20 && !/[.eE]/.test(text) ? BigInt(text) : undefined;
}

/** A number without its fraction; undefined when it is far beyond 64 bits. */
function truncated(number: JsonNumber): bigint | undefined {
  const whole = wholeNumber(number);
  const value = Number(number.text);
  if (whole !== undefined || Math.abs(value) >= 2 ** 64) return whole;
  return BigInt(Math.trunc(value));
}

function refuse(node: Exclude<JsonNode, null>, { path }: Place, type: string): never {
  const target = path === "" ? `Go value of type ${type}` : `Go struct field ${path} of type ${type}`;
  throw new DecodeError(`json: cannot unmarshal ${kindOf(node, type)} into ${target}`);
}

/** Go spells out a number that is one, but not one of the wanted kind. */
function kindOf(node: Exclude<JsonNode, null>, type: string): string {
  if (typeof node === "string") return "string";
  if (typeof node === "boolean") return "bool";
  if (Array.isArray(node)) return "array";
  if (node instanceof JsonObject) return "object";
  const isNumeric = ["int", "uint64", "float64", "time.Duration"].includes(type);
  return isNumeric ? `number ${node.text.slice(0, 40)}` : "number";
}
