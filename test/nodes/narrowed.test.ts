/**
 * Two servers on one PostgreSQL: rights that one of them narrowed are asked of the other from the first request on that begins
 * after the answer. With `?consistent` none of them finds what there was before.
 */
import { afterEach, describe, expect, it, vi } from "vitest";
import { makeDatabaseUrl } from "../support/engines.ts";
import type { RunningServer } from "../support/server.ts";
import { ask, startTwo, stopAll } from "../support/two-nodes.ts";

vi.setConfig({ testTimeout: 120_000 });
afterEach(stopAll);

const POLL = { timeout: 20_000, interval: 5 };
/**
 * Rounds by feed. With `notify` a message tells each change within a millisecond: it takes more rounds to see a late
 * one.
 */
const ROUNDS = { notify: 6, poll: 3 };
const SAME_ORIGIN = { "x-tessera-console": "1", "sec-fetch-site": "same-origin", "content-type": "application/json" };

/** Makes tokens with rights by a policy, a role and a token, and ways to take each of these away again. */
async function makeHolder({ first, root }: { first: RunningServer; root: string }) {
  const write = async (method: string, path: string, body?: unknown) => {
    const answer = await ask(first, root, method, path, body);
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(200);
    return answer.body;
  };
  const policy = await write("PUT", "/acl/policy", { Name: "reader", Rules: 'acl = "read"' });
  const Policies = [{ Name: "reader" }];
  const role = await write("PUT", "/acl/role", { Name: "readers", Policies });
  const byPolicy = await write("PUT", "/acl/token", { Policies });
  const byRole = await write("PUT", "/acl/token", { Roles: [{ Name: "readers" }] });
  const { SecretID: session } = byPolicy as { SecretID: string };
  return {
    secrets: { policy: session, role: String(byRole["SecretID"]) },
    /** Each narrows the rights of one of them, and gives them back when it is called. */
    narrowings: {
      "a policy's rules": [
        "policy",
        "PATCH",
        `/acl/policy/${String(policy["ID"])}`,
        { Rules: "" },
        { Rules: 'acl = "read"' },
      ],
      "a role's policies": ["role", "PATCH", `/acl/role/${String(role["ID"])}`, { Policies: [] }, { Policies }],
      "a token's policies": [
        "policy",
        "PATCH",
        `/acl/token/${String(byPolicy["AccessorID"])}`,
        { Policies: [] },
        { Policies },
      ],
    } as const,
    write,
  };
}

/** Answers of a server to who has a secret, or a cookie, on reads and on a question. @param manner how they are asked */
async function shown(server: RunningServer, headers: Record<string, string>, manner = "consistent") {
  const get = async (path: string) => (await fetch(`${server.url}/v1${path}?${manner}`, { headers })).status;
  const body = JSON.stringify([{ Resource: "acl", Access: "read" }]);
  const authorize = async () => {
    const answer = await fetch(`${server.url}/v1/acl/authorize?${manner}`, { method: "POST", headers, body });
    return answer.status === 200 ? ((await answer.json()) as { Allow: boolean }[])[0]?.Allow === true : false;
  };
  const [list, object, tokens, allowed] = await Promise.all([
    get("/acl/policies"),
    get("/acl/policy/name/reader"),
    get("/acl/tokens"),
    authorize(),
  ]);
  return { list, object, tokens, allowed };
}

const ALLOWED = { list: 200, object: 200, tokens: 200, allowed: true };
const REFUSED = { list: 403, object: 403, tokens: 403, allowed: false };
const by = (secret: string) => ({ "x-service-token": secret });

describe.each(["notify", "poll"] as const)("with --feed %s", (feed) => {
  it("incident 67: what one server narrowed the other refuses at once to who asks with ?consistent", async () => {
    const { first, second, token: root } = await startTwo(await makeDatabaseUrl("postgres"), ["--feed", feed]);
    const { secrets, narrowings, write } = await makeHolder({ first, root });
    const warm = async (secret: string) => {
      await expect.poll(async () => shown(second, by(secret), "pretty"), POLL).toEqual(ALLOWED);
    };
    for (let round = 0; round < ROUNDS[feed]; round++) {
      for (const [what, [who, method, path, less, more]] of Object.entries(narrowings)) {
        await warm(secrets[who]);
        await write(method, path, less);
        expect(await shown(second, by(secrets[who])), `${what}, round ${round}`).toEqual(REFUSED);
        // A server that has learned it for one knows it for all.
        expect(await shown(second, by(secrets[who]), "pretty"), `${what}, round ${round}`).toEqual(REFUSED);
        await write(method, path, more);
        expect(await shown(second, by(secrets[who])), `${what}, round ${round}`).toEqual(ALLOWED);
      }
    }
  });

  it("incident 67: a secret that was rotated, a token and a session that ended, count for nothing with ?consistent", async () => {
    const { first, second, token: root } = await startTwo(await makeDatabaseUrl("postgres"), ["--feed", feed]);
    const { write } = await makeHolder({ first, root });
    for (let round = 0; round < ROUNDS[feed]; round++) {
      const made = await write("PUT", "/acl/token", { Policies: [{ Name: "reader" }] });
      const [accessor, secret] = [String(made["AccessorID"]), String(made["SecretID"])];
      await expect.poll(async () => shown(second, by(secret), "pretty"), POLL).toEqual(ALLOWED);
      const rotated = await write("POST", `/acl/token/${accessor}/rotate`);
      expect(await shown(second, by(secret)), `rotated, round ${round}`).toEqual(REFUSED);

      const next = String(rotated["SecretID"]);
      expect(await shown(second, by(next))).toEqual(ALLOWED);
      const { cookie, id } = await signIn(second, next);
      const ofPage = { ...SAME_ORIGIN, origin: second.url, cookie };
      expect(await shown(second, ofPage, "pretty")).toEqual(ALLOWED);
      await write("DELETE", `/acl/session/${id}`);
      expect(await shown(second, ofPage), `session ended, round ${round}`).toEqual(REFUSED);

      const again = { ...SAME_ORIGIN, origin: second.url, cookie: (await signIn(second, next)).cookie };
      expect(await shown(second, again, "pretty")).toEqual(ALLOWED);
      await write("DELETE", `/acl/token/${accessor}`);
      expect(await shown(second, by(next)), `deleted, round ${round}`).toEqual(REFUSED);
      expect(await shown(second, again), `its session, round ${round}`).toEqual(REFUSED);
    }
  });
});

/** Signs in at the console of a server. */
async function signIn(server: RunningServer, SecretID: string) {
  const answer = await fetch(`${server.url}/ui/session`, {
    method: "POST",
    headers: { ...SAME_ORIGIN, origin: server.url },
    body: JSON.stringify({ SecretID }),
  });
  const { Session } = (await answer.json()) as { Session: { ID: string } };
  return { cookie: answer.headers.get("set-cookie")?.split(";")[0] ?? "", id: Session.ID };
}
