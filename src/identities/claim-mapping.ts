/** Maps claims of a token to the fields of selectors and the variables of templates. */
import { JsonNumber } from "../go/json-reader.ts";
import type { Identity } from "../selectors/identity.ts";
import { isList, type Claim, type Claims } from "./claims.ts";
import { textMap } from "./config.ts";
import { MethodConfigError, IdentityError } from "./errors.ts";
import type { IdentityForm, Reading, VerifiedIdentity } from "./validator.ts";

/** The keys of a configuration that map claims, for `decodeConfig`. Both map a claim to a name. */
export const CLAIM_MAPPING_KINDS = { ClaimMappings: textMap, ListClaimMappings: textMap };

export interface ClaimMappingConfig {
  ClaimMappings: ReadonlyMap<string, string>;
  ListClaimMappings: ReadonlyMap<string, string>;
}

export interface ClaimMapping {
  readonly form: IdentityForm;
  /** @throws IdentityError when a mapped claim is of a kind that cannot be mapped, or a number that no text says exactly */
  project(claims: Claims): VerifiedIdentity;
}

interface Mapping {
  /** The claim as the configuration names it. */
  claim: string;
  name: string;
  path: readonly string[];
}

/**
 * Prepares what the configuration says of claims. A claim is the name of one, or a JSON pointer when it begins with a
 * slash; a claim that a token has not is no mistake.
 *
 * @throws ConfigError when two claims have one name
 */
export function compileClaimMappings(
  { ClaimMappings, ListClaimMappings }: ClaimMappingConfig,
  reading: Reading = "present",
): ClaimMapping {
  const convert = (found: Claim, claim: string) => textOf(found, claim, reading);
  const ofTexts = mappingsOf(ClaimMappings, "ClaimMappings");
  const ofLists = mappingsOf(ListClaimMappings, "ListClaimMappings");
  const noVariables = ofTexts.map(({ name }) => [`value.${name}`, ""] as const);
  return {
    form: { shape: shapeOf(ofTexts, ofLists), variables: new Set(noVariables.map(([name]) => name)) },
    project(claims) {
      const value = new Map<string, string>();
      const variables = new Map<string, string>(noVariables);
      for (const { claim, name, path } of ofTexts) {
        const found = find(path, claims);
        if (found === undefined || found === null) continue;
        const text = convert(found, claim);
        if (text === undefined) throw notText(found, claim);
        value.set(name, text);
        variables.set(`value.${name}`, text);
      }
      const list = new Map<string, string[]>();
      for (const { claim, name, path } of ofLists) {
        const found = find(path, claims);
        if (found !== undefined && found !== null) list.set(name, listOf(found, claim, convert));
      }
      return {
        fields: new Map<string, Identity>([
          ["value", value],
          ["list", list],
        ]),
        variables,
      };
    },
  };
}

function shapeOf(ofTexts: readonly Mapping[], ofLists: readonly Mapping[]): IdentityForm["shape"] {
  const known = (mappings: readonly Mapping[]): ReadonlySet<string> => new Set(mappings.map(({ name }) => name));
  return {
    kind: "structure",
    fields: new Map([
      ["value", { kind: "map", values: { kind: "text" }, known: known(ofTexts) }],
      ["list", { kind: "map", values: { kind: "list" }, known: known(ofLists) }],
    ]),
  };
}

function mappingsOf(names: ReadonlyMap<string, string>, key: string): Mapping[] {
  const mappings = Array.from(names, ([claim, name]) => ({ claim, name, path: pathOf(claim) }));
  const seen = new Set<string>();
  for (const { name } of mappings) {
    if (seen.has(name)) throw new MethodConfigError(`${key} contains multiple mappings for key "${name}"`);
    seen.add(name);
  }
  return mappings;
}

function pathOf(claim: string): string[] {
  if (!claim.startsWith("/")) return [claim];
  const steps = claim.slice(1).split("/");
  return steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

const INDEX = /^(?:0|[1-9]\d{0,8})$/;

function find(path: readonly string[], claims: Claims): Claim | undefined {
  let found: Claim | undefined = claims;
  for (const step of path) {
    if (found instanceof Map) found = (found as Claims).get(step);
    else if (found !== undefined && isList(found) && INDEX.test(step)) found = found[Number(step)];
    else return undefined;
  }
  return found;
}

function listOf(found: Claim, claim: string, convert: (entry: Claim, claim: string) => string | undefined): string[] {
  const entries = isList(found) ? found : [found];
  const texts = entries.map((entry) => {
    const text = convert(entry, claim);
    if (text === undefined) throw isList(found) ? notEntry(entry, claim) : notList(claim);
    return text;
  });
  return texts.filter((text) => text !== "");
}

/** The text of a scalar; undefined for anything else. */
function textOf(found: Claim, claim: string, reading: Reading): string | undefined {
  if (typeof found === "string") return found;
  if (typeof found === "boolean") return String(found);
  return found instanceof JsonNumber ? integerText(found, claim, reading) : undefined;
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** Digits of the largest integer up to which a double holds each. */
const MAX_DIGITS = 16;

/**
 * Returns the digits before the decimal point after the exponent is applied. It works on text, so nothing is rounded.
 */
function integerText({ text }: JsonNumber, claim: string, reading: Reading): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = NUMBER.exec(text) ?? [];
  const length = Math.max(0, whole.length + Number(exponent));
  const all = whole + fraction;
  if (reading === "present" && /[1-9]/.test(all.slice(length))) {
    throw new IdentityError(`error converting claim '${claim}' to string: the number is not an integer`);
  }
  const digits = all.slice(0, length).replace(/^0+/, "");
  if (digits === "") return "0";
  const zeros = Math.max(0, length - whole.length - fraction.length);
  const integer = digits.length + zeros > MAX_DIGITS ? Number.NaN : Number(digits + "0".repeat(zeros));
  if (!Number.isSafeInteger(integer)) {
    throw new IdentityError(`error converting claim '${claim}' to string: the number is too large to be exact`);
  }
  return `${sign}${integer}`;
}

function notText(found: Claim, claim: string): IdentityError {
  const type = isList(found) ? "[]interface {}" : "map[string]interface {}";
  return new IdentityError(`error converting claim '${claim}' to string from unknown type ${type}`);
}

function notList(claim: string): IdentityError {
  return new IdentityError(`"${claim}" list claim could not be converted to string list`);
}

function notEntry(entry: Claim, claim: string): IdentityError {
  const kind = entry === null ? "<nil>" : isList(entry) ? "[...]" : "map[...]";
  return new IdentityError(`value ${kind} in "${claim}" list claim could not be parsed as string`);
}
