import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/support/engines.ts";
import { type AuditContent, type AuditRow, chainHash } from "../../storage/proofs/audit-chain.ts";
import { type AuditHead, headLine, parseLine, recordLine } from "../line.ts";
import { verifyFiles } from "./file.ts";
import type { ChainFinding } from "./finding.ts";
import { readHeads } from "./lines.ts";

const CHAIN = "partition/default";

/** A chain of so many records. */
function chainOf(length: number, chain = CHAIN, change = (content: AuditContent) => content): AuditRow[] {
  let before = "";
  return Array.from({ length }, (_, index) => {
    const content = change({
      chain,
      seq: index + 1,
      at: new Date(1_700_000_000_000 + index * 1000).toISOString(),
      partition: "default",
      namespace: index % 2 === 0 ? "default" : "",
      organization_id: "",
      accessor_id: "acc",
      kind: "policy",
      object_id: `id-${index}`,
      name: `ä "${index}"\u2028\ud800`,
      action: "create",
      outcome: "done",
      request_id: "",
      detail: JSON.stringify({ 7: 1, b: [1e21, -0.5, "\u0000"], a: { __proto__x: null } }),
    });
    before = chainHash(before, content);
    return { ...content, hash: before };
  });
}

const linesOf = (rows: readonly AuditRow[]) => rows.map(recordLine);

async function verify(parts: readonly (readonly string[])[], saved: readonly AuditHead[] = []) {
  const folder = temporaryDirectory();
  const paths = parts.map((lines, index) => {
    const path = join(folder, `part-${index}`);
    writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
    return path;
  });
  const findings: ChainFinding[] = [];
  const heads: AuditHead[] = [];
  const sum = await verifyFiles(paths, new Map(saved.map((head) => [head.chain, head])), {
    onFinding: (finding) => findings.push(finding),
    onWhole: (head) => heads.push(head),
  });
  return { findings, heads, sum };
}

const found = (seq: number, why: RegExp) => [
  expect.objectContaining({ chain: CHAIN, seq, why: expect.stringMatching(why) }),
];
const headOf = (row: AuditRow | undefined): AuditHead => {
  if (row === undefined) throw new Error("no record");
  return { chain: row.chain, seq: row.seq, hash: row.hash, at: "2026-01-01T00:00:00.000Z", mac: "m" };
};

test("a line holds all that a record's hash is made over, also of details that somebody has made no JSON", () => {
  const [row] = chainOf(1);
  if (row === undefined) throw new Error("no record");
  for (const detail of [
    row.detail,
    "{}",
    "[1]",
    "3",
    "null",
    '"text"',
    '{"a":1}}\n{"type":"head"',
    "{ }",
    '{"a":1,"a":1}',
    "",
  ]) {
    const record = { ...row, detail };
    const line = recordLine(record);
    expect(line).not.toContain("\n");
    expect(parseLine(line)).toEqual({ type: "record", record });
  }
  expect(parseLine(headLine(headOf(row)))).toEqual({ type: "head", head: headOf(row) });
  for (const text of ["", "{", "3", "null", '{"type":"record"}', '{"type":"head","chain":1}']) {
    expect(parseLine(text)).toBeUndefined();
  }
});

test("a line that is not byte for byte what was written is none, whatever its hash is made over", () => {
  const [row] = chainOf(1);
  if (row === undefined) throw new Error("no record");
  const [line, head] = [recordLine(row), headLine(headOf(row))];
  const changes: ((text: string) => string)[] = [
    (text) => text.replace('"seq":1', '"seq":7,"seq":1'),
    (text) => text.replace('"chain"', '"approvedBy":"ops","chain"'),
    (text) => text.replace('"chain":', '"chain": '),
    (text) => `${text} `,
    (text) => `${text}\r`,
    (text) => text.replace('"seq":1', '"seq":1.0'),
    (text) => text.replace('"chain"', '"\\u0063hain"'),
    (text) => text.replace('"hash"', '"name2":"","hash"'),
  ];
  for (const text of changes.flatMap((change) => [change(line), change(head)])) {
    expect([line, head]).not.toContain(text);
    expect([text, parseLine(text)]).toEqual([text, undefined]);
  }
  expect(parseLine(line.replace('"detail":', '"kind":"","detail":'))).toBeUndefined();
});

test("parts of a file are one, several chains beside each other, with heads between them", async () => {
  const [rows, others] = [chainOf(6), chainOf(3, "root")];
  const lines = linesOf(rows);
  const mixed = [lines[0], linesOf(others)[0], lines[1], lines[2], headLine(headOf(rows[2]))].map(String);
  const rest = [...linesOf(others).slice(1), ...lines.slice(3)];
  const { findings, heads, sum } = await verify([mixed, rest]);
  expect([findings, sum]).toEqual([[], { chains: 2, records: 9, begunLater: 0 }]);
  expect(heads.map(({ chain, seq, hash }) => [chain, seq, hash])).toEqual([
    [CHAIN, 6, rows[5]?.hash],
    ["root", 3, others[2]?.hash],
  ]);
  expect((await verify([rest])).sum).toEqual({ chains: 2, records: 5, begunLater: 2 });
});

test("an export, which has the newest first, is verified to its last line", async () => {
  const rows = chainOf(6);
  expect((await verify([linesOf(rows).reverse()])).findings).toEqual([]);
  for (const seq of [1, 3, 6]) {
    const changed = rows.map((row) => (row.seq === seq ? { ...row, name: "other" } : row));
    expect((await verify([linesOf(changed).reverse()])).findings).toEqual(found(seq, /^was modified or inserted/));
  }
  const without = rows.filter(({ seq }) => seq !== 3);
  expect((await verify([linesOf(without).reverse()])).findings).toEqual(found(3, /^was deleted, or is missing/));
});

test("the first record that was changed, taken out, put in or moved is named", async () => {
  const rows = chainOf(9);
  for (const column of Object.keys(rows[0] ?? {}) as (keyof AuditRow)[]) {
    if (column === "seq" || column === "chain") continue;
    const changed = rows.map((row) => (row.seq === 5 ? { ...row, [column]: `${row[column]}x` } : row));
    expect([column, (await verify([linesOf(changed)])).findings]).toEqual([
      column,
      found(5, /^was modified or inserted/),
    ]);
  }
  expect((await verify([linesOf(rows.filter(({ seq }) => seq !== 4))])).findings).toEqual(found(4, /^was deleted/));
  const moved = [...rows.slice(0, 2), ...rows.slice(4, 5), ...rows.slice(2, 4), ...rows.slice(5)];
  expect((await verify([linesOf(moved)])).findings).toEqual(found(3, /^was deleted: the next record is 5$/));
  const swapped = rows.map((row) => ({ ...row, seq: row.seq === 3 ? 7 : row.seq === 7 ? 3 : row.seq }));
  expect((await verify([linesOf(swapped.toSorted((a, b) => a.seq - b.seq))])).findings).toEqual(
    found(3, /^was modified or inserted/),
  );
  for (const seq of [2, 9]) {
    const forged = { ...rows[seq - 1], name: "put in" } as AuditRow;
    expect((await verify([linesOf([...rows, forged])])).findings).toEqual(found(seq, /^was modified or inserted/));
  }
});

test("what a sink was given once more is no damage, whether lately or all from the beginning", async () => {
  const rows = linesOf(chainOf(9));
  expect((await verify([[...rows.slice(0, 6), ...rows.slice(3, 6), ...rows.slice(3)]])).findings).toEqual([]);
  expect((await verify([[...rows, ...rows]])).findings).toEqual([]);
  expect((await verify([[...rows.slice(4), ...rows.slice(4)]])).findings).toEqual([]);
});

test("a file that was written anew with hashes that are right does not have its heads, nor one that was kept elsewhere", async () => {
  const rows = chainOf(9);
  const anew = chainOf(9, CHAIN, (content) => (content.seq === 2 ? { ...content, accessor_id: "somebody" } : content));
  const head = headOf(rows[6]);
  expect((await verify([[...linesOf(anew), headLine(head)]])).findings).toEqual(
    found(7, /^does not match the head signed/),
  );
  expect((await verify([linesOf(anew)])).findings).toEqual([]);
  expect((await verify([linesOf(anew)], [head])).findings).toEqual(found(7, /^does not match the head saved/));
});

test("a tail that was cut off is missed by a head, a chain that is gone too", async () => {
  const rows = chainOf(9);
  const head = headOf(rows[8]);
  expect((await verify([linesOf(rows.slice(0, 7))])).findings).toEqual([]);
  expect((await verify([linesOf(rows.slice(0, 7))], [head])).findings).toEqual(
    found(8, /^was deleted, with all records up to 9/),
  );
  expect((await verify([[...linesOf(rows.slice(0, 7)), headLine(head)]])).findings).toEqual(found(8, /^was deleted/));
  expect((await verify([linesOf(chainOf(2, "root"))], [head])).findings).toEqual(
    found(1, /^was deleted, with all records up to 9/),
  );
});

test("a file that holds something else is refused, a last line without an end is none yet", async () => {
  const folder = temporaryDirectory();
  const path = join(folder, "audit.jsonl");
  const lines = linesOf(chainOf(2));
  writeFileSync(path, `${lines[0]}\n${lines[1]?.slice(0, 50)}`);
  const told = { onFinding: (finding: ChainFinding) => expect.unreachable(finding.why), onWhole: () => undefined };
  expect(await verifyFiles([path], new Map(), told)).toMatchObject({ records: 1 });
  writeFileSync(path, `${lines[0]}\nsomething\n${lines[1]}\n`);
  await expect(verifyFiles([path], new Map(), told)).rejects.toThrow(`line 2 of ${path} is not an audit record`);
  for (const rest of ["something", '{"typ0', '"type":"record"']) {
    writeFileSync(path, `${lines[0]}\n${rest}`);
    await expect(verifyFiles([path], new Map(), told)).rejects.toThrow(`line 2 of ${path} is not an audit record`);
  }
  writeFileSync(path, Buffer.concat([Buffer.from(`${lines[0]}\n{"type":"`), Buffer.from([0xff]), Buffer.from('"}\n')]));
  await expect(verifyFiles([path], new Map(), told)).rejects.toThrow("is not a text file");
  await expect(readHeads([join(folder, "missing")])).rejects.toThrow(
    `cannot read ${join(folder, "missing")} (ENOENT). Check the path and its permissions`,
  );
});

test("a line that has no end is refused when it is longer than a record can be, at the cost of its bytes", async () => {
  const path = join(temporaryDirectory(), "audit.jsonl");
  const file = openSync(path, "w");
  const part = Buffer.alloc(1024 * 1024, "x");
  for (let count = 0; count < 17; count += 1) writeSync(file, part);
  closeSync(file);
  await expect(readHeads([path])).rejects.toThrow(
    / has a line of more than 16777216 bytes; it is not a file of audit records$/,
  );
});
