/** Declaration of a directory: its objects, and its owner name on the server. */
import { dirname, join } from "node:path";
import { openDirectory, type Directory } from "./directory.ts";
import type { FoundObject, Members, FileValue } from "./documents.ts";
import { KINDS, type DeclaredKind, type KindName, type Where } from "./kinds.ts";
import { DeclarationError, type FilePlace, type Problem } from "./problem.ts";
import { objectOf, type Declared } from "./object.ts";
import { ruleIdentities } from "./rule-identity.ts";
import { secretFaults } from "./secrets.ts";
import { didYouMean, folded, readMembers } from "./shape.ts";
import { OBJECT_NAME } from "../acl/kit/names.ts";

export interface DeclaredDirectory {
  /** Name under which the server stores the objects that the directory owns. Undefined while it has none. */
  readonly owner: string | undefined;
  readonly objects: readonly Declared[];
  /** Path of its files, without links. */
  readonly root: string;
}

/** Location of objects that do not name one. */
export interface DefaultPlace {
  readonly partition: string;
  readonly namespace: string;
}

/** Maximum size of the rules of one policy, equal to the server's limit. */
const MOST_RULES_BYTES = 512 * 1024;
const MOST_PROBLEMS = 100;

/** Reads all that a directory declares. @throws DeclarationError with all that is wrong with it */
export function readDeclaration(path: string, defaults: DefaultPlace): DeclaredDirectory {
  const problems: Problem[] = [];
  let more = 0;
  // A user with more problems corrects these first. The problems of a file that only has faults are not all kept.
  const note = (problem: Problem): void => void (problems.length < MOST_PROBLEMS ? problems.push(problem) : more++);
  const directory = openDirectory(path);
  const objects: Declared[] = [];
  let owner: { name: string; place: FilePlace } | undefined;
  let documents = 0;
  for (const found of directory.objects(note)) {
    documents++;
    const kind = textOf(found.members["kind"]);
    if (kind === "directory") {
      const named = readOwner(found, note);
      if (owner !== undefined)
        note({ place: found.place(), message: `kind: directory is already declared in ${owner.place.file}` });
      owner ??= named;
      continue;
    }
    const read = readObject(found, directory, defaults, note);
    if (read !== undefined) objects.push(read);
  }
  // A job whose folder is mistyped or not checked out would find for ever that nothing is to be done.
  if (documents === 0 && problems.length === 0)
    note({
      place: undefined,
      message: `${path} contains no documents: declared files end in .yaml, .yml or .json`,
    });
  const identified = identify(objects, note);
  if (problems.length > 0) throw new DeclarationError(problems, more);
  return { owner: owner?.name, objects: identified, root: directory.root };
}

function readOwner({ members, place }: FoundObject, note: (problem: Problem) => void) {
  for (const name of Object.keys(members)) {
    if (!["kind", "owner", "description"].includes(name))
      note({ place: place(name), message: `unknown member ${JSON.stringify(name)}` });
  }
  const name = textOf(members["owner"]);
  if (OBJECT_NAME.test(name)) return { name, place: place("owner") };
  note({ place: place("owner"), message: "owner must be 1 to 128 letters, digits, - and _" });
  return undefined;
}

/** Members that say what an object is and where, beside those that it holds. */
const HEAD = ["kind", "name", "accessor-id", "namespace", "partition", "organization", "labels", "rules-file"];

function readObject(
  found: FoundObject,
  directory: Directory,
  defaults: DefaultPlace,
  note: (problem: Problem) => void,
): Declared | undefined {
  const { members, place } = found;
  const wrong = (message: string, at?: string): undefined => note({ place: place(at), message }) as undefined;
  const said = textOf(members["kind"]);
  const kind = KINDS.find(({ name }) => folded(name) === folded(said));
  if (kind === undefined) {
    if (said === "") return wrong("missing kind, for example kind: policy");
    return wrong(
      `unknown kind ${JSON.stringify(said)}${didYouMean(
        said,
        KINDS.map(({ name }) => name),
      )}`,
      "kind",
    );
  }
  const { head, body, spelled } = taken(kind, members);
  const where = whereOf(kind, head, defaults);
  const name = kind.named === undefined ? "" : textOf(head[kind.named]);
  if (kind.named !== undefined && name === "") return wrong(`${kind.name} requires ${kind.named}`);
  if (kind.home === "organization" && where.organization === "") return wrong(`${kind.name} requires organization`);
  if (kind.named === "accessor-id" && !UUID.test(name))
    return wrong("accessor-id must be a UUID", spelled.get("accessor-id"));
  const before = { ...body };
  let rulesPlace: { rulesPlace?: FilePlace } =
    kind.name === "policy" ? { rulesPlace: place(spelled.get("rules")) } : {};
  if (head["rules-file"] !== undefined) {
    if (kind.name !== "policy" || body["rules"] !== undefined)
      return wrong("rules-file requires a policy without rules", "rules-file");
    try {
      const file = join(dirname(place().file), textOf(head["rules-file"]));
      rulesPlace = { rulesPlace: { file, line: 1, column: 1 } };
      before["rules"] = directory.text(textOf(head["rules-file"]), place("rules-file"));
    } catch (error) {
      if (!(error instanceof DeclarationError)) throw error;
      error.problems.forEach(note);
      return undefined;
    }
  }
  const content = readMembers(kind.members, before, (message, at) => wrong(message, at));
  const { rules } = content;
  if (kind.name === "policy" && typeof rules === "string" && Buffer.byteLength(rules) > MOST_RULES_BYTES)
    note({ place: rulesPlace.rulesPlace ?? place(), message: "the rules exceed the maximum of 512 KiB" });
  for (const message of secretFaults(content)) wrong(message, spelled.get("config") ?? spelled.get("secret"));
  const labels = textsOf(head["labels"]);
  if (labels === undefined) return wrong("labels must be names with string values", "labels");
  return { ...objectOf(kind, where, name, content), labels, place: place(), ...rulesPlace };
}

/** Members that every object of a kind requires. */
const NEEDED: Partial<Record<KindName, readonly string[]>> = {
  "auth-method": ["type"],
  "binding-rule": ["auth-method", "bind-type"],
  organization: ["email"],
  "tag-rules": ["enforce"],
};

/** Gives binding rules what they are found by, and refuses what is declared twice. */
function identify(objects: readonly Declared[], note: (problem: Problem) => void): Declared[] {
  for (const { kind, content, place } of objects) {
    for (const name of NEEDED[kind.name] ?? [])
      if (content[name] === undefined) note({ place, message: `${kind.name} requires ${name}` });
  }
  const identified = ruleIdentities(objects);
  const known = new Map<string, Declared>();
  for (const object of identified) {
    const other = known.get(object.key);
    if (other === undefined) known.set(object.key, object);
    else
      note({
        place: object.place,
        message: `${object.kind.name} ${object.path} is already declared${whereIs(other.place)}`,
      });
  }
  return identified;
}

function whereIs(place: FilePlace | undefined): string {
  return place === undefined ? "" : `, in ${place.file}:${place.line}`;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @returns the members that say what it is, by their own names; the others; and how the first are spelled */
function taken(kind: DeclaredKind, members: Members) {
  const head: Record<string, FileValue> = {};
  const body: Record<string, FileValue> = {};
  const spelled = new Map<string, string>();
  for (const [name, value] of Object.entries(members)) {
    const known = HEAD.find((each) => folded(each) === folded(name));
    spelled.set(known ?? name.toLowerCase(), name);
    if (known !== undefined && isHeadOf(kind, known)) head[known] = value;
    else body[name] = value;
  }
  return { head, body, spelled };
}

/**
 * Checks whether a name is in the head of objects of this kind. Other names are read as members, and reported as
 * unknown.
 */
function isHeadOf({ home, named }: DeclaredKind, name: string): boolean {
  if (name === "name" || name === "accessor-id") return named === name;
  if (name === "partition") return home === "partition" || home === "namespace";
  if (name === "namespace") return home === "namespace";
  return name === "organization" ? home === "organization" : true;
}

function whereOf({ home }: DeclaredKind, head: Members, defaults: DefaultPlace): Where {
  const isWithin = home === "namespace" || home === "partition";
  return {
    partition: isWithin ? textOf(head["partition"]) || defaults.partition : "",
    namespace: home === "namespace" ? textOf(head["namespace"]) || defaults.namespace : "",
    organization: home === "organization" ? textOf(head["organization"]) : "",
  };
}

function textOf(value: FileValue | undefined): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function textsOf(value: FileValue | undefined): Record<string, string> | undefined {
  if (value === undefined || value === null) return {};
  if (typeof value !== "object" || Array.isArray(value)) return undefined;
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, textOf(text)]));
}
