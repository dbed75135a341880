/** Tests that objects deleted after a backup stay deleted, as far as a file of audit records shows the deletions. */
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { engines, temporaryDirectory, type Engine } from "../support/engines.ts";
import { startServer } from "../support/server.ts";
import { ask, callerOf } from "../upgrades/caller.ts";
import { nounOf } from "../../src/acl/audited.ts";
import { DELETED_KINDS } from "../../src/backup/deleted-objects.ts";
import { REVOKED } from "../../src/backup/revocations.ts";
import { CHANGE_KINDS } from "../../src/tags/changes/record.ts";
import { PROVEN_TABLES } from "../../src/storage/proofs/proofs.ts";
import { GONE_WITH_ORGANIZATIONS } from "../../src/storage/purge/organization.ts";
import { emptyPlace, tessera } from "./command.ts";

/** Tables that decide about rights, and whose rows are part of something else or are put on record with it. */
const NO_OBJECTS: ReadonlySet<string> = new Set(["meta", "token_secrets", "console_sessions", "trash"]);

test("incident 65: every kind with records of deletions is deleted again, or named among those that are back", () => {
  const recorded = [
    ...PROVEN_TABLES.filter((table) => !NO_OBJECTS.has(table)).map((table) => nounOf(table)),
    ...CHANGE_KINDS,
    ...Object.values(GONE_WITH_ORGANIZATIONS).map(({ kind }) => kind),
    "organization",
  ];
  const known = new Set<string>([...DELETED_KINDS, ...Object.values(REVOKED).flat()]);
  expect(recorded.filter((kind) => !known.has(kind))).toEqual([]);
});

describe.each(engines)("a restore into %s with --audit-file", (engine: Engine) => {
  test("deletes again what was deleted later, and nothing else", async () => {
    const source = await emptyPlace(engine);
    const server = await startServer(source);
    onTestFinished(async () => void (await server.stop()));
    const { token } = server;
    const call = callerOf(server.url);
    const put = async (path: string, body: object) =>
      (await call("PUT", `/v1/acl/${path}`, body, token)) as { ID: string; AccessorID: string; SecretID: string };
    const kept = await put("policy", { Name: "kept", Rules: 'acl = "read"' });
    const gone = await put("policy", { Name: "gone", Rules: 'acl = "write"' });
    const role = await put("role", { Name: "gone", Policies: [{ ID: kept.ID }] });
    const Policies = [{ ID: kept.ID }, { ID: gone.ID }];
    const [trashed, back] = [await put("role", { Name: "trashed" }), await put("policy", { Name: "back" })];
    await call("DELETE", `/v1/acl/role/${trashed.ID}`, undefined, token);
    await call("PUT", "/v1/namespace", { Name: "gone" }, token);
    const [revoked, rotated, elsewhere] = await Promise.all([
      put("token", { Policies }),
      put("token", { Policies }),
      put("token?ns=gone", {}),
    ]);
    const [lives, deleted, before, disabled] = await Promise.all([
      put("token", { Policies, Roles: [{ ID: role.ID }] }),
      put("token", { Policies }),
      put("token", { Policies }),
      put("token", { Policies }),
    ]);
    const earlier = new Date(Date.now() - 3_600_000).toISOString();
    const file = join(temporaryDirectory(), "backup");
    expect(await tessera("backup", file, ...source.where)).toMatchObject({ status: 0 });
    const at = new Date().toISOString();
    const record = (kind: string, id: string, more: object = {}) =>
      JSON.stringify({
        chain: "partition/gone",
        seq: 1,
        at,
        kind,
        id,
        action: "delete",
        outcome: "done",
        ...more,
      });
    const audit = join(temporaryDirectory(), "audit.jsonl");
    const lines = [
      record("token", deleted.AccessorID),
      record("policy", gone.ID),
      record("policy", back.ID, { seq: 2 }),
      record("policy", back.ID, { action: "restore", seq: 3 }),
      record("role", role.ID),
      record("token", revoked.AccessorID, { action: "revoke" }),
      record("token", rotated.AccessorID, { action: "rotate" }),
      record("namespace", "gone", { partition: "default" }),
      record("token", before.AccessorID, { at: earlier }),
      record("token", disabled.AccessorID, { action: "disable" }),
      record("token", before.AccessorID, { outcome: "refused" }),
      record("token", before.AccessorID, { action: "update" }),
      // Older by its number than what the backup knows of the chain, whatever its time is.
      record("token", before.AccessorID, { chain: "partition/default", seq: 0 }),
      record("workspace", before.AccessorID),
      JSON.stringify({ type: "head", chain: "partition/gone", seq: 1, hash: "h", at, mac: "m" }),
      record("workspace", "\u2028"),
      '{"chain":"partition/default","se',
    ];
    writeFileSync(audit, lines.join("\n"));
    const empty = join(temporaryDirectory(), "empty.jsonl");
    writeFileSync(empty, "");
    const target = await emptyPlace(engine, source);
    const { status, stdout, stderr } = await tessera(
      "restore",
      file,
      "--audit-file",
      audit,
      "--audit-file",
      empty,
      ...target.where,
    );
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(
      "4 tokens, 2 policies, 1 roles, 0 auth methods, 0 binding rules, 0 console sessions, 1 of kind namespace\n",
    );
    expect(stdout).toContain(`review them: ${back.ID}, ${before.AccessorID}\n`);
    const copy = await startServer(target);
    onTestFinished(async () => void (await copy.stop()));
    const self = async (secret: string) => (await ask(copy.url, "GET", "/v1/acl/token/self", undefined, secret)).status;
    const refused = await ask(copy.url, "GET", "/v1/acl/token/self", undefined, disabled.SecretID);
    expect(refused.body).toContain("disabled");
    const tokens = [lives, deleted, before, revoked, rotated, elsewhere];
    expect(await Promise.all(tokens.map((each) => self(each.SecretID)))).toEqual([200, 403, 200, 403, 403, 403]);
    // Objects that the restore deletes again are not in the trash, and only those who saw its content before see it.
    const trash = async (secret: string) => ask(copy.url, "GET", "/v1/acl/trash", undefined, secret);
    expect((await trash(token)).body).toMatchObject([{ Kind: "role", Name: "trashed" }]);
    expect((await trash(lives.SecretID)).status).toBe(403);
    expect((await ask(copy.url, "GET", `/v1/acl/policy/${back.ID}`, undefined, token)).status).toBe(200);
    // The remaining links decide: the deleted policy has no effect, and it is not a lost row.
    const asked = [
      { Resource: "acl", Access: "read" },
      { Resource: "acl", Access: "write" },
    ];
    const { body } = await ask(copy.url, "POST", "/v1/acl/authorize", asked, lives.SecretID);
    expect(body).toMatchObject([{ Allow: true }, { Allow: false }]);
    expect(copy.stdout + copy.stderr).not.toMatch(/damage|corrupt/);
  });

  test("incident 65: namespaces, partitions, organizations and tags are gone again, and workspaces are named", async () => {
    const source = await emptyPlace(engine);
    const audit = join(temporaryDirectory(), "audit.jsonl");
    const server = await startServer({ ...source, args: ["--audit-file", audit] });
    const { token } = server;
    const call = callerOf(server.url);
    for (const name of ["attic", "yard"]) await call("PUT", "/v1/namespace", { Name: name }, token);
    await call("PUT", "/v1/partition", { Name: "wing" }, token);
    for (const name of ["attic", "yard"]) await call("PUT", `/v1/acl/decision-mapping/${name}`, {}, token);
    const api = async (method: string, path: string, data?: object) =>
      (await call(method, `/api/v2${path}`, data === undefined ? undefined : { data }, token)) as {
        data: { id: string };
      };
    for (const name of ["gone", "stays"]) {
      await api("POST", "/organizations", { type: "organizations", attributes: { name, email: "a@b.example" } });
    }
    const tagged = (name: string, tags: string[]) => ({
      type: "workspaces",
      attributes: { name },
      relationships: { tags: { data: tags.map((tag) => ({ type: "tags", attributes: { name: tag } })) } },
    });
    await api("POST", "/organizations/gone/workspaces", tagged("w", ["x"]));
    await api("POST", "/organizations/stays/workspaces", tagged("kept", ["one", "two"]));
    const { data: shed } = await api("POST", "/organizations/stays/workspaces", tagged("shed", []));
    const file = join(temporaryDirectory(), "backup");
    expect(await tessera("backup", file, ...source.where)).toMatchObject({ status: 0 });
    await call("DELETE", "/v1/namespace/attic", undefined, token);
    await call("DELETE", "/v1/partition/wing", undefined, token);
    await call("DELETE", "/v1/acl/decision-mapping/attic", undefined, token);
    await api("DELETE", "/organizations/gone");
    await api("DELETE", `/workspaces/${shed.id}`);
    const list = (await call("GET", "/api/v2/organizations/stays/tags", undefined, token)) as {
      data: { id: string }[];
    };
    const [tag, merged] = list.data;
    await call("DELETE", "/api/v2/organizations/stays/tags", { data: [{ type: "tags", id: tag?.id }] }, token);
    await call("PUT", "/v1/namespace/yard", { Name: "yard", Description: "changed" }, token);
    expect(await server.stop()).toBe(0);
    const job = { at: new Date().toISOString(), kind: "tag", id: merged?.id, action: "merge", outcome: "done" };
    appendFileSync(audit, `${JSON.stringify(job)}\n`);

    const target = await emptyPlace(engine, source);
    const { status, stdout } = await tessera("restore", file, "--audit-file", audit, ...target.where);
    expect(status).toBe(0);
    expect(stdout).toContain(`Merged after the backup and restored by it; merge them again: tag ${merged?.id} "`);
    expect(stdout).toContain('review them: namespace "default/yard"\n');
    expect(stdout).toContain(
      "1 of kind partition, 1 of kind namespace, 1 of kind organization, 1 of kind tag, 1 of kind decision-mapping",
    );
    expect(stdout).toContain(
      `Deleted after the backup and restored by it; delete them again: workspace ${shed.id} "shed"`,
    );
    const copy = await startServer({ ...target, args: ["--initial-management-token", token.padEnd(36, "x")] });
    onTestFinished(async () => void (await copy.stop()));
    const status404 = async (path: string) => (await ask(copy.url, "GET", path, undefined, token)).status;
    await expect.poll(() => status404("/v1/namespace/attic"), { timeout: 20_000 }).toBe(404);
    await expect.poll(() => status404("/v1/partition/wing"), { timeout: 20_000 }).toBe(404);
    expect(await status404("/v1/namespace/yard")).toBe(200);
    expect(await status404("/v1/acl/decision-mapping/attic")).toBe(404);
    expect(await status404("/v1/acl/decision-mapping/yard")).toBe(200);
    expect(await status404("/api/v2/organizations/gone")).toBe(404);
    const left = (await callerOf(copy.url)("GET", "/api/v2/organizations/stays/tags", undefined, token)) as {
      data: object[];
      meta: { pagination: object };
    };
    expect([left.data.length, left.meta.pagination]).toMatchObject([1, { "total-count": 1 }]);
    expect(copy.stdout + copy.stderr).not.toMatch(/damage|corrupt/);
  });

  test("is refused when the file is none of audit records, and restores nothing", async () => {
    const source = await emptyPlace(engine);
    const server = await startServer(source);
    expect(await server.stop()).toBe(0);
    const file = join(temporaryDirectory(), "backup");
    expect(await tessera("backup", file, ...source.where)).toMatchObject({ status: 0 });
    const audit = join(temporaryDirectory(), "audit.jsonl");
    writeFileSync(audit, "not JSON\n{}\n");
    const target = await emptyPlace(engine, source);
    const bad = await tessera("restore", file, "--audit-file", audit, ...target.where);
    expect(bad).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^tessera: --audit-file [^\n]* in line 1\.[^\n]*\n$/),
    });
    const none = await tessera("restore", file, "--audit-file", `${audit}-none`, ...target.where);
    expect(none).toMatchObject({ status: 2, stderr: expect.stringContaining("ENOENT") });
    expect(await tessera("restore", file, ...target.where)).toMatchObject({ status: 0 });
  });
});
