/**
 * `Config` of an auth method, read as generously as its clients expect: keys in any case, numbers and booleans also as
 * text and the other way round, one value where a list is wanted. Keys that no type knows are rejected.
 */
import { AppError } from "../errors.ts";
import { parseDuration } from "../go/duration.ts";
import { MethodConfigError } from "./errors.ts";
import type { RawConfig } from "./validator.ts";

/** How the value of a key is read. */
export interface ConfigKind<T> {
  /** The value of a key that is absent or null. */
  zero(): T;
  /** @param path the key, and the place in it, as messages name it */
  read(value: unknown, path: string): T;
}

type Kinds = Readonly<Record<string, ConfigKind<unknown>>>;
type Decoded<K extends Kinds> = { readonly [Name in keyof K]: K[Name] extends ConfigKind<infer T> ? T : never };

/** More of a client's keys than this, and more of each, is not repeated to it. */
const MAX_NAMED = 20;
const MAX_NAME_LENGTH = 100;

class Problem extends Error {}

export const text: ConfigKind<string> = {
  zero: () => "",
  read: (value, path) => textOf(value) ?? refuse(value, path, "string"),
};

/** A scalar is a list of itself. */
export const texts: ConfigKind<readonly string[]> = {
  zero: () => [],
  read(value, path) {
    if (!Array.isArray(value)) return [textOf(value) ?? refuse(value, path, "[]string")];
    return value.map((entry, index) => (entry === null ? "" : text.read(entry, `${path}[${index}]`)));
  },
};

/** Text by text. A list of maps is one map: that is what a block of HCL becomes. */
export const textMap: ConfigKind<ReadonlyMap<string, string>> = {
  zero: () => new Map(),
  read(value, path) {
    const map = new Map<string, string>();
    for (const part of Array.isArray(value) ? value : [value]) {
      if (!isObject(part)) refuse(part, path, "map[string]string");
      for (const [key, entry] of Object.entries(part)) {
        map.set(key, entry === null ? "" : text.read(entry, `${path}[${cut(key)}]`));
      }
    }
    return map;
  },
};

/** Keys of their own. A list of one such is that one: that is what a block of HCL becomes. */
export const section: ConfigKind<RawConfig> = {
  zero: () => ({}),
  read(value, path) {
    const [only, ...others]: unknown[] = Array.isArray(value) ? value : [value];
    return isObject(only) && others.length === 0 ? (only as RawConfig) : refuse(value, path, "map[string]interface {}");
  },
};

/** Whether a key has a value at all: for what no method takes. */
export const presence: ConfigKind<boolean> = { zero: () => false, read: () => true };

const TRUE = new Set(["1", "t", "T", "TRUE", "true", "True"]);
const FALSE = new Set(["0", "f", "F", "FALSE", "false", "False", ""]);

export const bool: ConfigKind<boolean> = {
  zero: () => false,
  read(value, path) {
    if (typeof value === "boolean") return value;
    if (typeof value === "number") return value !== 0;
    if (typeof value !== "string") return refuse(value, path, "bool");
    if (TRUE.has(value)) return true;
    if (FALSE.has(value)) return false;
    throw new Problem(`cannot parse '${path}' as bool`);
  },
};

/** A whole number that a double holds exactly; what is behind the point is cut off. */
export const integer: ConfigKind<number> = {
  zero: () => 0,
  read(value, path) {
    if (typeof value === "boolean") return value ? 1 : 0;
    const isText = typeof value === "string";
    if (!isText && typeof value !== "number") return refuse(value, path, "int");
    const number = isText && !/^(?:[+-]?\d+)?$/.test(value) ? Number.NaN : Math.trunc(Number(value));
    if (!Number.isSafeInteger(number)) throw new Problem(`cannot parse '${path}' as int`);
    return number;
  },
};

const MAX_INT64 = 2 ** 63;

/** Nanoseconds, from a number of them or a duration as Go writes it. */
export const duration: ConfigKind<bigint> = {
  zero: () => 0n,
  read(value, path) {
    if (typeof value === "string") return durationOf(value, path);
    if (typeof value !== "number") return refuse(value, path, "time.Duration");
    if (!(Math.abs(value) < MAX_INT64)) throw new Problem(`cannot parse '${path}' as time.Duration`);
    return BigInt(Math.trunc(value));
  },
};

/**
 * Reads the keys that a type of auth method knows. If two keys differ only in case, one is used, and the other is
 * rejected as unknown.
 *
 * @param kinds by key, in its documented spelling
 * @throws ConfigError that names every key that is unknown or has a value of another type; it quotes no value but
 * durations
 */
export function decodeConfig<K extends Kinds>(raw: RawConfig, kinds: K): Decoded<K> {
  const { given, unknown } = sortOut(raw, Object.keys(kinds));
  const problems: string[] = [];
  const config: Record<string, unknown> = {};
  for (const [name, kind] of Object.entries(kinds)) {
    const value = given.get(name);
    try {
      config[name] = value === undefined || value === null ? kind.zero() : kind.read(value, name);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      problems.push(error.message);
    }
  }
  if (unknown.length > 0) problems.push(`'' has invalid keys: ${listed(unknown)}`);
  if (problems.length === 0) return config as Decoded<K>;
  const lines = problems.sort().map((problem) => `* ${problem}`);
  throw new MethodConfigError(`error decoding config: ${lines.length} error(s) decoding:\n\n${lines.join("\n")}`);
}

/** The values by the documented spelling of their keys, and the keys that stand for none. */
function sortOut(raw: RawConfig, names: readonly string[]): { given: Map<string, unknown>; unknown: string[] } {
  const byFolded = new Map(names.map((name) => [fold(name), name]));
  const given = new Map<string, unknown>();
  const unknown: string[] = [];
  for (const [key, value] of Object.entries(raw)) {
    const name = byFolded.get(fold(key));
    if (name === undefined || given.has(name)) unknown.push(key);
    else given.set(name, value);
  }
  return { given, unknown };
}

/** ASCII only: no letter beyond it is in a key of ours, and none shall be mistaken for one. */
function fold(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function listed(names: readonly string[]): string {
  const shown = names.toSorted().slice(0, MAX_NAMED).map(cut);
  return names.length > MAX_NAMED ? `${shown.join(", ")}, …` : shown.join(", ");
}

function cut(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH).toWellFormed()}…` : name;
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

function durationOf(value: string, path: string): bigint {
  try {
    return parseDuration(value);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new Problem(`error decoding '${path}': ${error.message}`);
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refuse(value: unknown, path: string, wanted: string): never {
  throw new Problem(`'${path}' expected type '${wanted}', got unconvertible type '${typeName(value)}'`);
}

function typeName(value: unknown): string {
  if (Array.isArray(value)) return "[]interface {}";
  if (value === null) return "nil";
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "bool";
    case "number":
      return "float64";
    default:
      return "map[string]interface {}";
  }
}
