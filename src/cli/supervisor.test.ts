import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync, chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryDirectory } from "../../test/support/engines.ts";
import { skipWithout } from "../../test/support/installed.ts";
import { openNotifySocket } from "../../test/support/notify-socket.ts";
import { freshWholeDatabaseUrl } from "../../test/support/postgres-schema.ts";
import { startServer } from "../../test/support/server.ts";
import { takeSupervisor } from "./supervisor.ts";

const missing = spawnSync("systemd-notify", ["--version"]).status === 0 ? undefined : "systemd-notify";

test("a service manager is told when the server can be used, that it turns, and that it stops", async (context) => {
  skipWithout(context, missing);
  const socket = await openNotifySocket();
  onTestFinished(socket.close);
  const server = await startServer({ env: { NOTIFY_SOCKET: socket.path, WATCHDOG_USEC: "600000" } });
  await expect.poll(socket.words, { timeout: 30_000 }).toContain("WATCHDOG=1");
  expect(socket.words()).toEqual(expect.arrayContaining(["READY=1", `STATUS=Listening on ${server.url}`]));
  expect(await server.stop()).toBe(0);
  await expect.poll(socket.words, { timeout: 30_000 }).toContain("STOPPING=1");
  expect(server.stdout).not.toContain("cannot notify");
});

test("of processes that share a port only the parent speaks to the manager, once all listen", async (context) => {
  skipWithout(context, missing);
  const socket = await openNotifySocket();
  onTestFinished(socket.close);
  const server = await startServer({
    database: await freshWholeDatabaseUrl(),
    args: ["--processes", "2"],
    env: { NOTIFY_SOCKET: socket.path },
  });
  await expect.poll(socket.words, { timeout: 30_000 }).toContain("READY=1");
  expect(await server.stop()).toBe(0);
  await expect.poll(socket.words, { timeout: 30_000 }).toContain("STOPPING=1");
  expect(socket.words().filter((word) => !word.startsWith("STATUS"))).toEqual(["READY=1", "STOPPING=1"]);
});

test("a command that a server starts is not told of the manager, and a manager that cannot be told stops nobody", async () => {
  const folder = temporaryDirectory();
  const [seen, key] = [join(folder, "seen"), join(folder, "key.sh")];
  writeFileSync(key, `#!/bin/sh\nenv > ${seen}\necho ${Buffer.alloc(32, 7).toString("base64")}\n`);
  chmodSync(key, 0o700);
  const server = await startServer({
    args: ["--key-command", key],
    env: { NOTIFY_SOCKET: join(folder, "nobody"), WATCHDOG_USEC: "60000000" },
  });
  await expect
    .poll(() => server.stdout, { timeout: 30_000 })
    .toMatch(/cannot notify the service manager: systemd-notify /);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect(await server.stop()).toBe(0);
  const environment = readFileSync(seen, "utf8");
  expect(environment).toContain("PATH=");
  expect(environment).not.toMatch(/NOTIFY_SOCKET|WATCHDOG/);
  rmSync(folder, { recursive: true });
});

test("nobody is told where no manager waits", () => {
  expect(takeSupervisor({})).toBeUndefined();
  expect(takeSupervisor({ NOTIFY_SOCKET: "" })).toBeUndefined();
});
