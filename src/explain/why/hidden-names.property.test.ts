import { beforeAll, expect, test } from "vitest";
import { WorldMaker, type CanaryPlace } from "../../../test/support/canaries.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { sized } from "../../../test/support/length.ts";
import { bearer } from "../../../test/support/login.ts";
import { at, KEY, secretIn } from "../../../test/support/scopes.ts";
import { randomOfRun } from "../../../test/support/seeded.ts";
import { useV1 } from "../../../test/support/v1.ts";

const ASKERS = sized(3, 40);

interface Asked {
  path: string;
  body?: object;
}

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const maker = new WorldMaker(v1, randomOfRun());
  const { world } = maker;
  beforeAll(async () => {
    for (let count = 0; count < 2; count += 1) await maker.organization();
    await maker.namespace("default", "default");
    for (let count = 0; count < 2; count += 1) await maker.namespace("default");
    const partition = await maker.partition();
    await maker.namespace(partition, "default");
    await maker.namespace(partition);
    const [home, ...others] = world.places;
    if (home === undefined) throw new Error("unreachable");
    for (const to of others.slice(0, 2)) await maker.spread(home, to);
  });

  /** Words of what somebody may not read, as reads of the things themselves show it. */
  async function hiddenFrom(secret: string): Promise<string[]> {
    const hidden: string[] = [];
    let known = "";
    for (const { words, read, isText } of world.canaries) {
      const answer = read.startsWith("/api/v2")
        ? await v1.api("GET", read.slice("/api/v2".length), undefined, secret)
        : await v1.get(read, secret);
      if (answer.status !== 200) hidden.push(...words);
      else if (isText) known += answer.text;
    }
    return hidden.filter((word) => !known.includes(word));
  }

  const QUESTIONS = ["key", "service", "acl", "operator", "organization", "workspace", "namespace", "intention"];

  function questions(): object[] {
    const plain = QUESTIONS.map((Resource) => ({
      Resource,
      Segment: maker.pick(["a", "b/c", ""]),
      Access: maker.pick(["read", "write"]),
    }));
    const requests = [
      ...world.workspaces.map(({ id }) => `PATCH /api/v2/workspaces/${id}`),
      ...world.tags.map((id) => `GET /api/v2/tags/${id}`),
    ];
    return [...plain, ...requests.map((Request) => ({ Request }))];
  }

  /** All that can be asked about what lies in a place. */
  function asksOf({ place, policies, role, method, tokens }: CanaryPlace): Asked[] {
    const asks: Asked[] = [];
    const ask = (path: string, body?: object) => asks.push({ path: at(path, place), ...(body && { body }) });
    const scoped = questions().map((question) => ({
      ...question,
      Namespace: place.namespace,
      Partition: place.partition,
    }));
    for (const AccessorID of tokens) ask("/acl/explain", { AccessorID, Questions: scoped });
    ask("/acl/explain", { RoleID: role, Questions: scoped });
    ask("/acl/explain", { Rules: 'key "a" { policy = "read" }', Questions: scoped });
    ask("/acl/explain", { AuthMethod: method, BearerToken: bearer(KEY), Questions: scoped });
    for (const resource of QUESTIONS)
      ask(`/acl/access?resource=${resource}&segment=a&access=${maker.pick(["read", "write"])}`);
    for (const ID of policies) {
      ask(`/acl/uses?policy=${ID}`);
      ask("/acl/effect", { DeletedPolicies: [{ ID }] });
      ask("/acl/replay?page-size=1000", { DeletedPolicies: [{ ID }] });
    }
    ask("/acl/effect", {
      Policies: [{ Name: "new", Rules: 'acl = "write"' }],
      Roles: [{ ID: role, Policies: [{ Name: "new" }] }],
    });
    for (const AccessorID of tokens) ask("/acl/effect", { Tokens: [{ AccessorID, Roles: [], Policies: [] }] });
    ask(`/acl/uses?role=${role}`);
    ask(`/acl/uses?auth-method=${method}`);
    ask(`/acl/uses?namespace=${place.namespace}`);
    ask("/acl/policy/check", { Rules: 'workspace "acme" {}\nkeys "a" {}' });
    ask("/acl/binding-rule/check", {
      AuthMethod: method,
      BindType: "role",
      BindName: "none",
      Selector: "value.none == a",
    });
    ask("/acl/auth-method/check", { Name: method, Type: "jwt", Config: { JWTValidationPubKeys: [KEY.publicKey] } });
    return asks;
  }

  test("no answer names what its caller may not read, whatever lies where and whatever rights they have", async () => {
    let told = 0;
    for (let count = 0; count < ASKERS; count += 1) {
      // The first one reads a namespace alone, into which logins of another one lead.
      const { place } = count === 0 ? (world.places[1] ?? maker.pick(world.places)) : maker.pick(world.places);
      const rules = count === 0 ? "" : maker.rules(place);
      const secret = await secretIn(v1, place, rules.includes("acl") ? rules : `${rules}\nacl = "read"`);
      const hidden = await hiddenFrom(secret);
      expect(hidden).not.toEqual([]);
      const asks = world.places.flatMap(asksOf);
      asks.push(...world.refused.map((id) => ({ path: `/acl/why/${id}` })));
      for (const partition of new Set(world.places.map((each) => each.place.partition)))
        asks.push({ path: `/acl/overview?partition=${partition}` });
      for (const { path, body } of asks) {
        const answer = body === undefined ? await v1.get(path, secret) : await v1.post(path, body, secret);
        if (answer.status === 200) told += 1;
        const asked = `${path} ${JSON.stringify(body)}`;
        const found = hidden.filter((word) => !asked.includes(word) && answer.text.includes(word));
        expect(found, `${asked}\nas ${place.partition}/${place.namespace} with ${rules}\n${answer.text}`).toEqual([]);
      }
    }
    expect(told).toBeGreaterThan(ASKERS * 10);
  });
});
