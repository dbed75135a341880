/** The console's page and files, as browsers and others get them. */
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from "node:zlib";
import { pino } from "pino";
import { afterEach, describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../test/support/engines.ts";
import { openShell, type TestShell } from "../../test/support/shell.ts";
import { type ConsoleFiles, readConsole } from "./files.ts";
import { type Console, NO_CONSOLE, startConsole } from "./start.ts";

const HTML = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const SCRIPT = "export const words = [];\n".repeat(200);
const PAGE = `<!doctype html><base href="__TESSERA_BASE__" /><style nonce="__TESSERA_NONCE__"></style>`;

let shell: TestShell | undefined;
afterEach(async () => {
  await shell?.close();
  shell = undefined;
});

function builtConsole(): string {
  const folder = join(temporaryDirectory(), "console");
  mkdirSync(join(folder, "assets"), { recursive: true });
  writeFileSync(join(folder, "index.html"), PAGE);
  writeFileSync(join(folder, "assets/main-AbC123.js"), SCRIPT);
  writeFileSync(join(folder, "assets/main-AbC123.js.map"), "{}");
  writeFileSync(join(folder, "icon.svg"), "<svg/>");
  return folder;
}

function having(files: ConsoleFiles | undefined, isBuilding = false): Console {
  return { ...NO_CONSOLE, files: () => files, isBuilding: () => isBuilding };
}

async function open(args: readonly string[] = [], theConsole?: Console): Promise<TestShell["app"]> {
  shell = await openShell({ args, console: theConsole ?? having(await readConsole(builtConsole())) });
  return shell.app;
}

describe("the console's page", () => {
  it("is where / leads a browser, and everybody else is told what they were told before", async () => {
    const app = await open();
    const led = await app.inject({ url: "/", headers: HTML });
    expect([led.statusCode, led.headers["location"]]).toEqual([302, "/ui/"]);
    expect((await app.inject({ url: "/ui" })).headers["location"]).toBe("/ui/");
    const refused = await app.inject({ url: "/", headers: { accept: "*/*" } });
    expect([refused.statusCode, refused.body]).toEqual([
      404,
      "Invalid URL path: if attempting to use the HTTP API, ensure the path starts with '/v1/'\n",
    ]);
  });

  it("is the answer for every address of a screen, never kept, with another nonce each time", async () => {
    const app = await open();
    const nonces = new Set<string>();
    for (const url of ["/ui/", "/ui/tags", "/ui/tags/a%2Fb?q=1", "/ui/oidc/callback?code=1"]) {
      const { statusCode, headers, body } = await app.inject({ url });
      const nonce = /nonce="([^"]+)"/.exec(body)?.[1] ?? "";
      nonces.add(nonce);
      expect([statusCode, headers["content-type"], headers["cache-control"]]).toEqual([
        200,
        "text/html; charset=utf-8",
        "no-store",
      ]);
      expect(body).toContain('<base href="/ui/" />');
      expect(body).not.toContain("__TESSERA");
      expect(headers["content-security-policy"]).toBe(
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; font-src 'self'; ` +
          "connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'self'; form-action 'self'; " +
          "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types default",
      );
      expect(headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "permissions-policy": expect.stringContaining("camera=()"),
      });
    }
    expect(nonces.size).toBe(4);
  });

  it("lies below the path of --public-url", async () => {
    const app = await open(["--public-url", "https://example.com/tools/tessera"]);
    expect((await app.inject({ url: "/", headers: HTML })).headers["location"]).toBe("/tools/tessera/ui/");
    expect((await app.inject({ url: "/ui/tags" })).body).toContain('<base href="/tools/tessera/ui/" />');
  });

  it("is left out by --console off", async () => {
    const app = await open(["--console", "off"]);
    for (const url of ["/", "/ui", "/ui/", "/ui/session"])
      expect((await app.inject({ url, headers: HTML })).statusCode).toBe(404);
  });

  it("has a page in its place that comes again while it is being built, and one that says so where there is none", async () => {
    const building = await (await open([], having(undefined, true))).inject({ url: "/ui/tags", headers: HTML });
    expect([building.statusCode, building.headers["refresh"], building.headers["cache-control"]]).toEqual([
      503,
      "2",
      "no-store",
    ]);
    expect(building.body).toContain("The console is being built");
    expect(building.body).not.toContain("<script");
    await shell?.close();
    const absent = await (await open([], having(undefined))).inject({ url: "/ui/", headers: HTML });
    expect([absent.statusCode, absent.headers["refresh"]]).toEqual([503, undefined]);
    expect(absent.body).toContain("Console not available");
  });
});

describe("the console's files", () => {
  it("are kept for ever where their names change, and asked for again where they do not", async () => {
    const app = await open();
    const script = await app.inject({ url: "/ui/assets/main-AbC123.js" });
    expect([script.statusCode, script.body]).toEqual([200, SCRIPT]);
    expect(script.headers["content-type"]).toBe("text/javascript; charset=utf-8");
    expect(script.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    const icon = await app.inject({ url: "/ui/icon.svg" });
    expect([icon.statusCode, icon.headers["cache-control"]]).toEqual([200, "no-cache"]);
    const etag = String(icon.headers["etag"]);
    const again = await app.inject({ url: "/ui/icon.svg", headers: { "if-none-match": `W/${etag}` } });
    expect([again.statusCode, again.body]).toEqual([304, ""]);
  });

  it("are sent packed to who takes that", async () => {
    const app = await open();
    const url = "/ui/assets/main-AbC123.js";
    const packed = await app.inject({ url, headers: { "accept-encoding": "gzip, br" } });
    expect(packed.headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(packed.rawPayload).toString()).toBe(SCRIPT);
  });

  it("are sent by Brotli where the build has done that, to who takes that", async () => {
    const folder = builtConsole();
    writeFileSync(join(folder, "assets/main-AbC123.js.br"), brotliCompressSync(SCRIPT));
    const app = await open([], having(await readConsole(folder)));
    const url = "/ui/assets/main-AbC123.js";
    const get = (accepted: string) => app.inject({ url, headers: { "accept-encoding": accepted } });
    const packed = await get("gzip, br");
    expect(packed.headers["content-encoding"]).toBe("br");
    expect(brotliDecompressSync(packed.rawPayload).toString()).toBe(SCRIPT);
    expect((await get("gzip, br;q=0")).headers["content-encoding"]).toBe("gzip");
    expect((await app.inject({ url: `${url}.br` })).statusCode).toBe(404);
  });

  it("are those that were built and no others, however a path is spelled", async () => {
    const app = await open();
    for (const url of ["/ui/assets/gone.js", "/ui/assets/main-AbC123.js.map", "/ui/assets/..%2f..%2fpackage.json"])
      expect([url, (await app.inject({ url })).statusCode]).toEqual([url, 404]);
    for (const url of ["/ui/..%2fpackage.json", "/ui/%2e%2e/package.json", "/ui/index.html"]) {
      const { body } = await app.inject({ url });
      expect(body).not.toContain("dependencies");
    }
  });

  it("are not served from a page that lacks its marks", async () => {
    const folder = builtConsole();
    writeFileSync(join(folder, "index.html"), PAGE.replace("__TESSERA_NONCE__", ""));
    await expect(readConsole(folder)).rejects.toThrow("the console's page has no __TESSERA_NONCE__");
  });
});

describe("in a checkout", () => {
  const log = (lines: string[]) => pino({ base: null }, { write: (line: string) => void lines.push(line) });

  function checkout(build: string): string {
    const root = temporaryDirectory();
    mkdirSync(join(root, "console"));
    writeFileSync(join(root, "console/build.ts"), build);
    return root;
  }

  const BUILD = `
    import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
    mkdirSync("dist/console", { recursive: true });
    appendFileSync("dist/runs", Object.keys(process.env).filter((name) => name.startsWith("TESSERA_")).join() + "\\n");
    writeFileSync("dist/console/index.html", ${JSON.stringify(PAGE)});
  `;

  async function settled(root: string, lines: string[]): Promise<Console> {
    const started = startConsole({ log: log(lines), builds: true, checkout: root });
    await expect.poll(() => started.isBuilding()).toBe(false);
    return started;
  }

  it("the console is built once, and again when its sources are newer; the server's options are kept from the build", async () => {
    const root = checkout(BUILD);
    const lines: string[] = [];
    process.env["TESSERA_BOOTSTRAP_SECRET"] = "secret";
    try {
      const first = startConsole({ log: log(lines), builds: true, checkout: root });
      expect([first.isBuilding(), first.files()]).toEqual([true, undefined]);
      await first.stop();
      const built = await settled(root, lines);
      expect(built.files()?.page("/ui/", "x")).toContain('<base href="/ui/" />');
      await settled(root, lines);
      const runs = readFileSync(join(root, "dist/runs"), "utf8");
      expect(runs).toBe("\n");
      const later = Date.now() / 1000 + 10;
      utimesSync(join(root, "console/build.ts"), later, later);
      await settled(root, lines);
      expect(readFileSync(join(root, "dist/runs"), "utf8")).toBe("\n\n");
    } finally {
      delete process.env["TESSERA_BOOTSTRAP_SECRET"];
    }
    expect(lines.filter((line) => line.includes("building the console (first start only)"))).toHaveLength(3);
  });

  it("a build that fails is told in the log, and the server goes on without a console", async () => {
    const root = checkout(`console.error("vite is not installed"); process.exit(3);`);
    const lines: string[] = [];
    const failed = await settled(root, lines);
    expect([failed.isBuilding(), failed.files()]).toEqual([false, undefined]);
    expect(lines.join("")).toContain("exit code 3: vite is not installed");
    expect(existsSync(join(root, "dist"))).toBe(false);
  });
});
