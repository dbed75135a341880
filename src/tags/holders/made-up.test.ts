/** A third kind of holder, made up: one entry, and every way of changing tags works on it. */
import { expect, test } from "vitest";
import { useApi } from "../../../test/support/api.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import type { Context } from "../../context.ts";
import { findOrganization } from "../../organizations/store.ts";
import type { Transaction } from "../../storage/database.ts";
import { NO_VERDICT } from "../rules/enforce.ts";
import { BINDING } from "../pool/marks.ts";
import { findTagsByName, ONE_PROJECT, type TagLink } from "../pool/store.ts";
import { newTag, settleUses, UseCounts } from "../pool/uses.ts";
import { changeHeld, clearHeld } from "./change.ts";
import type { Holder, HolderKind } from "./holder.ts";
import { bound, gain } from "./links.ts";
import { planHeld, writeHeld } from "./plan.ts";
import type { BindingRequest } from "./request.ts";

/** Keys that a stack may have. */
const MOST = 2;
const NOW = "2026-01-01T00:00:00.000Z";

/** The whole pool with the links of one holder. */
async function poolFor(tx: Transaction, organization: string, links: ReadonlyMap<string, TagLink>) {
  const rows = await tx.sql.selectFrom("tags").select("name").where("organization_id", "=", organization).execute();
  const names = rows.map(({ name }) => name);
  return (await findTagsByName(tx, organization, names)).map((tag) => ({ ...tag, ...links.get(tag.id) }));
}

/** Stacks keep their links in memory; the pool, its counts and the records are real. */
function createStacks() {
  const stacks = new Map<string, Holder>();
  const links = new Map<string, Map<string, TagLink>>();
  const of = (stack: string) => links.get(stack) ?? new Map<string, TagLink>();
  const STACKS: HolderKind<Holder> = {
    name: "project",
    use: ONE_PROJECT,
    hasFlatTags: false,
    findLinks: (_db, tags, ids) =>
      Promise.resolve(
        new Map(ids.map((stack) => [stack, new Map([...of(stack)].filter(([tag]) => tags.includes(tag)))])),
      ),
    async findConcerned(tx, { id, organizationId }, { bindings }) {
      const names = new Set(bindings?.wanted.map(({ key }) => key));
      const tags = await poolFor(tx, organizationId, of(id));
      return tags.filter(({ name, marks }) => names.has(name) || marks !== 0);
    },
    async listAll(tx, stack) {
      const tags = await poolFor(tx, stacks.get(stack)?.organizationId ?? "", of(stack));
      return tags.filter(({ marks }) => marks !== 0);
    },
    countWhereCrowded: () => Promise.resolve(0),
    inheritedKeys: () => Promise.resolve(new Set()),
    findFull: (_db, changes) =>
      Promise.resolve(
        new Set(
          changes
            .filter(({ holder, diff }) => of(holder.id).size + gain(diff, BINDING) > MOST)
            .map(({ holder }) => holder.id),
        ),
      ),
    judge: () => Promise.resolve(NO_VERDICT),
    insertAll: (_tx, added) => added.forEach(({ holder: { id }, tag, link }) => links.set(id, of(id).set(tag, link))),
    update: (_tx, stack, tag, link) => links.set(stack, of(stack).set(tag, link)),
    removeFromHolder: (_tx, stack, tags) => tags.forEach((tag) => of(stack).delete(tag)),
    removeFromAll: (_tx, tag, ids) => ids.forEach((stack) => of(stack).delete(tag)),
  };
  return { STACKS, stacks, of };
}

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  async function start() {
    const name = await api.organization();
    const organizationId = (await findOrganization(api.db, name))?.id ?? "";
    const made = createStacks();
    const stack = (id: string): Holder => {
      const holder = { id, organizationId, name: id };
      made.stacks.set(id, holder);
      return holder;
    };
    const ctx = {
      actor: { accessorId: "root" },
      requestId: "r",
      now: () => Date.parse(NOW),
    } as unknown as Context;
    const inside = <T>(act: (tx: Transaction) => Promise<T>) =>
      api.db.inTransaction({ kind: "organization", id: organizationId }, act);
    const bind = (holder: Holder, bindings: BindingRequest) =>
      inside((tx) => changeHeld(ctx, tx, made.STACKS, holder, { bindings }));
    const pool = async () =>
      (await api.get(`/organizations/${name}/tags`)).body.data.map(
        ({ attributes }: { attributes: { name: string } }) => attributes.name,
      );
    const records = async () =>
      (
        await api.db.sql
          .selectFrom("changes")
          .select(["object_id as id", "details"])
          .where("organization_id", "=", organizationId)
          .where("action", "=", "tags-changed")
          .orderBy("position")
          .execute()
      ).map(({ id, details }) => [id, JSON.parse(details)]);
    return { ...made, stack, ctx, inside, bind, pool, records, organizationId };
  }

  test("is changed alone: its keys come into the pool, are on record, and leave it with their last use", async () => {
    const { stack, bind, pool, records, ctx, inside, STACKS } = await start();
    const one = stack("one");
    const { bindings } = await bind(one, { wanted: [{ key: "env", value: "prod" }], replaces: false });
    expect(bindings).toMatchObject([{ key: "env", value: "prod", boundAt: NOW }]);
    await bind(one, { wanted: [{ key: "env", value: "test" }], replaces: false });
    expect(await pool()).toEqual(["env"]);
    await inside((tx) => clearHeld(ctx, tx, STACKS, one));
    expect(await pool()).toEqual([]);
    expect(await records()).toEqual([
      ["one", { bindings: { added: [{ key: "env", value: "prod" }] } }],
      ["one", { bindings: { changed: [{ key: "env", from: "prod", to: "test" }] } }],
      ["one", { bindings: { removed: [{ key: "env", value: "test" }] } }],
    ]);
  });

  test("is changed with others: the full one stays, the rest share a tag and its count", async () => {
    const { stack, bind, of, ctx, inside, STACKS, organizationId } = await start();
    const [one, two, full] = [stack("one"), stack("two"), stack("full")];
    const wanted = ["a", "b"].map((key) => ({ key, value: "" }));
    await bind(full, { wanted, replaces: true });
    const tag = newTag("shared");
    const plan = await inside(async (tx) => {
      const planned = await planHeld(tx, STACKS, [one, two, full], [tag], (_stack, held) => [
        [tag, bound(held.get(tag.id), "x", NOW)],
      ]);
      const counts = new UseCounts();
      await writeHeld(ctx, tx, STACKS, planned.changes, counts);
      settleUses(tx, organizationId, [tag], counts, NOW);
      return planned;
    });
    expect([...plan.full]).toEqual(["full"]);
    expect(plan.changes.map(({ holder }) => holder.id)).toEqual(["one", "two"]);
    expect(of("two").get(tag.id)).toMatchObject({ marks: BINDING, value: "x" });
    expect(await findTagsByName(api.db, organizationId, ["shared"])).toMatchObject([{ projectCount: 2 }]);
  });
});
