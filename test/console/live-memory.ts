/**
 * Measures the memory of an open page while events come in: the heap of its window after a collection, again and again.
 */
import type { CDPSession, Page } from "playwright-core";
import type { Client } from "@tessera-server/client";

/** Measurements of a page. */
export interface Watched {
  /** Bytes of the heap, each after a collection, in order. */
  readonly heap: readonly number[];
  /** Elements of the document, at the same times. */
  readonly nodes: readonly number[];
  /** Changes that were made meanwhile. */
  readonly changes: number;
  /** Whether the page has the last of them. */
  readonly isCurrent: boolean;
}

interface Watching {
  /** It shows the list of tokens. */
  readonly page: Page;
  readonly client: Client;
  readonly seconds: number;
  /** Changes a second. */
  readonly rate: number;
  readonly samples: number;
}

/** Changes tokens one after the other, and looks at the page that lists them. */
export async function watchMemory({ page, client, seconds, rate, samples }: Watching): Promise<Watched> {
  const tokens: string[] = [];
  for (let at = 0; at < 10; at += 1) {
    tokens.push((await client.tokens.create({ body: { Description: `aaa watched ${at}` } })).AccessorID);
  }
  const session = await page.context().newCDPSession(page);
  const end = Date.now() + seconds * 1000;
  const heap: number[] = [];
  const nodes: number[] = [];
  let changes = 0;
  const changing = (async () => {
    while (Date.now() < end) {
      const accessor = tokens[changes % tokens.length] ?? "";
      changes += 1;
      await client.tokens.update({ accessor, body: { Description: `aaa watched ${changes}` } });
      await page.waitForTimeout(1000 / rate);
    }
  })();
  for (let sample = 0; sample < samples; sample += 1) {
    await page.waitForTimeout(Math.max(0, (end - Date.now()) / (samples - sample)));
    const seen = await look(session);
    heap.push(seen.heap);
    nodes.push(seen.nodes);
  }
  await changing;
  const isCurrent = await page
    .getByText(`aaa watched ${changes}`, { exact: true })
    .waitFor({ timeout: 30_000 })
    .then(() => true)
    .catch(() => false);
  return { heap, nodes, changes, isCurrent };
}

async function look(session: CDPSession): Promise<{ heap: number; nodes: number }> {
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  const { nodes } = await session.send("Memory.getDOMCounters");
  return { heap: usedSize, nodes };
}
