/** Commands that all kinds of objects under `/v1` share: list, get, create, update, edit, delete, watch. */
import { nounOf, withArticle } from "./article.ts";
import type { Call } from "../spec.ts";
import { BODY_FLAGS, isUuid, membersOf } from "../body.ts";
import { edit } from "../edit.ts";
import { usage, withCause } from "../exit.ts";
import { visible } from "../output/values.ts";
import type { OutputView } from "../output/types.ts";
import type { OutputColumn, Item } from "../output/types.ts";
import type { Argument, Completion, Flag, Verb } from "../spec.ts";
import { foundAs, isConflict, isMissing, missing, objectOf } from "./answers.ts";
import { editable } from "./editable.ts";
import { askedBy, noteEffect, type Draft } from "./effect.ts";
import { withFindings, type KindCheck } from "./findings.ts";
import { isPartOf, lineOf, wholeId } from "./ids.ts";
import { noteWarnings } from "./warnings.ts";

type Query = Record<string, string>;

/** A kind of objects. */
export interface CliKind {
  /** In the singular, as in `tessera policy`. */
  readonly noun: Completion;
  readonly plural: string;
  /** Path parameter that identifies the object. */
  readonly pathName: "id" | "name" | "accessor";
  readonly idMember: "ID" | "Name" | "AccessorID";
  readonly nameMember: "Name" | "Description" | "ID" | "AccessorID";
  readonly operations: {
    readonly list: string;
    readonly read: string;
    readonly readByName?: string;
    readonly create: string;
    readonly replace: string;
    readonly update: string;
    readonly remove: string;
  };
  readonly columns: readonly OutputColumn[];
  /** Flags of create and update. */
  readonly memberFlags: readonly Flag[];
  /** Flags of list. */
  readonly listFlags?: readonly Flag[];
  readonly readFlags?: readonly Flag[];
  /** Members that are answered and not written. */
  readonly fixed?: readonly string[];
  /** Members that there is none without, beside its name. */
  readonly needs?: readonly string[];
  /** Whether it has a name, which `create` takes as a word. */
  readonly isNamed?: boolean;
  /** Columns that only the output of `create` has: a secret. */
  readonly createdColumns?: readonly OutputColumn[];
  /** How a change of it is compared with what is stored; undefined where it gives nobody rights. */
  readonly draft?: Draft;
  /** By what the server says where a fault lies in what it has refused. */
  readonly check?: KindCheck;
}

const CAS: Flag = {
  name: "cas",
  value: "INDEX",
  query: "cas",
  help: "Write only if the ModifyIndex still has this value (compare-and-set).",
};

/** Flags of every list. */
export const LIST_FLAGS: readonly Flag[] = [
  { name: "limit", value: "N", help: "Maximum number of results." },
  { name: "search", value: "TEXT", query: "search", help: "Filter by name or description (substring)." },
];
const SORT: Flag = {
  name: "sort",
  value: "[-]MEMBER",
  query: "sort",
  help: "Sort by this field, for example CreateTime. Prefix with - for descending order.",
};
/** Entries of a page of a sorted list. */
const SORTED_PAGE = 1000;

/** Returns how objects of a kind are shown. */
export function shownAs({
  columns,
  idMember,
  nameMember,
}: Pick<CliKind, "columns" | "idMember" | "nameMember">): OutputView {
  return { columns, name: (item) => item[nameMember] ?? item[idMember] };
}

function checkedBy({ check }: CliKind): string[] {
  return check === undefined ? [] : [check.operation];
}

/** The commands of a kind. */
export function kindVerbs(kind: CliKind): Verb[] {
  return [listVerb(kind), getVerb(kind), createVerb(kind), updateVerb(kind), editVerb(kind), deleteVerb(kind)];
}

/** The argument that names one. */
export function nameArgument({
  noun,
  operations,
  pathName,
}: Pick<CliKind, "noun" | "operations" | "pathName">): Argument {
  if (pathName === "name") return { name: noun, help: `${nounOf(noun)} name.`, complete: noun };
  const ids =
    pathName === "accessor"
      ? "AccessorID"
      : `${nounOf(noun)} ${operations.readByName === undefined ? "ID" : "name or ID"}`;
  return { name: noun, help: `${ids}, or the first four or more characters of the ID.`, complete: noun };
}

/** Reads one by its name, its ID, or the beginning of its ID. @throws CliError when there is none, or several begin so */
export async function readOne(call: Call, kind: CliKind, text: string, query: Query = {}): Promise<Item> {
  const { operations, pathName, noun } = kind;
  const byId = async (id: string) => objectOf(await call.read(operations.read, { path: { [pathName]: id }, query }));
  if (pathName === "name" || isUuid(text)) return foundAs(noun, text, byId(text));
  if (operations.readByName === undefined) return foundAs(noun, text, byId(await wholeId(call, kind, text)));
  try {
    return objectOf(await call.read(operations.readByName, { path: { name: text }, query }));
  } catch (error) {
    if (!isMissing(error)) throw error;
    const id = await wholeId(call, kind, text);
    // A text that is no beginning of an ID was only a name.
    if (id === text) throw withCause(missing(noun, text), error);
    return byId(id);
  }
}

/** The ID that an object's paths have. @throws CliError as `readOne` */
export async function idOf(call: Call, kind: CliKind, text: string): Promise<string> {
  if (kind.pathName === "name" || isUuid(text)) return text;
  if (kind.operations.readByName === undefined) return wholeId(call, kind, text);
  return String((await readOne(call, kind, text))[kind.idMember]);
}

/** The query that the flags of a command give. */
export function queryOf(call: Call): Query {
  const query: Query = {};
  for (const { name, query: parameter, value, read } of call.verb.flags ?? []) {
    if (parameter === undefined) continue;
    if (value === undefined && call.isSet(name)) query[parameter] = "true";
    const text = call.flag(name);
    if (text !== undefined) query[parameter] = read === undefined ? text : String(read(text, call));
  }
  return query;
}

function listVerb(kind: CliKind): Verb {
  return {
    name: "list",
    summary: `List ${kind.plural}.`,
    operations: [kind.operations.list],
    flags: [...LIST_FLAGS, SORT, ...(kind.listFlags ?? [])],
    async run(call) {
      const query = queryOf(call);
      // No longer pages than are wanted.
      const most = Math.min(Number(call.flag("limit") ?? SORTED_PAGE) || SORTED_PAGE, SORTED_PAGE);
      const asked = { ...query, limit: most };
      await call.out.list(call.pages(kind.operations.list, { query: asked }), shownAs(kind));
    },
  };
}

function getVerb(kind: CliKind): Verb {
  const { operations } = kind;
  return {
    name: "get",
    summary: `Show ${withArticle(kind)}.`,
    operations: [operations.read, ...(operations.readByName === undefined ? [] : [operations.readByName])],
    args: [nameArgument(kind)],
    flags: kind.readFlags ?? [],
    async run(call) {
      await call.out.item(await readOne(call, kind, call.arg(kind.noun), queryOf(call)), shownAs(kind));
    },
  };
}

function createVerb(kind: CliKind): Verb {
  const isNamed = kind.isNamed !== false;
  return {
    name: "create",
    summary: `Create ${withArticle(kind)}.`,
    operations: [kind.operations.create, ...checkedBy(kind)],
    ...(isNamed ? { args: [{ name: "name", help: `${nounOf(kind.noun)} name.` }] } : {}),
    flags: [...kind.memberFlags, ...BODY_FLAGS],
    needs: kind.needs ?? [],
    async run(call) {
      const body = { ...(await membersOf(call)), ...(isNamed ? { Name: call.arg("name") } : {}) };
      // A PUT of an auth method or a namespace replaces the one of this name; 0 is one that is not there.
      const query = kind.idMember === "Name" ? { cas: "0" } : {};
      const answer = await withFindings(call, kind.check, { members: body, isWhole: true }, () =>
        call.write(kind.operations.create, { body, query }),
      );
      if (answer === undefined) return;
      await noteWarnings(call, answer.headers);
      await call.out.item(
        objectOf(answer),
        shownAs({ ...kind, columns: [...(kind.createdColumns ?? []), ...kind.columns] }),
      );
    },
  };
}

function updateVerb(kind: CliKind): Verb {
  return {
    name: "update",
    summary: "Update the given fields. Other fields are not changed.",
    operations: [kind.operations.update, ...askedBy(kind), ...checkedBy(kind)],
    args: [nameArgument(kind)],
    flags: [...kind.memberFlags, ...BODY_FLAGS, CAS],
    async run(call) {
      const body = await membersOf(call);
      if (Object.keys(body).length === 0) throw usage("no fields to update", `run tessera ${call.words} --help`);
      const id = await idOf(call, kind, call.arg(kind.noun));
      if (call.flags.dryRun === true) await noteEffect(call, kind.draft, { ...body, [kind.idMember]: id });
      const path = { [kind.pathName]: id };
      const answer = await withFindings(call, kind.check, { members: body, isWhole: false }, () =>
        call.write(kind.operations.update, { path, body, query: queryOf(call) }),
      );
      if (answer === undefined) return;
      await noteWarnings(call, answer.headers);
      await call.out.item(objectOf(answer), shownAs(kind));
    },
  };
}

function editVerb(kind: CliKind): Verb {
  const { operations, pathName, idMember } = kind;
  return {
    name: "edit",
    summary: "Edit in $EDITOR, review the diff and save. Fails if the object has changed.",
    operations: [operations.read, operations.replace, ...askedBy(kind), ...checkedBy(kind)],
    args: [nameArgument(kind)],
    async run(call) {
      const id = await idOf(call, kind, call.arg(kind.noun));
      const path = { [pathName]: id };
      await edit(call, {
        title: `${kind.noun} ${call.arg(kind.noun)}`,
        async read() {
          const object = objectOf(await call.read(operations.read, { path }));
          return { members: editable(object, kind), mark: object["ModifyIndex"] };
        },
        preview: async (members) => noteEffect(call, kind.draft, { ...kind.draft?.empty, ...members, [idMember]: id }),
        async write(members, _before, mark) {
          const body = { ...members, [idMember]: id };
          try {
            const answer = await withFindings(call, kind.check, { members: body, isWhole: true }, () =>
              call.write(operations.replace, { path, body, query: { cas: String(mark) } }),
            );
            if (answer !== undefined) await noteWarnings(call, answer.headers);
            return true;
          } catch (error) {
            if (isConflict(error)) return false;
            throw error;
          }
        },
      });
    },
  };
}

function deleteVerb(kind: CliKind): Verb {
  const argument = nameArgument(kind);
  return {
    name: "delete",
    summary: `Delete ${kind.plural}.`,
    operations: [kind.operations.remove, ...(kind.draft?.deleted === undefined ? [] : askedBy(kind))],
    args: [
      { ...argument, many: true, help: argument.help.replace(/\bname(?= or|\.)/, "names").replace(/ID(?=,)/, "IDs") },
    ],
    flags: [CAS],
    async run(call) {
      const texts = call.args(kind.noun);
      const found: { id: string; line: string }[] = [];
      for (const text of texts) {
        const object = await readOne(call, kind, text);
        const [id, line] = [String(object[kind.idMember]), lineOf(object, kind)];
        found.push({ id, line });
        // A user who specifies part of an ID sees which object it matches, also when no confirmation is needed.
        if (isPartOf(text, id) && call.flags.yes === true) await call.out.warn(`  ${visible(line)}`);
      }
      const what = found.length === 1 ? `this ${kind.noun}` : `these ${found.length} ${kind.plural}`;
      if (call.flags.yes !== true)
        await noteEffect(call, kind.draft, ...found.map(({ id }) => ({ [kind.idMember]: id, isDeleted: true })));
      await call.confirm(
        `Delete ${what}?`,
        found.map(({ line }) => line),
      );
      for (const { id, line } of found) {
        const answer = await call.write(kind.operations.remove, {
          path: { [kind.pathName]: id },
          query: queryOf(call),
        });
        if (answer !== undefined) await call.out.note(`Deleted ${kind.noun} ${line}.`);
      }
    },
  };
}
