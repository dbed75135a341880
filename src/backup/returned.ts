/** What a restore has brought back that may have been deleted since: where no record tells, whoever restores has to look. */
import { quote } from "../config/given.ts";
import type { Loading } from "../storage/loading.ts";

/** Some of many, in words, and how many there are. */
export interface Returned {
  count: number;
  /** The newest first. */
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

// Those that are there from the start can be neither deleted nor changed.
const OWN = "not like '00000000-0000-0000-0000-0000000000%'";
const TOKENS = `select accessor_id as id, description as name, partition, namespace from tokens where accessor_id ${OWN}
  order by created_at desc, accessor_id limit ${MOST_SHOWN}`;
const POLICIES = `select id, name, partition, namespace from policies where id ${OWN}
  order by modify_index desc, id limit ${MOST_SHOWN}`;

/** The tokens and policies that are there. */
export async function findReturned(loading: Loading): Promise<{ tokens: Returned; policies: Returned }> {
  const tokens = await find(loading, TOKENS, `select count(*) as count from tokens where accessor_id ${OWN}`);
  const policies = await find(loading, POLICIES, `select count(*) as count from policies where id ${OWN}`);
  return { tokens, policies };
}

async function find(loading: Loading, list: string, total: string): Promise<Returned> {
  const rows = (await loading.run(list)) as Row[];
  const [sum] = (await loading.run(total)) as { count: number | string }[];
  return { count: Number(sum?.count ?? 0), shown: rows.map(inWords) };
}

/** An ID, what it is called, and where it lies unless that is where most do. What a client has named is quoted: it goes to a terminal. */
function inWords({ id, name, partition, namespace }: Row): string {
  const called = name === "" ? "" : ` ${quote(name)}`;
  const place = partition === "default" && namespace === "default" ? "" : ` in ${partition}/${namespace}`;
  return `${id}${called}${place}`;
}
