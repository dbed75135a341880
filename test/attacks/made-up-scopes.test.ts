import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { forEachEngine } from "../support/engines.ts";
import { useV1 } from "../support/v1.ts";
import { heldBytes } from "./heap.ts";

/** Each names a partition and a namespace of its own; what was remembered of one took 2.7 KB. */
const REQUESTS = 2000;
/** Every other one would wait. */
const WAIT = "&index=5&wait=1ms";
const ALLOWED_BYTES = 2 * 1024 * 1024;

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  let named = 0;

  async function ask(count: number, path: string): Promise<void> {
    for (const last = named + count; named < last; named++) {
      const name = `${named.toString(36)}-made-up-by-nobody-in-particular`;
      const { status } = await v1.get(`${path}?partition=${name}&ns=${name}${named % 2 === 0 ? "" : WAIT}`, "");
      expect(status).toBe(403);
      v1.log.length = 0;
      // Cleanup at the end of a request runs in a turn of its own.
      await setImmediate();
    }
  }

  test("incident 39: partitions and namespaces that nobody made are not remembered, however many are named", async () => {
    const path = "/acl/binding-rules";
    await ask(REQUESTS / 4, path);
    const before = heldBytes();
    await ask(REQUESTS, path);
    expect(heldBytes() - before).toBeLessThan(ALLOWED_BYTES);
  });
});
