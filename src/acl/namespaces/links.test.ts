import { describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { MANAGEMENT, NOBODY, useV1 } from "../../../test/support/v1.ts";

interface Link {
  ID: string;
  Name: string;
}

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const fresh = () => v1.unique("ns");
  const policyNamed = async (name = v1.unique("p")): Promise<Link> => ({ ID: await v1.policy("", name), Name: name });
  const roleNamed = async (Name = v1.unique("r")): Promise<Link> => ({ ID: await v1.role({ Name }), Name });
  const aclsOf = async (name: string) => (await v1.get(`/namespace/${name}`)).body.ACLs;
  const namespaces = async () => (await v1.get("/namespaces")).text;

  describe("ACLs", () => {
    test.each<[what: string, acls: object]>([
      ["no list", {}],
      ["two empty lists", { PolicyDefaults: [], RoleDefaults: [] }],
      ["one empty list", { PolicyDefaults: [] }],
      ["the other empty list", { RoleDefaults: [] }],
      ["null for both lists", { PolicyDefaults: null, RoleDefaults: null }],
    ])("that were sent with %s come back with both lists, in every answer", async (_what, acls) => {
      const Name = fresh();
      const both = { PolicyDefaults: [], RoleDefaults: [] };
      expect((await v1.put("/namespace", { Name, ACLs: acls })).body.ACLs).toEqual(both);
      expect(await aclsOf(Name)).toEqual(both);
      const list = (await v1.get(`/namespaces?search=${Name}`)).body as { Name: string }[];
      expect(list.find((each) => each.Name === Name)).toMatchObject({ ACLs: both });
      expect((await v1.patch(`/namespace/${Name}`, { Description: "x" })).body.ACLs).toEqual(both);
      expect((await v1.put(`/namespace/${Name}`, { ACLs: acls })).body.ACLs).toEqual(both);
    });

    test.each<[what: string, body: object]>([
      ["absent", {}],
      ["null", { ACLs: null }],
    ])("that are %s are none, and take away those that were there", async (_what, body) => {
      const [Name, policy] = [fresh(), await policyNamed()];
      expect((await v1.put("/namespace", { Name, ...body })).body).not.toHaveProperty("ACLs");
      await v1.put("/namespace", { Name, ACLs: { PolicyDefaults: [{ ID: policy.ID }] } });
      expect(await aclsOf(Name)).toEqual({ PolicyDefaults: [policy], RoleDefaults: [] });
      expect((await v1.put(`/namespace/${Name}`, body)).body).not.toHaveProperty("ACLs");
      expect(await aclsOf(Name)).toBeUndefined();
    });

    test("links by ID, by name in any case and by both are answered with both, each once, in the order given", async () => {
      const [one, two, three] = [await policyNamed(), await policyNamed(), await policyNamed()];
      const [role, other] = [await roleNamed(), await roleNamed()];
      const ACLs = {
        PolicyDefaults: [
          { Name: two.Name.toUpperCase() },
          { ID: one.ID.toUpperCase() },
          { ID: three.ID, Name: "whatever" },
          { ID: two.ID },
          { Name: one.Name },
        ],
        RoleDefaults: [{ Name: other.Name }, { ID: role.ID }, { ID: other.ID, Name: other.Name }],
      };
      const Name = fresh();
      const made = await v1.put("/namespace", { Name, ACLs });
      expect(made.body.ACLs, made.text).toEqual({ PolicyDefaults: [two, one, three], RoleDefaults: [other, role] });
      expect(await aclsOf(Name)).toEqual(made.body.ACLs);
    });

    test("names follow a rename, and a link to what is gone is gone", async () => {
      const [policy, role, stays] = [await policyNamed(), await roleNamed(), await policyNamed()];
      const Name = fresh();
      const links = { PolicyDefaults: [policy, stays], RoleDefaults: [role] };
      const made = (await v1.put("/namespace", { Name, ACLs: links })).body;
      const renamed = { ID: policy.ID, Name: v1.unique("renamed") };
      await v1.patch(`/acl/policy/${policy.ID}`, { Name: renamed.Name });
      expect(await aclsOf(Name)).toEqual({ PolicyDefaults: [renamed, stays], RoleDefaults: [role] });
      await v1.delete(`/acl/policy/${policy.ID}`);
      await v1.delete(`/acl/role/${role.ID}`);
      const left = { PolicyDefaults: [stays], RoleDefaults: [] };
      expect(await v1.get(`/namespace/${Name}`)).toMatchObject({
        body: { ...made, ACLs: left, ModifyIndex: made.ModifyIndex },
      });
      const list = (await v1.get(`/namespaces?search=${Name}`)).body as object[];
      expect(list).toMatchObject([{ ACLs: left }]);
      // Another with the name of the one that is gone is another.
      await policyNamed(renamed.Name);
      expect(await aclsOf(Name)).toEqual(left);
      expect((await v1.patch(`/namespace/${Name}`, { Description: "d" })).body.ACLs).toEqual(left);
    });

    test.each<[what: string, acls: object, text: string]>([
      ["an unknown policy by name", { PolicyDefaults: [{ Name: "nobody" }] }, 'No such ACL policy with name "nobody"'],
      ["an unknown policy by ID", { PolicyDefaults: [{ ID: NOBODY }] }, `No such ACL policy with ID "${NOBODY}"`],
      ["an unknown role by name", { RoleDefaults: [{ Name: "nobody" }] }, 'No such ACL role with name "nobody"'],
      ["an unknown role by ID", { RoleDefaults: [{ ID: NOBODY }] }, `No such ACL role with ID "${NOBODY}"`],
      ["an ID that is no UUID", { PolicyDefaults: [{ ID: "x" }] }, 'No such ACL policy with ID "x"'],
      ["a link to nothing", { PolicyDefaults: [{}] }, 'No such ACL policy with name ""'],
    ])("with %s are refused and nothing is written", async (_what, acls, text) => {
      const Name = fresh();
      const before = await namespaces();
      expect(await v1.put("/namespace", { Name, ACLs: acls })).toMatchObject({ status: 400, text });
      expect(await namespaces()).toBe(before);
      const made = (await v1.put("/namespace", { Name, ACLs: {} })).body;
      for (const write of [v1.put, v1.patch]) {
        expect(await write(`/namespace/${Name}`, { ACLs: acls })).toMatchObject({ status: 400, text });
      }
      expect((await v1.get(`/namespace/${Name}`)).body).toEqual(made);
    });

    test("hold 128 links of each kind and not more", async () => {
      const policy = await policyNamed();
      const links = (count: number) => Array.from({ length: count }, () => ({ ID: policy.ID }));
      const Name = fresh();
      const full = await v1.put("/namespace", { Name, ACLs: { PolicyDefaults: links(128) } });
      expect(full.body.ACLs, full.text).toEqual({ PolicyDefaults: [policy], RoleDefaults: [] });
      for (const list of ["PolicyDefaults", "RoleDefaults"]) {
        const more = await v1.put("/namespace", { Name, ACLs: { [list]: links(129) } });
        expect(more).toMatchObject({ status: 400, text: expect.stringMatching(`${list}.*128`) });
      }
    });
  });

  describe("links lead only into the namespace default of the same partition", () => {
    test.each(["policy", "role"])(
      "a %s of another namespace, its own or another partition is unknown",
      async (kind) => {
        const [team, other, unit] = [fresh(), fresh(), v1.unique("unit")];
        await v1.put("/namespace", { Name: team });
        await v1.put("/namespace", { Name: other });
        await v1.put("/partition", { Name: unit });
        const list = kind === "policy" ? "PolicyDefaults" : "RoleDefaults";
        for (const scope of [`ns=${team}`, `ns=${other}`, `partition=${unit}`]) {
          const { ID, Name } = (await v1.put(`/acl/${kind}?${scope}`, { Name: v1.unique("elsewhere") })).body;
          for (const link of [{ ID }, { Name }, { ID, Name }]) {
            const answer = await v1.put(`/namespace/${team}`, { ACLs: { [list]: [link] } });
            expect(answer.status, `${scope} ${JSON.stringify(link)}`).toBe(400);
            expect(answer.text).toMatch(/^No such ACL /);
          }
        }
      },
    );

    test("in another partition to that one's namespace default", async () => {
      const unit = v1.unique("unit");
      await v1.put("/partition", { Name: unit });
      const there = (await v1.put(`/acl/policy?partition=${unit}`, { Name: "there" })).body;
      const here = await policyNamed();
      const path = `/namespace/team?partition=${unit}`;
      const made = await v1.put(path, { ACLs: { PolicyDefaults: [{ Name: "there" }] } });
      expect(made.body.ACLs, made.text).toEqual({
        PolicyDefaults: [{ ID: there.ID, Name: "there" }],
        RoleDefaults: [],
      });
      expect((await v1.get(path)).body).toEqual(made.body);
      expect((await v1.put(path, { ACLs: { PolicyDefaults: [{ ID: here.ID }] } })).status).toBe(400);
    });
  });

  describe("incident 9: acl:write on what is linked", () => {
    const writers = {
      create: (Name: string, body: object, token: string) => v1.put("/namespace", { Name, ...body }, token),
      replace: (name: string, body: object, token: string) => v1.put(`/namespace/${name}`, body, token),
      patch: (name: string, body: object, token: string) => v1.patch(`/namespace/${name}`, body, token),
    };
    const verbs = Object.keys(writers) as (keyof typeof writers)[];

    test.each(verbs)("%s without it is 403, names the first link, and writes nothing", async (verb) => {
      const operator = await v1.token({ Policies: [{ ID: await v1.policy('operator = "write" acl = "read"') }] });
      const [one, two, role] = [await policyNamed(), await policyNamed(), await roleNamed()];
      const refused: [acls: object, named: string][] = [
        [{ PolicyDefaults: [{ Name: one.Name }, { Name: two.Name }] }, one.Name],
        [{ PolicyDefaults: [{ ID: two.ID }, { ID: one.ID }] }, two.ID],
        [{ RoleDefaults: [{ Name: role.Name }] }, role.Name],
        [{ PolicyDefaults: [{ Name: one.Name }], RoleDefaults: [{ Name: role.Name }] }, one.Name],
        [{ PolicyDefaults: [{ ID: MANAGEMENT_POLICY }] }, MANAGEMENT_POLICY],
        [{ PolicyDefaults: [{ Name: "global-management" }] }, "global-management"],
        // Unknown or not, it answers the same.
        [{ PolicyDefaults: [{ Name: "nobody" }] }, "nobody"],
      ];
      for (const exists of [false, true]) {
        for (const [acls, named] of refused) {
          const Name = fresh();
          if (exists) await v1.put("/namespace", { Name, Description: "as it was" });
          const before = await namespaces();
          const answer = await writers[verb](Name, { Description: "changed", ACLs: acls }, operator.secret);
          expect(answer).toMatchObject({
            status: 403,
            text: `Permission denied: token with AccessorID '${operator.accessor}' lacks permission 'acl:write' on "${named}"`,
          });
          expect(await namespaces()).toBe(before);
        }
      }
    });

    test.each(verbs)("%s with it is allowed", async (verb) => {
      const secret = await v1.tokenWith('operator = "write" acl = "write"');
      const [Name, policy, role] = [fresh(), await policyNamed(), await roleNamed()];
      await v1.put("/namespace", { Name });
      const links = { PolicyDefaults: [policy], RoleDefaults: [role] };
      const answer = await writers[verb](Name, { ACLs: links }, secret);
      expect(answer, answer.text).toMatchObject({ status: 200, body: { ACLs: links } });
    });

    test("acl:write elsewhere, or inside the namespace alone, is not it", async () => {
      const Name = fresh();
      await v1.put("/namespace", { Name });
      const policy = await policyNamed();
      const inside = await v1.tokenWith(`operator = "write" namespace "${Name}" { acl = "write" }`);
      const everyOther = await v1.tokenWith(
        'operator = "write" namespace_prefix "" { acl = "write" } namespace "default" { acl = "deny" }',
      );
      const away = await v1.tokenWith('operator = "write" partition_prefix "x" { acl = "write" }');
      for (const secret of [inside, everyOther, away]) {
        const answer = await v1.put(`/namespace/${Name}`, { ACLs: { PolicyDefaults: [policy] } }, secret);
        expect(answer.status, answer.text).toBe(403);
      }
      expect(await aclsOf(Name)).toBeUndefined();
    });

    test("in another partition it is acl:write there", async () => {
      const unit = v1.unique("unit");
      await v1.put("/partition", { Name: unit });
      await v1.put(`/acl/policy?partition=${unit}`, { Name: "there" });
      const body = { ACLs: { PolicyDefaults: [{ Name: "there" }] } };
      const here = await v1.tokenWith('operator = "write" acl = "write"');
      const refused = await v1.put(`/namespace/team?partition=${unit}`, body, here);
      expect(refused).toMatchObject({
        status: 403,
        text: expect.stringContaining(`on "there" in partition "${unit}"`),
      });
      const there = await v1.tokenWith(`operator = "write" partition "${unit}" { acl = "write" }`);
      const written = await v1.put(`/namespace/team?partition=${unit}`, body, there);
      expect(written.status, written.text).toBe(200);
    });

    test("is not asked for what a request does not link", async () => {
      const secret = await v1.tokenWith('operator = "write"');
      const [Name, policy] = [fresh(), await policyNamed()];
      await v1.put("/namespace", { Name, ACLs: { PolicyDefaults: [policy] } });
      const patched = await v1.patch(`/namespace/${Name}`, { Description: "new" }, secret);
      expect(patched.body).toMatchObject({ Description: "new", ACLs: { PolicyDefaults: [policy] } });
      expect((await v1.put("/namespace", { Name: fresh(), ACLs: {} }, secret)).status).toBe(200);
      // To send back what was read links it again.
      const read = await v1.get(`/namespace/${Name}`, secret);
      expect((await v1.put(`/namespace/${Name}`, read.body, secret)).status).toBe(403);
      expect((await v1.put(`/namespace/${Name}`, read.body, MANAGEMENT)).status).toBe(200);
    });
  });

  test("what an attachment of Terraform reads, changes and sends back whole is accepted", async () => {
    const [policy, next, role] = [await policyNamed(), await policyNamed(), await roleNamed()];
    const Name = fresh();
    await v1.put("/namespace", { Name, ACLs: { PolicyDefaults: [{ Name: policy.Name }] }, Meta: { a: "b" } });
    const object = (await v1.get(`/namespace/${Name}`)).body;
    object.ACLs.PolicyDefaults.push({ Name: next.Name });
    object.ACLs.RoleDefaults.push({ Name: role.Name });
    const answer = await v1.put(`/namespace/${Name}`, object);
    expect(answer.body, answer.text).toEqual({
      ...object,
      ACLs: { PolicyDefaults: [policy, next], RoleDefaults: [role] },
      ModifyIndex: answer.body.ModifyIndex,
    });
  });

  test("a role that is deleted while it becomes a default is refused or leaves no link", async () => {
    const Name = fresh();
    await v1.put("/namespace", { Name });
    const rounds = Array.from({ length: 40 }, (_, round) => round);
    for (const round of rounds) {
      const role = await roleNamed();
      const link = () => v1.put(`/namespace/${Name}`, { ACLs: { RoleDefaults: [{ Name: role.Name }] } });
      const remove = () => v1.delete(`/acl/role/${role.ID}`);
      const [first, second] = round % 2 === 0 ? [link, remove] : [remove, link];
      const [one, other] = await Promise.all([first(), second()]);
      const [linked, removed] = round % 2 === 0 ? [one, other] : [other, one];
      expect(removed.text).toBe("true");
      expect([200, 400], linked.text).toContain(linked.status);
      if (linked.status === 400) expect(linked.text).toBe(`No such ACL role with name "${role.Name}"`);
      expect((await aclsOf(Name))?.RoleDefaults ?? []).toEqual([]);
    }
  });
});

const MANAGEMENT_POLICY = "00000000-0000-0000-0000-000000000001";
