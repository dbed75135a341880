/** A machine that is not as it should be: its clock, its network, its user, its disk. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { expect, test, vi } from "vitest";
import { tessera } from "../../test/backup/command.ts";
import { temporaryDirectory } from "../../test/support/engines.ts";
import { startServer } from "../../test/support/server.ts";
import { ask, callerOf } from "../../test/upgrades/caller.ts";

vi.setConfig({ testTimeout: 90_000 });
const SOON = { timeout: 20_000 };
const DAY_MS = 86_400_000;
const SELF = "/v1/acl/token/self";

/** @param milliseconds by which the clock is off */
function clockOff(milliseconds: number): Record<string, string> {
  const preload = pathToFileURL(join(import.meta.dirname, "../../test/support/shifted-clock.ts")).href;
  return { NODE_OPTIONS: `--import=${preload}`, CLOCK_SHIFT_MS: String(milliseconds) };
}

test("a clock that is years ahead at a start is told, and takes nothing away that a right one gives back", async () => {
  const dataDir = join(temporaryDirectory(), "data");
  let server = await startServer({ dataDir });
  const { token } = server;
  expect(server.stdout).not.toContain("the system clock is");
  const short = { ExpirationTTL: "12h" };
  const made = (await callerOf(server.url)("PUT", "/v1/acl/token", short, token)) as { SecretID: string };
  expect(await server.stop()).toBe(0);

  server = await startServer({ dataDir, env: clockOff(3650 * DAY_MS) });
  await expect
    .poll(() => server.stdout, SOON)
    .toMatch(
      /the system clock is not trusted: it is 36\d\d days ahead of the expected time\. Fix the clock if it is wrong\./,
    );
  expect(
    await (await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).text(),
  ).toContain("\ntessera_clock_in_doubt 1\n");
  expect((await ask(server.url, "GET", SELF, undefined, made.SecretID)).status).toBe(403);
  const unused = await ask(server.url, "POST", "/v1/acl/tokens/revoke", { UnusedFor: "90d" }, token);
  expect(unused).toEqual({ status: 503, body: expect.stringContaining("does not trust its system clock") });
  await callerOf(server.url)("PUT", "/v1/acl/policy", { Name: "meanwhile" }, token);
  expect(await server.stop()).toBe(0);
  // Incident 63: by what was written meanwhile the next start does not take the clock for right.
  server = await startServer({ dataDir, env: clockOff(3650 * DAY_MS) });
  await expect.poll(() => server.stdout, SOON).toContain("the system clock is not trusted: it is 36");
  // Three times as long as what has expired is left there otherwise.
  await sleep(3000);
  expect(await server.stop()).toBe(0);

  server = await startServer({ dataDir });
  expect((await ask(server.url, "GET", SELF, undefined, made.SecretID)).status).toBe(200);
  const audit = await callerOf(server.url)("GET", "/v1/audit?kind=token&action=create", undefined, token);
  expect(JSON.stringify(audit)).toContain('"create"');
  expect(await server.stop()).toBe(0);
});

test("incident 63: a clock that jumps while the server runs takes nothing away, and is told with its way back", async () => {
  const folder = temporaryDirectory();
  const file = join(folder, "shift");
  writeFileSync(file, "0");
  const env = { ...clockOff(0), CLOCK_SHIFT_FILE: file };
  const server = await startServer({ dataDir: join(folder, "data"), env, args: ["--audit-retention", "400d"] });
  const call = callerOf(server.url);
  for (const name of ["one", "two", "three"]) await call("PUT", "/v1/acl/policy", { Name: name }, server.token);
  const count = async () => {
    const records = (await call("GET", "/v1/audit?kind=policy&action=create", undefined, server.token)) as unknown[];
    return records.length;
  };
  const before = await count();
  writeFileSync(file, String(410 * DAY_MS));
  await expect.poll(() => server.stdout, SOON).toContain("the system clock is not trusted: it is 410 days ahead");
  await call("PUT", "/v1/acl/policy", { Name: "meanwhile" }, server.token);
  // As long as records that are too old are left there otherwise: they are looked for every 30 s.
  await sleep(35_000);
  writeFileSync(file, "0");
  await expect.poll(() => server.stdout, SOON).toContain("the system clock is back at the time before the jump");
  expect(await count()).toBe(before + 1);
  expect(await server.stop()).toBe(0);
});

test("a clock that is behind at a start is told, and the server answers all the same", async () => {
  const dataDir = join(temporaryDirectory(), "data");
  let server = await startServer({ dataDir });
  const { token } = server;
  await callerOf(server.url)("PUT", "/v1/acl/policy", { Name: "before" }, token);
  expect(await server.stop()).toBe(0);
  server = await startServer({ dataDir, env: clockOff(-3 * DAY_MS) });
  await expect
    .poll(() => server.stdout, SOON)
    .toMatch(/the system clock is not trusted: it is 3 days behind the expected time/);
  await callerOf(server.url)("PUT", "/v1/acl/policy", { Name: "after" }, token);
  expect((await ask(server.url, "GET", "/v1/acl/policies", undefined, token)).status).toBe(200);
  expect(await server.stop()).toBe(0);
});

test("a machine without IPv6 is told to listen on 0.0.0.0", () => {
  // As Node tells that the system has no such family.
  const refuse = `import net from "node:net";
    net.Server.prototype.listen = function () {
      const error = Object.assign(new Error("listen EAFNOSUPPORT"), { code: "EAFNOSUPPORT", syscall: "listen" });
      queueMicrotask(() => this.emit("error", error));
      return this;
    };`;
  const flags = [`--import=data:text/javascript,${encodeURIComponent(refuse)}`];
  const main = join(import.meta.dirname, "../main.ts");
  const where = ["--data-dir", join(temporaryDirectory(), "data"), "--console", "off"];
  const args = ["serve", "--listen", "[::]:0", "--allow-insecure", ...where];
  const { status, stderr } = spawnSync(process.execPath, [...flags, main, ...args], { encoding: "utf8" });
  expect([status, stderr]).toEqual([
    2,
    "tessera: cannot listen on [::]:0: this machine has no IPv6; use an IPv4 address for --listen, such as 0.0.0.0:8500\n",
  ]);
});

test("a user without a home starts a server", async () => {
  const server = await startServer({ wrapper: ["env", "-u", "HOME", "-u", "XDG_CONFIG_HOME", "-u", "XDG_CACHE_HOME"] });
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect(await server.stop()).toBe(0);
});

test.each(["/sys/tessera", "/proc/tessera"])(
  "a data directory that nobody may write, %s, is one line with what to look at",
  async (dataDir) => {
    const { status, stderr } = await tessera("serve", "--listen", "127.0.0.1:0", "--data-dir", dataDir);
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(/^tessera: cannot use \/\S+ \(E[A-Z]+\)\. Check --data-dir and its permissions\n$/),
    ]);
  },
);

test("a data directory below a file is one line that names the file", async () => {
  const { status, stderr } = await tessera("serve", "--listen", "127.0.0.1:0", "--data-dir", "/dev/null/tessera");
  expect([status, stderr]).toEqual([2, "tessera: cannot create /dev/null/tessera: /dev/null is not a directory\n"]);
});
