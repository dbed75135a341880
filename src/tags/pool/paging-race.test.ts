import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { tagNames, useApi } from "../../../test/support/api.ts";
import { forEachEngine } from "../../../test/support/engines.ts";

const READERS = 6;
const MADE = 120;
const SIZE = 20;

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  it("no page leaves out a tag that was answered before it was asked for, while others are made behind it", async () => {
    const org = await api.organization();
    let made = 0;
    let isOver = false;
    const name = (number: number) => `t${String(number).padStart(4, "0")}`;
    const writer = async (): Promise<void> => {
      for (let number = 0; number < MADE; number++) {
        expect((await api.post(`/organizations/${org}/tags`, tagNames(name(number)))).status).toBe(201);
        made = number + 1;
      }
    };
    const reader = async (): Promise<void> => {
      while (!isOver) {
        const known = made;
        // The last page that is full for certain, and the one behind it, are read from the end of the pool.
        const page = Math.max(1, Math.ceil(known / SIZE));
        const query = `page%5Bnumber%5D=${page}&page%5Bsize%5D=${SIZE}`;
        const { body } = await api.get(`/organizations/${org}/tags?${query}`);
        const names = (body.data as { attributes: { name: string } }[]).map((tag) => tag.attributes.name);
        const start = (page - 1) * SIZE;
        const wanted = Array.from({ length: known - start }, (_, index) => name(start + index));
        expect(names.slice(0, wanted.length)).toEqual(wanted);
        expect(body.meta.pagination["total-count"]).toBeGreaterThanOrEqual(known);
        // Without a socket nothing else gives the writer its turn.
        await setImmediate();
      }
    };
    const clients = [writer(), ...Array.from({ length: READERS }, reader)];
    await Promise.all(clients.map((client) => client.finally(() => (isOver = true))));
  });
});
