/** Files of policy tests: questions, and the answers that are wanted. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, extname, join, relative } from "node:path";
import { parseDocument } from "yaml";

/** About whom a case asks: rules in files, or somebody on a server. */
export type Who =
  | { readonly policies: readonly string[] }
  | { readonly token: string }
  | { readonly role: string }
  | { readonly authMethod: string; readonly identity: unknown };

/** A question with the answer that is wanted. */
export interface Expected {
  readonly resource: string;
  readonly segment: string;
  readonly access: string;
  readonly namespace: string | undefined;
  readonly partition: string | undefined;
  readonly allow: boolean;
}

export interface PolicyCase {
  /** Name of the file, as in its directory. */
  readonly file: string;
  readonly name: string;
  readonly as: Who;
  readonly questions: readonly Expected[];
}

/** Contents of a directory of policy tests. */
export interface PolicyTests {
  readonly cases: readonly PolicyCase[];
  /** Texts of rules by the names of their files without the ending. */
  readonly rules: ReadonlyMap<string, string>;
}

/** A file that says nothing that can be asked. */
export class PolicyTestError extends Error {}

const MOST_FILES = 10_000;
const MOST_BYTES = 1024 * 1024;

/**
 * Reads all `*.test.yaml` of a directory and those below it, and the rules beside them (`*.hcl`, and `*.json`).
 *
 * @throws {PolicyTestError} that names the file and the place
 */
export function readPolicyTests(directory: string): PolicyTests {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new PolicyTestError(`${directory}: directory not found`);
  }
  const cases: PolicyCase[] = [];
  const rules = new Map<string, string>();
  for (const path of filesIn(directory)) {
    const file = relative(directory, path);
    if (/\.test\.ya?ml$/.test(path)) cases.push(...casesIn(file, textOf(path, file)));
    else if (path.endsWith(".hcl") || path.endsWith(".json")) {
      const name = basename(path, extname(path));
      if (rules.has(name)) throw new PolicyTestError(`${file}: two policy files have the name ${name}`);
      rules.set(name, textOf(path, file));
    }
  }
  if (cases.length === 0) throw new PolicyTestError(`${directory}: no .test.yaml files found`);
  return { cases, rules };
}

function filesIn(directory: string): string[] {
  const found: string[] = [];
  const look = (at: string): void => {
    for (const entry of readdirSync(at, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
      if (found.length >= MOST_FILES) throw new PolicyTestError(`${directory}: more than ${MOST_FILES} files`);
      if (entry.isDirectory()) look(join(at, entry.name));
      else if (entry.isFile()) found.push(join(at, entry.name));
    }
  };
  look(directory);
  return found;
}

function textOf(path: string, file: string): string {
  if (statSync(path).size > MOST_BYTES) throw new PolicyTestError(`${file}: longer than ${MOST_BYTES} bytes`);
  return readFileSync(path, "utf8");
}

function casesIn(file: string, text: string): PolicyCase[] {
  const document = parseDocument(text, { uniqueKeys: true });
  const [problem] = document.errors;
  if (problem !== undefined) throw new PolicyTestError(`${file}: ${problem.message}`);
  let read: unknown;
  try {
    read = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new PolicyTestError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const tests = membersOf(read, file)["tests"];
  return listOf(tests, `${file}: tests`).map((each, index) => caseOf(file, each, `${file}: tests[${index}]`));
}

function caseOf(file: string, value: unknown, place: string): PolicyCase {
  const { name, as, questions } = membersOf(value, place);
  if (typeof name !== "string" || name === "") throw new PolicyTestError(`${place}: missing name`);
  const expected = listOf(questions, `${place}.questions`).map((each, at) => {
    return expectedOf(each, `${place}.questions[${at}]`);
  });
  return { file, name, as: whoOf(as, `${place}.as`), questions: expected };
}

function whoOf(value: unknown, place: string): Who {
  const who = membersOf(value, place);
  const { policies, token, role, "auth-method": authMethod, identity } = who;
  if (Array.isArray(policies) && policies.every((name) => typeof name === "string")) return { policies };
  if (typeof token === "string") return { token };
  if (typeof role === "string") return { role };
  if (typeof authMethod === "string") return { authMethod, identity };
  throw new PolicyTestError(`${place}: expected policies, token, role, or auth-method with identity`);
}

function expectedOf(value: unknown, place: string): Expected {
  const { resource, segment = "", access, namespace, partition, allow } = membersOf(value, place);
  if (typeof resource !== "string" || typeof access !== "string" || typeof segment !== "string") {
    throw new PolicyTestError(`${place}: resource, segment and access must be strings`);
  }
  if (typeof allow !== "boolean") throw new PolicyTestError(`${place}: allow must be true or false`);
  const named = { namespace: nameOf(namespace, place), partition: nameOf(partition, place) };
  return { resource, segment, access, ...named, allow };
}

function nameOf(value: unknown, place: string): string | undefined {
  if (value === undefined || typeof value === "string") return value;
  throw new PolicyTestError(`${place}: namespace and partition must be strings`);
}

function membersOf(value: unknown, place: string): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new PolicyTestError(`${place}: expected an object`);
}

function listOf(value: unknown, place: string): readonly unknown[] {
  if (Array.isArray(value) && value.length > 0) return value;
  throw new PolicyTestError(`${place}: expected a non-empty list`);
}
