/** Commands about many tokens at once: their names, and how many there are. */
import { each, listOf, objectOf } from "../kit/answers.ts";
import type { Item, OutputColumn } from "../output/types.ts";
import type { Verb } from "../spec.ts";

/** AccessorIDs that one request names. */
const NAMED_AT_ONCE = 64;

const names: Verb = {
  name: "names",
  summary: "Show the descriptions of tokens. Specify AccessorIDs.",
  description: "Searches all namespaces. Finds tokens that you may read, and your own token.",
  operations: ["listTokenNames"],
  args: [{ name: "token", help: "Full AccessorIDs.", many: true, complete: "token" }],
  async run(call) {
    const asked = call.args("token");
    const found: Item[] = [];
    for (let from = 0; from < asked.length; from += NAMED_AT_ONCE) {
      const query = { accessor: asked.slice(from, from + NAMED_AT_ONCE).join(",") };
      found.push(...listOf(await call.read("listTokenNames", { query })));
    }
    const columns: OutputColumn[] = [
      { title: "AccessorID", value: "AccessorID" },
      { title: "Description", value: "Description" },
      { title: "Namespace", value: "Namespace" },
      { title: "Partition", value: "Partition" },
    ];
    await call.out.list(each(found), { columns, name: (item) => item["AccessorID"] });
  },
};

const count: Verb = {
  name: "count",
  summary: "Count tokens by expiration and last use.",
  operations: ["countTokens"],
  examples: ["tessera token count"],
  async run(call) {
    const found = objectOf(await call.read("countTokens")) as Record<string, Item[]> & { More?: boolean };
    if (found.More === true) await call.out.warn("Not all tokens are counted: more than 100,000.");
    const rows = (["Expiration", "LastUse"] as const).flatMap((kind) =>
      (found[kind] ?? []).map((bucket) => ({ ...bucket, Kind: kind })),
    );
    const columns: OutputColumn[] = [
      { title: "Kind", value: "Kind" },
      { title: "Within", value: "Within" },
      { title: "Tokens", value: "Count" },
    ];
    await call.out.list(each(rows), { columns, name: (item) => item["Within"] });
  },
};

/** The commands. */
export const tokenLookups: readonly Verb[] = [names, count];
