/** Commands that show earlier versions of an object and restore one of them. */
import { nounOf } from "./article.ts";
import { each, objectOf } from "./answers.ts";
import type { Call, Verb } from "../spec.ts";
import { usage } from "../exit.ts";
import type { Item } from "../output/types.ts";
import { plain } from "../output/values.ts";
import { askedBy, noteEffect } from "./effect.ts";
import { lineOf } from "./ids.ts";
import { nameArgument, readOne, shownAs, type CliKind } from "./v1.ts";
import { noteWarnings } from "./warnings.ts";

const COLUMNS = [
  { title: "Version", value: "Version" },
  { title: "Time", value: "Time" },
  { title: "Action", value: "Action" },
  { title: "Actor", value: "AccessorID" },
  { title: "Request", value: "RequestID", wide: true },
];

/** The commands. @param parameter of the query that names an object of the kind */
export function historyVerbs(kind: CliKind, parameter: string): Verb[] {
  return [historyVerb(kind, parameter), restoreVerb(kind, parameter)];
}

function readsOf({ operations: { read, readByName } }: CliKind): string[] {
  return readByName === undefined ? [read] : [read, readByName];
}

/** Reads versions of an object; with their content when one is named. */
async function versionsOf(call: Call, parameter: string, id: string, version?: string): Promise<Item[]> {
  const query = { [parameter]: id, ...(version === undefined ? {} : { version }) };
  const { body } = await call.read("listVersions", { query });
  return Array.isArray(body) ? (body as Item[]) : [];
}

function historyVerb(kind: CliKind, parameter: string): Verb {
  return {
    name: "history",
    summary: "List earlier versions from the audit log, newest first.",
    operations: [...readsOf(kind), "listVersions"],
    args: [nameArgument(kind)],
    flags: [{ name: "version", value: "INDEX", help: "Show the content of this version." }],
    async run(call) {
      const id = String((await readOne(call, kind, call.arg(kind.noun)))[kind.idMember]);
      const wanted = call.flag("version");
      const versions = await versionsOf(call, parameter, id, wanted);
      if (wanted !== undefined) {
        await call.out.value(versions[0] ?? {});
        return;
      }
      await call.out.list(each(versions), { columns: COLUMNS, name: (item) => item["Version"] });
    },
  };
}

function restoreVerb(kind: CliKind, parameter: string): Verb {
  const { operations, pathName, idMember } = kind;
  return {
    name: "restore",
    summary: "Restore an earlier version. Fails if another client changes the object first.",
    operations: [...readsOf(kind), "listVersions", operations.update, ...askedBy(kind)],
    args: [nameArgument(kind)],
    flags: [{ name: "version", value: "INDEX", help: "Version, as shown by history. Required." }],
    async run(call) {
      const version = call.flag("version");
      if (version === undefined) throw usage("specify --version", `run tessera ${kind.noun} history to list versions`);
      const present = await readOne(call, kind, call.arg(kind.noun));
      const id = String(present[idMember]);
      const [found = {}] = await versionsOf(call, parameter, id, version);
      const body = (found["Patch"] ?? {}) as Item;
      await noteEffect(call, kind.draft, { ...body, [idMember]: id });
      await call.confirm(`Restore version ${version} of this ${nounOf(kind.noun).toLowerCase()}?`, [
        `${lineOf(present, kind)}, version of ${plain(found["Time"], "")}`,
      ]);
      const query = { cas: String(present["ModifyIndex"]) };
      const answer = await call.write(operations.update, { path: { [pathName]: id }, body, query });
      if (answer === undefined) return;
      await noteWarnings(call, answer.headers);
      await call.out.item(objectOf(answer), shownAs(kind));
    },
  };
}
