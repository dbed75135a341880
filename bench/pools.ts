/**
 * Benchmark of slow operations in a large organization, in process: `node bench/pools.ts [sqlite|postgres] [tags]`. It
 * creates as many workspaces as tags, each with a flat tag and two keys; a tenth of the names are similar. It reports
 * the elapsed time, the processor time of all threads of this process, and the longest time without a turn of the event
 * loop.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { ALIKE_TAGS } from "../src/tags/pool/alike/groups.ts";
import type { Database } from "../src/storage/database.ts";
import { openDatabase } from "../src/storage/open.ts";
import type { Tables } from "../src/storage/tables/tables.ts";
import { FALLING_SHORT } from "../src/tags/rules/report.ts";
import type { TagRule } from "../src/tags/rules/rule.ts";
import { countFiltered, listFiltered, type TagFilter, type TagSort } from "../src/tags/pool/filtered-store.ts";
import { listValues } from "../src/tags/pool/values-store.ts";
import { startPostgres } from "../test/support/postgres.ts";
import { describeMachine } from "./machine.ts";
import { median } from "./median.ts";
import { slices } from "./seed.ts";

const EVERYTHING = { ranges: [{ from: "", to: undefined }], names: [], except: [] };
const ROUNDS = 5;
const [, , engine = "sqlite", size = "100000"] = process.argv;
const count = Number(size);
const organization = "org-bench";
const NOW = "2026-01-02T03:04:05.678Z";

async function insertAll<T extends keyof Tables>(db: Database, table: T, rows: readonly Tables[T][]): Promise<void> {
  for (const some of slices(rows, 1000)) {
    await db.inTransaction({ kind: "root" }, async (tx) => {
      tx.write(tx.sql.insertInto(table).values(some as never));
    });
  }
}

const numbers = Array.from({ length: count }, (_, index) => index);
const idOf = (kind: string, index: number): string => `${kind}-${String(index).padStart(16, "0")}`;
/** Every tenth is alike to the one before it. */
const nameOf = (index: number): string =>
  index % 10 === 9 ? `teams_${String(index - 1).padStart(7, "x")}` : `team-${String(index).padStart(7, "x")}`;

async function fill(db: Database): Promise<void> {
  const owner = { organization_id: organization, created_at: NOW };
  await insertAll(db, "organizations", [
    {
      id: organization,
      name: organization,
      name_key: organization,
      email: "",
      settings: "{}",
      default_execution_mode: "remote",
      default_project_id: "prj-bench",
      created_at: NOW,
      tag_count: count,
      workspace_count: count,
      project_count: 1,
    },
  ]);
  const project = { id: "prj-bench", name: "bench", name_key: "bench", description: "", settings: "{}" };
  await insertAll(db, "projects", [{ ...project, ...owner, default_execution_mode: "", workspace_count: count }]);
  const tag = { ...owner, pinned: 1, project_count: 0 };
  const keys = ["env", "owner"].map((name) => ({ id: `tag-${name}`, name, instance_count: count, ...tag }));
  await insertAll(db, "tags", [
    ...keys,
    ...numbers.map((index) => ({ id: idOf("tag", index), name: nameOf(index), instance_count: index % 50, ...tag })),
  ]);
  const workspace = { ...owner, project_id: "prj-bench", settings: "{}", locked: 0, locked_reason: "", locked_by: "" };
  const times = { updated_at: NOW, latest_change_at: NOW };
  await insertAll(
    db,
    "workspaces",
    numbers.map((index) => {
      const name = idOf("workspace", index);
      return { id: idOf("ws", index), name, name_key: name, ...workspace, ...times };
    }),
  );
  await insertAll(db, "workspace_tags", numbers.flatMap(linksOf));
}

function linksOf(index: number): Tables["workspace_tags"][] {
  const link = { workspace_id: idOf("ws", index), workspace_key: idOf("workspace", index), position: index };
  const bound = { marks: 2, binding_id: idOf("tb", index), bound_at: NOW };
  return [
    { ...link, tag_id: idOf("tag", index), marks: 1, value: "", binding_id: "", bound_at: "" },
    { ...link, tag_id: "tag-env", value: index % 20 === 0 ? "test" : "prod", ...bound },
    ...(index % 10 === 0 ? [] : [{ ...link, tag_id: "tag-owner", value: `person-${index % 1000}`, ...bound }]),
  ];
}

async function report(what: string, work: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  const processor: number[] = [];
  const delay = monitorEventLoopDelay({ resolution: 1 });
  for (let round = 0; round < ROUNDS; round += 1) {
    if (round > 0) delay.enable();
    const [began, used] = [performance.now(), process.cpuUsage()];
    await work();
    times.push(performance.now() - began);
    const { user, system } = process.cpuUsage(used);
    processor.push((user + system) / 1000);
    delay.disable();
  }
  const longest = delay.max / 1e6;
  const text = [median(times), median(processor), longest].map((time) => time.toFixed(1).padStart(8)).join("  ");
  process.stdout.write(`${text} ms  ${what}\n`);
}

const RULES: TagRule[] = [
  { name: "owners", requiredKeys: ["owner"] },
  { name: "stages", key: "env", allowedValues: ["prod", "dev"] },
  { name: "names", namingPattern: "[a-z][a-z0-9_-]*" },
];

async function measure(db: Database): Promise<void> {
  process.stdout.write(`${describeMachine()}, ${engine}, ${count} tags and workspaces\n`);
  process.stdout.write(`  median  processor  longest turn\n`);
  const page = (sort: TagSort, offset: number, filter: Partial<TagFilter> = {}) => {
    const asked = { organization, ...filter };
    return async () => {
      const reader = db.long;
      await Promise.all([listFiltered(reader, asked, sort, 20, offset), countFiltered(reader, asked)]);
    };
  };
  for (const offset of [0, Math.floor(count / 2), count - 20]) {
    await report(`20 tags by count, from ${offset}`, () =>
      listFiltered(db.long, { organization }, "-count", 20, offset),
    );
  }
  await report("20 tags by age, from the middle", () =>
    listFiltered(db.long, { organization }, "created-at", 20, Math.floor(count / 2)),
  );
  await report("unused tags, counted", page("name", 0, { unused: true }));
  await report("tags with 5 to 10 uses by name, counted", page("name", 0, { least: 5, most: 10 }));
  await report("tags that hold 123 by count, counted", page("-count", 0, { part: "123" }));
  await report("values of two keys of all workspaces", () => listValues(db.long, ["tag-env", "tag-owner"], EVERYTHING));
  await report("alike tags", () => db.apart(ALIKE_TAGS, { organization }));
  await report("workspaces that fall short of three rules", () =>
    db.apart(FALLING_SHORT, { organization, rules: RULES, filter: {}, visibility: undefined }),
  );
}

const directory = mkdtempSync(join(tmpdir(), "tessera-bench-"));
const postgres = engine === "postgres" ? await startPostgres({ durable: true }) : undefined;
const fail = (error: Error): never => {
  throw error;
};
try {
  const url = postgres?.url ?? `sqlite:${join(directory, "tessera.db")}`;
  const db = await openDatabase({ url, dataDir: directory, onFatal: fail, onWarning: () => undefined });
  await fill(db);
  await measure(db);
  await db.close();
} finally {
  await postgres?.stop("immediate");
  rmSync(directory, { recursive: true, force: true });
}
