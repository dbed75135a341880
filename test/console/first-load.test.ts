/** Requests and bytes of the first page that a browser with an empty cache loads: numbers, not seconds. */
import { expect, it } from "vitest";
import { inBrowser, useConsole } from "./use-console.ts";

const MOST_REQUESTS = 25;
const MOST_BYTES = 350_000;

const PAGES = { Tags: "org/acme/tags", Home: "", Policies: "access/default/default/policies" } as const;

const at = useConsole({ isSeeded: true });

inBrowser("the first load with an empty cache", () => {
  for (const [name, path] of Object.entries(PAGES)) {
    it(`of ${name} takes at most ${MOST_REQUESTS} requests and ${MOST_BYTES / 1000} kB`, async () => {
      const window = await at.open();
      const network = await window.context.newCDPSession(window.page);
      const asked = new Map<string, { url: string; bytes: number }>();
      network.on("Network.requestWillBeSent", ({ requestId, request: { url } }) => {
        if (url.startsWith("http")) asked.set(requestId, { url, bytes: 0 });
      });
      network.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
        const found = asked.get(requestId);
        if (found !== undefined) found.bytes = encodedDataLength;
      });
      await network.send("Network.enable");
      await window.go(path);
      await window.page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
      await window.settled();
      const loaded = [...asked.values()];
      const bytes = loaded.reduce((sum, each) => sum + each.bytes, 0);
      const told = loaded.map((each) => `${each.bytes} ${each.url.replace(at.url, "")}`).join("\n");
      expect(loaded.length, told).toBeLessThanOrEqual(MOST_REQUESTS);
      expect(bytes, told).toBeLessThanOrEqual(MOST_BYTES);
      // The script of the console is among them: nothing of it was in a cache.
      expect(bytes).toBeGreaterThan(100_000);
    });
  }
});
