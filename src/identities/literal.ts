import type { Identity, IdentityValue } from "../selectors/identity.ts";
import type { IdentityShape, Structure } from "../selectors/shape.ts";
import { IdentityError } from "./errors.ts";
import type { IdentityForm, VerifiedIdentity } from "./validator.ts";

/** More of a name than this is not repeated to the client that sent it. */
const MAX_NAME_LENGTH = 100;

/**
 * An identity as somebody wrote it down, to see what it would get: `{"value": {"team": "web"}, "list": {"groups": ["a"]}}`.
 * What it leaves out it does not have.
 *
 * @param literal parsed JSON; only own members count
 * @throws IdentityError that names the place of what such identities cannot hold
 */
export function literalIdentity(form: IdentityForm, literal: unknown): VerifiedIdentity {
  const variables = new Map(Array.from(form.variables, (name) => [name, ""]));
  const fields = readStructure(form.shape, literal, []);
  collectVariables(fields, [], variables);
  return { fields, variables };
}

function readStructure({ fields }: Structure, literal: unknown, path: readonly string[]): Identity {
  return readMembers(literal, path, (name, value, place) => {
    const shape = fields.get(name);
    if (shape === undefined) throw new IdentityError(`${placeOf(place)} is not a field of the identity`);
    return readValue(shape, value, place);
  });
}

function readValue(shape: IdentityShape, literal: unknown, path: readonly string[]): IdentityValue {
  switch (shape.kind) {
    case "text":
      return readText(literal, path);
    case "list":
      return readList(literal, path);
    case "map":
      return readMembers(literal, path, (_name, value, place) => readValue(shape.values, value, place));
    case "structure":
      return readStructure(shape, literal, path);
  }
}

function readMembers(
  literal: unknown,
  path: readonly string[],
  read: (name: string, value: unknown, place: readonly string[]) => IdentityValue,
): Identity {
  if (typeof literal !== "object" || literal === null || Array.isArray(literal)) {
    throw new IdentityError(`${placeOf(path)} must be an object`);
  }
  return new Map(Object.entries(literal).map(([name, value]) => [name, read(name, value, [...path, name])]));
}

function readText(literal: unknown, path: readonly string[]): string {
  if (typeof literal !== "string") throw new IdentityError(`${placeOf(path)} must be a string`);
  return literal;
}

function readList(literal: unknown, path: readonly string[]): string[] {
  if (!Array.isArray(literal)) throw new IdentityError(`${placeOf(path)} must be a list of strings`);
  return literal.map((entry, index) => readText(entry, [...path, String(index)]));
}

function collectVariables(fields: Identity, path: readonly string[], variables: Map<string, string>): void {
  for (const [name, value] of fields) {
    const place = [...path, name];
    const variable = place.join(".");
    if (value instanceof Map) collectVariables(value, place, variables);
    else if (typeof value === "string" && variables.has(variable)) variables.set(variable, value);
  }
}

function placeOf(path: readonly string[]): string {
  const names = path.map((name) =>
    name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH).toWellFormed()}…` : name,
  );
  return ["identity", ...names].join(".");
}
