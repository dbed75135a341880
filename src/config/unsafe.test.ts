/** Combinations that are refused as unsafe unless `--allow-insecure` says that they are wanted. */
import { expect, it } from "vitest";
import { readConfig } from "../config.ts";
import { refusal } from "../../test/support/config.ts";

const LONG_TOKEN = "x".repeat(32);
const TLS = ["--tls-cert", "/c.pem", "--tls-key", "/k.pem"];
const remote = "postgres://u:hunter2@db.example/x";

it.each([
  [["--listen", "0.0.0.0:8500"], "--listen 0.0.0.0 is not a loopback address, and TLS is off"],
  [["--listen", "[::]:8500"], "no TLS"],
  [["--listen", "tessera.example:8500"], "no TLS"],
  [["--listen", "10.0.0.1:0"], "no TLS"],
  [["--database", remote], "without verified TLS. Add sslmode=verify-full"],
  [["--database", `${remote}?sslmode=require`], "verified TLS"],
  [["--database", `${remote}?sslmode=prefer`], "verified TLS"],
  [["--database", "postgres:///x?host=127.0.0.1,db.example"], "verified TLS"],
  [["--database", `${remote}?sslmode=verify-full&sslmode=disable`], "verified TLS"],
  [["--database", "postgres:///x?host=127.0.0.1&host=db.example"], "verified TLS"],
  [["--listen", "0.0.0.0:1", ...TLS, "--bootstrap", "manual"], "--bootstrap manual"],
  [["--listen", "0.0.0.0:1", ...TLS, "--initial-management-token", "short"], "shorter than 32"],
])("%s is refused unless it is wanted", (args, text) => {
  const message = refusal(args);
  expect(message).toContain(text);
  expect(message).toContain("--allow-insecure");
  expect(message).not.toMatch(/hunter2|short;/);
  const config = readConfig([...args, "--allow-insecure"], {});
  expect(config.warnings).toContainEqual(expect.stringContaining(text));
});

it.each([
  [["--listen", "127.0.0.1:0"]],
  [["--listen", "127.8.8.8:0"]],
  [["--listen", "[::1]:0"]],
  [["--listen", "0.0.0.0:1", ...TLS]],
  [["--listen", "0.0.0.0:1", ...TLS, "--bootstrap", "manual", "--bootstrap-secret", "s"]],
  [["--listen", "0.0.0.0:1", ...TLS, "--initial-management-token", LONG_TOKEN]],
  [["--bootstrap", "manual"]],
  [["--database", `${remote}?sslmode=verify-full`]],
  [["--database", `${remote}?sslmode=verify-ca`]],
  [["--database", "postgres://u@localhost/x"]],
  [["--database", "postgresql://u@127.0.0.1:5433/x"]],
  [["--database", "postgres://u@[::1]/x"]],
  [["--database", "postgres:///x"]],
  [["--database", "postgres:///x?host=/var/run/postgresql"]],
  [["--database", "postgres://%2Fvar%2Frun%2Fpostgresql/x"]],
])("%s is allowed", (args) => {
  expect(readConfig(args, {}).warnings).toEqual([]);
});

it("counts a host that only the environment names", () => {
  const args = ["--database", "postgres:///x"];
  expect(refusal(args, { PGHOST: "db.example" })).toContain("verified TLS");
  expect(readConfig(args, { PGHOST: "db.example", PGSSLMODE: "verify-full" }).warnings).toEqual([]);
});
