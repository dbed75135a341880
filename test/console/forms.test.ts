/**
 * Tests that the code that a form shows does what its button does: each is run as it is shown, against the same server.
 */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { command } from "../support/cli.ts";
import { ACCESS_FORMS } from "./forms-of-access.ts";
import { ORGANIZATION_FORMS } from "./forms-of-organizations.ts";
import { POOL_FORMS } from "./forms-of-pool.ts";
import { TAG_FORMS } from "./forms-of-tags.ts";
import { UNDO_FORMS } from "./forms-of-undo.ts";
import type { About, Form } from "./forms.ts";
import { signIn, type Window } from "./open.ts";
import { inBrowser, useConsole } from "./use-console.ts";

const FORMS = [...ACCESS_FORMS, ...UNDO_FORMS, ...TAG_FORMS, ...POOL_FORMS, ...ORGANIZATION_FORMS];
/** By which a form is tried: two ways by its code, and by its button. */
const MEANS = ["tessera", "curl", "button"] as const;
type Means = (typeof MEANS)[number];

/** Operations that no form makes a change with, or that have a test of another kind. */
const READ_ONLY: readonly string[] = [
  "explainRefusal",
  "explainDecisions",
  "listAccess",
  "revealToken",
  "verifyTagWebhook",
];

const windows: Partial<Record<Means, Window>> = {};
const at = useConsole({ isSeeded: true });

describe("the forms whose code is tried", () => {
  it("are all that show any", () => {
    const tried = new Set<string>(FORMS.flatMap(({ operations }) => operations));
    expect(shown().filter((operation) => !tried.has(operation) && !READ_ONLY.includes(operation))).toEqual([]);
  });
});

inBrowser("the code of a form", () => {
  beforeAll(async () => {
    for (const means of MEANS) {
      const window = await at.openForAll();
      await window.context.addInitScript(`localStorage.setItem("tessera-code", "${means}")`);
      await window.go("");
      await signIn(window, at.token);
      windows[means] = window;
    }
  }, 180_000);

  for (const [index, form] of FORMS.entries()) {
    it(`that ${form.title} makes what the form makes, by tessera and by curl`, async () => {
      const one = async (means: Means) => tryOne(form, means, `${means}-${index + 1}x`);
      const [byTessera, byCurl, byButton] =
        form.isAlone === true
          ? [await one("tessera"), await one("curl"), await one("button")]
          : await Promise.all(MEANS.map(one));
      expect(byTessera, "by tessera").toEqual(byButton);
      expect(byCurl, "by curl").toEqual(byButton);
    });
  }
});

async function tryOne(form: Form, means: Means, name: string): Promise<unknown> {
  const window = windows[means] ?? expect.fail(`no window for ${means}`);
  const { page } = window;
  const id = (await form.setUp?.(at.client, name)) ?? "";
  const about: About = { name, id };
  const before = form.setUp === undefined ? undefined : plain(await form.read(at.client, about), about);
  await window.follow(form.path(about));
  await form.fill(page, about);
  if (means === "button") await press(page, form.save);
  else await run(await codeOn(page), means);
  await form.settled?.(at.client, about);
  const after = plain(await form.read(at.client, about), about);
  // A form that changed nothing would be like any code.
  expect(after, `${form.title} by ${means}`).not.toEqual(before);
  return after;
}

/** Presses the button, and waits for the server's answer. */
async function press(page: Page, name: string | RegExp): Promise<void> {
  const scope = (await page.getByRole("dialog").count()) > 0 ? page.getByRole("dialog") : page;
  const written = page.waitForResponse(
    (answer) => answer.request().method() !== "GET" && !/preview|explain|check|effect/.test(answer.url()),
  );
  await scope.getByRole("button", { name, exact: true }).click();
  const answer = await written;
  expect(answer.status(), await answer.text().catch(() => "")).toBeLessThan(300);
  // With several requests, the page shows when the last one is through.
  await page.waitForLoadState("networkidle", { timeout: 1500 }).catch(() => undefined);
}

/** The code that is shown, all of it, when it has come to rest. */
async function codeOn(page: Page): Promise<string> {
  const panels = page.getByRole("region", { name: "Equivalent code" }).getByRole("tabpanel");
  let last = "";
  for (;;) {
    const text = (await panels.locator("pre").filter({ visible: true }).allTextContents()).join("\n");
    if (text !== "" && text === last) return text;
    last = text;
    // By the page's own clock: where others have the processor, what was typed is in the form late, but before this.
    await page.evaluate("new Promise((resolve) => setTimeout(() => requestIdleCallback(resolve), 200))");
  }
}

/** As somebody does who pastes it into a shell. */
async function run(code: string, means: "tessera" | "curl"): Promise<void> {
  const env = { PATH: "/usr/bin:/bin", HOME: "/nowhere", TESSERA_TOKEN: at.token };
  const shell = async (script: string) => promisify(execFile)("bash", ["-euc", script], { env });
  if (means === "curl") {
    await shell(`curl() { command curl --silent --show-error --fail-with-body "$@"; }\n${code}`);
    return;
  }
  // The shell reads the words; the command itself runs here.
  const { stdout } = await shell(`tessera() { printf '%s\\0' "$@"; printf '\\0'; }\n${code}`);
  for (const words of stdout.split("\0\0").filter((text) => text !== "")) {
    const ended = await command(words.split("\0"), {
      env: { TESSERA_ADDR: at.url, TESSERA_TOKEN: at.token, HOME: "/nowhere" },
    });
    expect(ended.code, `${code}\n${ended.stderr}`).toBe(0);
  }
}

/** An object without what no two have in common: its name and ID, and those of what was made with it, times and numbers of changes. */
function plain(object: unknown, { name, id }: About): unknown {
  if (object === undefined) return undefined;
  const text = JSON.stringify(object, (key, value: unknown) =>
    ["Hash", "CreateIndex", "ModifyIndex", "RaftIndex"].includes(key) ? undefined : value,
  )
    .replaceAll(name, "NAME")
    .replaceAll(...([id === "" ? "\0" : id, "ID"] as const));
  return JSON.parse(
    text
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "UUID")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)/g, "TIME"),
  );
}

/** Operations of all plans of the console. */
function shown(): string[] {
  const folder = resolve(import.meta.dirname, "../../console/src");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
  const found = files.flatMap((name) => {
    const source = readFileSync(join(folder, name), "utf8");
    if (!/\bcommand: /.test(source)) return [];
    return [...source.matchAll(/^\s*(?:create|update|delete|operation): (.+),$/gm)].flatMap(([, value = ""]) =>
      [...value.matchAll(/"([a-z]+[A-Z]\w*)"/g)].flatMap(([, operation = ""]) => [operation]),
    );
  });
  return [...new Set(found)];
}
