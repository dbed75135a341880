/** Jobs of requests that leave alone what directories of declared files own: they go on with the rest, and say what was refused. */
import { expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { doJobs, jobBody } from "../../../test/support/jobs.ts";
import { MANAGEMENT, useV1 } from "../../../test/support/v1.ts";
import { createAccessorResolver } from "../../acl/tokens/resolve.ts";

const ACCESS = { nodeName: "test", datacenter: "dc1", defaultPolicy: "deny", edition: "enterprise" } as const;

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const resource = (type: string, attributes: object) => ({ data: { type, attributes } });

  async function send(url: string, payload: object) {
    const headers = {
      authorization: `Bearer ${MANAGEMENT}`,
      "content-type": "application/vnd.api+json",
      "x-tessera-unowned": "true",
    };
    return v1.send({ method: "POST", url: `/api/v2${url}`, headers, payload: JSON.stringify(payload) });
  }

  /** Makes an organization with workspaces and flat tags on them. */
  async function organization(name: string, workspaces: Readonly<Record<string, readonly string[]>>): Promise<void> {
    await v1.api("POST", "/organizations", resource("organizations", { name, email: "ops@example.com" }));
    for (const [workspace, tags] of Object.entries(workspaces)) {
      const { body } = await v1.api(
        "POST",
        `/organizations/${name}/workspaces`,
        resource("workspaces", { name: workspace }),
      );
      const data = tags.map((tag) => ({ type: "tags", attributes: { name: tag } }));
      if (data.length > 0) await v1.api("POST", `/workspaces/${body.data.id}/relationships/tags`, { data });
    }
  }
  const own = (Name: string, Objects: readonly string[]) => v1.put("/acl/declaration", { Name, Objects });

  async function doAll(): Promise<void> {
    const resolver = createAccessorResolver(v1.db, ACCESS, v1.now);
    await doJobs({ db: v1.db, actorOf: async (accessor) => resolver(accessor) });
  }

  /** Asks for a job that leaves alone what is owned, compares it with its preview, and does it. @returns what it says then */
  async function done(name: string, attributes: object) {
    const url = `/organizations/${name}/tag-jobs`;
    const seen = await send(`${url}?preview=true`, jobBody(attributes));
    expect(seen.status, seen.text).toBe(200);
    const asked = await send(url, jobBody(attributes));
    expect(asked.status, asked.text).toBe(201);
    await doAll();
    const { body } = await v1.api("GET", `/tag-jobs/${asked.body.data.id}`);
    const { status, reason, total, changed, refused } = body.data.attributes;
    expect([reason, body.data.attributes.done]).toEqual([null, total]);
    const { changed: wouldChange, refused: wouldRefuse } = seen.body.data.attributes;
    expect({ changed: wouldChange, refused: wouldRefuse }).toEqual({ changed, refused });
    return { id: asked.body.data.id, status, changed, refused };
  }

  async function tagsIn(name: string): Promise<Record<string, string[]>> {
    const { body } = await v1.api("GET", `/organizations/${name}/workspaces`);
    return Object.fromEntries(
      body.data.map(({ attributes }: { attributes: Record<string, string[]> }) => [
        attributes["name"],
        attributes["tag-names"],
      ]),
    );
  }

  test("tags are put on all workspaces but the owned ones, and taken back alike", async () => {
    await organization("cranes", { a: [], b: [], c: [], d: [], e: [] });
    await own("cranes", ["workspace cranes/b", "workspace cranes/d"]);
    const job = await done("cranes", { action: "add", tags: [{ name: "steel" }] });
    expect(job).toMatchObject({ status: "done", changed: 3, refused: { owned: 2 } });
    expect(await tagsIn("cranes")).toEqual({ a: ["steel"], b: [], c: ["steel"], d: [], e: ["steel"] });
    // Workspaces that would not change are not refused.
    expect(await done("cranes", { action: "remove", tags: [{ name: "none" }] })).toMatchObject({ refused: {} });
    await own("later", ["workspace cranes/a"]);
    const undo = await send(`/tag-jobs/${job.id}/actions/undo`, {});
    await doAll();
    const { body } = await v1.api("GET", `/tag-jobs/${undo.body.data.id}`);
    expect(body.data.attributes).toMatchObject({ status: "done", refused: { owned: 1 } });
    expect(await tagsIn("cranes")).toEqual({ a: ["steel"], b: [], c: [], d: [], e: [] });
  });

  test("an owned tag keeps its name, and neither it nor one on something owned leaves the pool", async () => {
    await organization("pool", { a: ["iron", "lead"], b: ["tin", "zinc"], c: ["zinc"] });
    await own("pool", ["workspace pool/b", "tag pool/iron"]);
    const rename = await done("pool", { action: "rename", tags: [{ name: "iron" }], to: "ferrum" });
    expect(rename).toMatchObject({ status: "done", changed: 0, refused: { owned: 1 } });
    expect(await done("pool", { action: "delete", filter: { tags: {} } })).toMatchObject({
      status: "done",
      changed: 2,
      // Each tag counts with its uses: iron, tin, and zinc, which has two.
      refused: { owned: 7 },
    });
    expect(await tagsIn("pool")).toEqual({ a: ["iron"], b: ["tin", "zinc"], c: ["zinc"] });
    expect(
      await done("pool", { action: "merge", tags: [{ name: "iron" }, { name: "zinc" }], to: "metal" }),
    ).toMatchObject({ status: "done", changed: 0, refused: { owned: 5 } });
  });
});
