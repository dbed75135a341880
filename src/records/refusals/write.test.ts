/** How what was gathered is written, by several servers and while storage is away. */
import { randomUUID } from "node:crypto";
import { readdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { expect, test } from "vitest";
import { forEachEngine, temporaryDirectory } from "../../../test/support/engines.ts";
import { refusalsIn } from "../../../test/support/refusals.ts";
import { useV1 } from "../../../test/support/v1.ts";
import { DEFAULT_SCOPE } from "../../rights/scope.ts";
import { StorageAway } from "../../errors.ts";
import { findRefused } from "../store.ts";
import { chainHash } from "../../storage/proofs/audit-chain.ts";
import type { Database } from "../../storage/database.ts";
import type { RequestRefusal } from "./refusal.ts";
import { createRefusals } from "./refusals.ts";

const SILENT = pino({ level: "silent" });

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  test("two servers write to the same chains, whose records follow on each other without gap", async () => {
    const servers = [1, 2, 3].map(() => createRefusals({ db: v1.db, now: v1.now, log: SILENT }));
    for (const [number, server] of servers.entries()) {
      for (let count = 0; count < 40; count++) server.note(madeUp(`${number}-${count}`));
    }
    await Promise.all(servers.map((server) => server.stop()));
    const chain = "refusals/partition/default";
    const rows = await v1.db.sql
      .selectFrom("audit_records")
      .selectAll()
      .where("chain", "=", chain)
      .orderBy("seq")
      .execute();
    expect(rows.filter(({ accessor_id }) => accessor_id.startsWith("made-up")).length).toBe(120);
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_row, place) => place + 1));
    let before = "";
    for (const { hash, ...content } of rows) {
      expect(chainHash(before, content)).toBe(hash);
      before = hash;
    }
  });

  test("what storage does not take is kept and tried again, and written once", async () => {
    let isAway = true;
    let tries = 0;
    const db: Database = {
      ...v1.db,
      inTransaction: (...given) => {
        tries += 1;
        return isAway ? Promise.reject(new StorageAway("away")) : v1.db.inTransaction(...given);
      },
    };
    const refusals = createRefusals({ db, now: v1.now, log: SILENT, windowMs: 100 });
    refusals.note(madeUp("kept"));
    await expect.poll(() => tries).toBeGreaterThan(0);
    await expect(refusals.flush()).rejects.toThrow("away");
    expect(refusals.stats()).toMatchObject({ noted: 1, lost: 0 });
    isAway = false;
    await refusals.flush();
    await refusals.stop();
    const found = (await refusalsIn(v1.db)).filter(({ accessorId }) => accessorId === "made-up-kept");
    expect(found).toHaveLength(1);
  });

  test("what storage does not take at a stop is kept in the data directory, and put on record by the next start, once", async () => {
    const directory = temporaryDirectory();
    const options = { now: v1.now, log: SILENT, directory };
    const away: Database = { ...v1.db, inTransaction: () => Promise.reject(new StorageAway("moved elsewhere")) };
    const before = createRefusals({ ...options, db: away });
    for (let count = 0; count < 3; count++) before.note(madeUp("spooled"));
    await before.stop();
    const [file = "", ...others] = readdirSync(directory);
    expect(others).toEqual([]);
    expect(statSync(join(directory, file)).mode & 0o777).toBe(0o600);
    // As a process has left it that was killed while it wrote them.
    renameSync(join(directory, file), join(directory, `${file}.${NO_PROCESS}`));
    for (let start = 0; start < 2; start++) await createRefusals({ ...options, db: v1.db }).stop();
    const found = (await refusalsIn(v1.db)).filter(({ accessorId }) => accessorId === "made-up-spooled");
    expect(found.map(({ detail }) => detail.count)).toEqual([3]);
    expect(readdirSync(directory)).toEqual([]);
  });

  test("a file of them that is none is told, and stays, and holds up no other", async () => {
    const directory = temporaryDirectory();
    const lines: string[] = [];
    const log = pino({ level: "error" }, { write: (line: string) => void lines.push(line) });
    writeFileSync(join(directory, `refused-${randomUUID()}.json`), "{");
    const server = createRefusals({ db: v1.db, now: v1.now, log, directory });
    server.note(madeUp("beside"));
    await server.stop();
    expect(lines.join("")).toContain("cannot read the file of denied-request records");
    expect((await refusalsIn(v1.db)).filter(({ accessorId }) => accessorId === "made-up-beside")).toHaveLength(1);
    expect(readdirSync(directory)).toHaveLength(1);
  });

  test("requests that were refused in another order than they arrived in are each found", async () => {
    const server = createRefusals({ db: v1.db, now: v1.now, log: SILENT });
    const ids = ["abc-9", "abc-1h", "abc-1g"];
    for (const requestId of ids) server.note({ ...madeUp("out-of-order"), requestId });
    await server.stop();
    for (const id of ids) {
      expect(await findRefused(v1.db, id)).toMatchObject({ accessorId: "made-up-out-of-order", requestId: "abc-1h" });
    }
  });
});

/** No process has such a number. */
const NO_PROCESS = 2 ** 30;

function madeUp(name: string): RequestRefusal {
  const accessorId = `made-up-${name}`;
  return {
    refused: { kind: "rights", resource: "acl", segment: "", access: "write", scope: DEFAULT_SCOPE },
    actor: undefined,
    address: `192.0.2.1 ${name}`,
    requestId: name,
    isRead: false,
    origin: () => ({ accessorId, requestId: name, detail: {} }),
  };
}
