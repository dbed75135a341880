/**
 * Incident 63: what is deleted, ended or noted for good goes by `Database.forGood`, never by the wall clock alone. A file that writes
 * and asks the wall clock is listed with how often it does and what for: a new question is seen here.
 */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const sources = globSync("src/**/*.ts", { cwd: root })
  // A command on another machine has no clock of a server.
  .filter((path) => !path.endsWith(".test.ts") && !path.startsWith("src/cli/client/"))
  .map((path) => [path, withoutComments(readFileSync(join(root, path), "utf8"))] as const);

const GIVEN = "it is given the trusted clock (removals-by-age.test.ts)";
const REFUSES = "it refuses or counts what is over, and deletes nothing";
const STARTS = "what is made now ends later";
const STAMPS = "what is written says when it was written";
const MONOTONIC = "a clock that nobody sets";
const IS_THE_CLOCK = "it is the wall clock";

/** Questions for the wall clock in files that write, other than those for a text that only says when something was done. */
const ASKED: Readonly<Record<string, readonly [times: number, why: string]>> = {
  "src/acl/deletion/store.ts": [1, STAMPS],
  "src/acl/idempotency.ts": [
    4,
    "a key that is over may be used again; its note is replaced, and a repetition is a request",
  ],
  "src/acl/kit/trash.ts": [1, STARTS],
  "src/acl/login/old-notes.ts": [3, GIVEN],
  "src/acl/login/service.ts": [2, `${STARTS}, and ${REFUSES}`],
  "src/acl/sessions/expired.ts": [2, GIVEN],
  "src/acl/sessions/service.ts": [
    2,
    "lists show what counts; a sign-in asks whether the clock is in doubt before it deletes",
  ],
  "src/acl/tokens/expired.ts": [2, GIVEN],
  "src/acl/tokens/old-secrets.ts": [1, GIVEN],
  "src/acl/tokens/restore.ts": [1, REFUSES],
  "src/acl/tokens/revocation/engine.ts": [2, STAMPS],
  "src/acl/tokens/revocation/service.ts": [3, `${REFUSES}; UnusedFor is refused while the clock is in doubt`],
  "src/acl/tokens/rotate.ts": [1, "a rotation asks whether the clock is in doubt before it drops old secrets"],
  "src/acl/tokens/service.ts": [2, STARTS],
  "src/acl/trash/ended.ts": [2, GIVEN],
  "src/acl/trash/service.ts": [2, REFUSES],
  "src/records/retention.ts": [3, `${GIVEN}; ${STAMPS}`],
  "src/records/sinks/follow.ts": [1, "a metric shows an age"],
  "src/storage/keys/keyring.ts": [2, STAMPS],
  "src/storage/postgres/write-turns.ts": [2, MONOTONIC],
  "src/storage/readiness.ts": [3, MONOTONIC],
  "src/storage/sqlite/open.ts": [1, IS_THE_CLOCK],
  "src/storage/writes/recorded.ts": [1, STAMPS],
  "src/tags/changes/hooks/delivery.ts": [1, `${STAMPS}; a retry that is further off than any is due`],
  "src/tags/changes/retention.ts": [1, GIVEN],
  "src/tags/jobs/engine.ts": [3, STAMPS],
  "src/tags/jobs/imports/retention.ts": [1, GIVEN],
  "src/tags/jobs/retention.ts": [2, GIVEN],
  "src/tags/jobs/service.ts": [1, STAMPS],
  "src/tags/rules/days/retention.ts": [1, GIVEN],
  "src/use/retention.ts": [2, GIVEN],
};

/** Files whose deletes and notes take a time from their callers, and whose time that is. */
const TAKEN: Readonly<Record<string, string>> = {
  "src/acl/idempotency.ts": "a note is replaced by its next request",
  "src/acl/kit/trash.ts": STAMPS,
  "src/acl/login/old-notes.ts": GIVEN,
  "src/acl/sessions/store.ts": GIVEN,
  "src/acl/tokens/old-secrets.ts": GIVEN,
  "src/acl/tokens/store.ts": `${GIVEN}; ${REFUSES}`,
  "src/acl/tokens/use-store.ts": "recordUses, which asks the trusted clock",
  "src/records/retention.ts": GIVEN,
  "src/records/sinks/store.ts": `${GIVEN}: the pruning's own`,
  "src/storage/feed/nodes.ts": "the database's own seconds; a server that is there shows itself again",
  "src/storage/keys/rotate.ts": "it compares what was read, and no times",
  "src/storage/keys/users.ts": "the database's own seconds; a server that is there shows itself again",
  "src/storage/purge/organization.ts": "it names a row by its day",
  "src/tags/changes/hooks/store.ts": "a retry that is further off than any is due",
  "src/tags/changes/retention.ts": GIVEN,
  "src/tags/jobs/imports/store.ts": GIVEN,
  "src/tags/jobs/store.ts": GIVEN,
  "src/tags/rules/days/store.ts": `${GIVEN}; counting asks the trusted clock`,
  "src/use/flush.ts": "UseFlusher, which asks the trusted clock",
  "src/use/store.ts": "UseFlusher, which asks the trusted clock",
};

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|(?<![:"'`\w])\/\/.*$/gm, "");
}

/** Questions for a clock that may be wrong. A text of the time that is written, and a check of a token, delete nothing. */
function askedOf(text: string): number {
  const judged = text
    .replaceAll(/\bnew Date\((?:[\w.#]+\.)?#?now\(\)\)\.toISOString\(\)/g, "")
    .replaceAll(/\bisExpired\([^()]*, (?:\w+\.)*now\(\)\)/g, "");
  const questions = judged.match(/[\w.#]*\bnow\(\)(?!:)|\bnew Date\(\)/g) ?? [];
  return questions.filter((question) => !/performance|forGood|clock\.now/.test(question)).length;
}

test("each question for the wall clock in a file that writes is known, with what it is for", () => {
  const asked = sources
    .filter(([, text]) => /\btx\b|\binTransaction\b/.test(text))
    .map(([path, text]) => [path, askedOf(text)] as const)
    .filter(([, times]) => times > 0);
  const known = Object.entries(ASKED).map(([path, [times]]) => [path, times]);
  expect(asked.toSorted(([one], [other]) => (one < other ? -1 : 1))).toEqual(known);
});

test("a comparison with the wall clock is such a question, and the time of a record and the trusted clock are none", () => {
  expect(askedOf("rows.filter(({ endsAt }) => endsAt <= ctx.now())")).toBe(1);
  expect(askedOf("tx.write(removeOld, { before: new Date(this.#db.now() - KEPT_MS).toISOString() })")).toBe(1);
  expect(askedOf("{ createdAt: new Date(ctx.now()).toISOString() }")).toBe(0);
  expect(askedOf("if (isExpired(current, ctx.now())) throw noToken(); remove(tx, ctx.db.forGood.now())")).toBe(0);
});

test("each file whose deletes or notes compare with a time that is given says whose time that is", () => {
  const timed =
    /\b(?:now|before|at|day|idleSince|retryAt|seenAt|expiresAt)\??: (?:number|\(\) => number)|\b(?:before|since|fedSince)\??: string/;
  const taken = sources.filter(([, text]) => timed.test(text) && /deleteFrom\(|doUpdateSet\(/.test(text));
  expect(taken.map(([path]) => path).toSorted()).toEqual(Object.keys(TAKEN));
});
