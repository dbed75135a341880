/**
 * Finds objects that a restore has brought back and that may have been deleted since the backup: without audit records
 * the operator has to check them.
 */
import { quote } from "../config/given.ts";
import { MANAGEMENT_POLICY } from "../acl/policies/builtin.ts";
import type { Loading } from "../storage/operator/loading.ts";

/** Some of many, in words, and how many there are. */
export interface Returned {
  count: number;
  /** The newest first; of tokens, those with the management policy before the others, and all of these. */
  shown: readonly string[];
}

/** As many are shown of each. */
const MOST_SHOWN = 50;

interface Row {
  id: string;
  name: string;
  partition: string;
  namespace: string;
}

// Built-in objects can be neither deleted nor changed.
const OWN = "not like '00000000-0000-0000-0000-0000000000%'";
const TOKENS = `select accessor_id as id, description as name, partition, namespace from tokens where accessor_id ${OWN}
  order by created_at desc, accessor_id limit ${MOST_SHOWN}`;
const MANAGING_ROLES = `select id from roles where policies like '%"${MANAGEMENT_POLICY}"%'`;
const POLICIES = `select id, name, partition, namespace from policies where id ${OWN}
  order by modify_index desc, id limit ${MOST_SHOWN}`;

/** The tokens and policies that are there. */
export async function findReturned(loading: Loading): Promise<{ tokens: Returned; policies: Returned }> {
  const managing = await findManaging(loading);
  const some = await find(loading, TOKENS, `select count(*) as count from tokens where accessor_id ${OWN}`, managing);
  const tokens = { count: some.count, shown: [...managing.values(), ...some.shown] };
  const policies = await find(loading, POLICIES, `select count(*) as count from policies where id ${OWN}`);
  return { tokens, policies };
}

/**
 * Tokens that can do anything, by the management policy or by a role that has it, in words by their IDs: however many there are,
 * none may come back unseen. Slice by slice, since most tokens are none of these.
 */
async function findManaging(loading: Loading): Promise<Map<string, string>> {
  const roles = new Set(((await loading.run(MANAGING_ROLES)) as { id: string }[]).map(({ id }) => id));
  const found: (Row & { made: string })[] = [];
  const columns = ["accessor_id", "description", "partition", "namespace", "created_at", "policies", "roles"];
  for await (const slice of loading.rows("tokens", columns, ["accessor_id"])) {
    for (const [id, name, partition, namespace, made, policies, held] of slice.map((row) => row.map(String))) {
      const isManaging =
        policies?.includes(`"${MANAGEMENT_POLICY}"`) === true || listOf(held).some((each) => roles.has(each));
      if (isManaging && id !== undefined)
        found.push({ id, name: name ?? "", partition: partition ?? "", namespace: namespace ?? "", made: made ?? "" });
    }
  }
  found.sort((one, other) => (one.made < other.made ? 1 : -1));
  return new Map(found.map((row) => [row.id, `${inWords(row)}, with all rights`]));
}

function listOf(json = "[]"): readonly string[] {
  return json === "[]" ? [] : (JSON.parse(json) as string[]);
}

/** @param others those that are shown already */
async function find(
  loading: Loading,
  list: string,
  total: string,
  others: ReadonlyMap<string, string> = new Map(),
): Promise<Returned> {
  const rows = ((await loading.run(list)) as Row[]).filter(({ id }) => !others.has(id));
  const [sum] = (await loading.run(total)) as { count: number | string }[];
  return { count: Number(sum?.count ?? 0), shown: rows.map(inWords) };
}

/** An ID, what it is called, and where it lies unless that is where most do. What a client has named is quoted: it goes to a terminal. */
function inWords({ id, name, partition, namespace }: Row): string {
  const called = name === "" ? "" : ` ${quote(name)}`;
  const place = partition === "default" && namespace === "default" ? "" : ` in ${partition}/${namespace}`;
  return `${id}${called}${place}`;
}
