/** A server with all that adds numbers of its own, and what it answers at `/metrics` once all of them are there. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startServer } from "./server.ts";

const AWAITED = ['tessera_tokens_expiring{within="1d"}', 'expected="true"'];

/**
 * Starts one, asks it, and stops it.
 *
 * @param folder an empty one
 * @returns the text of `/metrics` and that of `/openapi.json`
 */
export async function askEverything(folder: string): Promise<{ metrics: string; document: string }> {
  const [cert, key] = [join(folder, "cert"), join(folder, "key")];
  const made = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost";
  spawnSync("openssl", [...made.split(" "), "-keyout", key, "-out", cert]);
  const backups = ["--backup-every", "1h", "--backup-dir", join(folder, "backups")];
  const audit = ["--audit-file", join(folder, "audit"), "--audit-webhook", "http://127.0.0.1:9/"];
  const limits = ["--rate-limit", "6000,600", "--rate-limit-per-address", "60000,6000"];
  const args = [...limits, "--tls-cert", cert, "--tls-key", key, "--metrics-open", ...audit, ...backups];
  const server = await startServer({ args });
  const ask = (path: string, ...more: string[]) =>
    spawnSync("curl", ["-sk", ...more, `${server.url}${path}`], { encoding: "utf8" }).stdout;
  ask("/api/v2/ping");
  // The second time its name is taken, which is an answer of its own in Consul's spelling.
  const body = ["-X", "PUT", "-H", `X-Consul-Token: ${server.token}`, "-d", '{"Name": "taken"}'];
  for (let times = 0; times < 2; times++) ask("/v1/acl/policy", ...body);
  let metrics = "";
  // The server counts some metrics in the background: they are in a later scrape.
  for (let tries = 0; tries < 200 && !AWAITED.every((each) => metrics.includes(each)); tries += 1) {
    await sleep(100);
    metrics = ask("/metrics");
  }
  const document = ask("/openapi.json");
  await server.stop();
  return { metrics, document };
}
