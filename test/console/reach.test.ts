/** The console for who has a small screen or large letters, and for two who change the same thing. */
import { TesseraError } from "@tessera-server/client";
import { expect, it } from "vitest";
import { sized } from "../support/length.ts";
import { watchMemory } from "./live-memory.ts";
import { outside } from "./looks.ts";
import { signIn } from "./open.ts";
import { PAGES, pathOf } from "./pages.ts";
import { inBrowser, useConsole } from "./use-console.ts";

/** 320 px are what is left of 1280 at 400 %; what fits there fits on a telephone, unless its style is another. */
const WIDTHS = { 320: /./, 360: sized(/^(home|tokens|token-edit|tag|policy-edit|why-who|scope)$/, /./) } as const;

const at = useConsole({ isSeeded: true });

inBrowser("the console for everybody", () => {
  for (const [width, pages] of Object.entries(WIDTHS)) {
    it(`scrolls no page sideways, and cuts off no control, at ${width} px`, async () => {
      const window = await at.openSignedOut({ width: Number(width), height: 640 });
      const found: string[] = [];
      await window.go("");
      await window.page.locator("[type=password]").waitFor();
      found.push(...(await outside(window.page, "sign-in")));
      await signIn(window, at.token);
      let isAsItWas = false;
      for (const page of PAGES.filter(({ name }) => pages.test(name))) {
        // A page on which nothing was done is left as by a link.
        await (isAsItWas ? window.follow(pathOf(page, at.seeded)) : window.go(pathOf(page, at.seeded)));
        isAsItWas = page.prepare === undefined;
        await window.page.getByRole("heading", { level: 1 }).waitFor();
        if (!DESK.includes(page.name)) await page.prepare?.(window.page);
        await window.settled();
        found.push(...(await outside(window.page, page.name)));
        await page.leave?.(window.page);
      }
      expect(found).toEqual([]);
    });
  }

  it("loses no change of three who edit the same object, two by the API and one by the page", async () => {
    const { ID } = await at.client.roles.create({ body: { Name: "shared", Description: "0", Policies: [] } });
    const { page, go } = await at.open();
    const byApi = sized(200, 1000);
    const byPage = sized(4, 20);
    // Each adds one to the number that the description holds: what is lost is missing in the end.
    let isOver = false;
    const writer = async () => {
      for (let made = 0; made < byApi / 2 && !isOver;) {
        const { Description, ModifyIndex } = await at.client.roles.read({ id: ID });
        try {
          await at.client.roles.update({ id: ID, cas: String(ModifyIndex), body: { Description: next(Description) } });
          made += 1;
        } catch (error) {
          if (!(error instanceof TesseraError && error.status === 409)) throw error;
        }
        // Now and then there is time for whoever is slower.
        await page.waitForTimeout(made % 25 === 0 ? 2000 : 20);
      }
    };
    const api = Promise.all([writer(), writer()]);
    try {
      for (let made = 0; made < byPage;) {
        await go(`access/default/default/roles/${ID}/edit`);
        const field = page.getByLabel("Description", { exact: true });
        await field.waitFor();
        await field.fill(next(await field.inputValue()));
        // It may be overtaken before, while and after it is pressed: the page says so, and one begins again.
        const saved = page.getByRole("heading", { level: 1, name: "shared", exact: true });
        const raced = page.getByRole("alert").filter({ hasText: "Conflict: object has changed" });
        const button = page.getByRole("button", { name: "Save changes (1)" });
        while (!(await saved.isVisible()) && !(await raced.isVisible())) {
          await button.click({ timeout: 1000 }).catch(() => undefined);
        }
        if (await saved.isVisible()) made += 1;
        else await page.evaluate(`addEventListener("beforeunload", (event) => event.stopImmediatePropagation(), true)`);
      }
    } catch (error) {
      isOver = true;
      throw error;
    } finally {
      await api;
    }
    expect((await at.client.roles.read({ id: ID })).Description).toBe(String(byApi + byPage));
  });

  it("holds no more of the browser's memory the longer events come in", async () => {
    const path = "access/default/default/tokens?sort=Description";
    const window = await at.open(path);
    const { heap, nodes, changes, isCurrent } = await watchMemory({
      page: window.page,
      client: at.client,
      seconds: sized(20, 600),
      rate: 4,
      samples: 5,
    });
    expect(isCurrent).toBe(true);
    expect(changes).toBeGreaterThan(10);
    expect(heap.at(-1) ?? 0).toBeLessThan(1.5 * (heap[1] ?? 0));
    expect(nodes.at(-1) ?? 0).toBeLessThan(1.2 * (nodes[1] ?? 0));
  });
});

/** Pages for a wide screen alone: the steps to their state need controls that a narrow screen shows elsewhere. */
const DESK: readonly string[] = ["tokens-selected"];

function next(text: string): string {
  return String(Number(text) + 1);
}
