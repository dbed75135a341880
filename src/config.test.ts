import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../test/support/engines.ts";
import { helpText } from "./config/help.ts";
import { environmentName, OPTIONS } from "./config/options.ts";
import { readConfig } from "./config.ts";
import { refusal } from "../test/support/config.ts";

const LONG_TOKEN = "x".repeat(32);
/** Options that need a file or another option beside them. */
const NEED_MORE =
  "config tls-cert tls-key initial-management-token-file audit-webhook-secret replica processes backup-every backup-dir";

function file(content: string): string {
  const path = join(temporaryDirectory(), "tessera.json");
  writeFileSync(path, content);
  return path;
}

describe("configuration", () => {
  it("has defaults that need nothing", () => {
    expect(readConfig([], {})).toEqual({
      listen: { host: "127.0.0.1", port: 8500 },
      addressFile: undefined,
      dataDir: resolve("tessera-data"),
      database: { engine: "sqlite", url: `sqlite:${resolve("tessera-data/tessera.db")}` },
      replica: undefined,
      feed: "notify",
      processes: 1,
      tls: undefined,
      keyFile: undefined,
      bootstrap: "auto",
      bootstrapSecret: undefined,
      initialManagementToken: undefined,
      edition: "enterprise",
      defaultPolicy: "deny",
      ownTokenWords: false,
      datacenter: "dc1",
      waitsPerToken: 16_384,
      waitsPerAddress: 256,
      maxAuthMethods: 100,
      maxConnections: undefined,
      maxSending: undefined,
      loginFailureLimit: 100,
      loginLimitPerIdentity: 1000,
      loginLimitPerMethod: 20_000,
      loginTokensPerIdentity: 1000,
      defaultLoginTtl: undefined,
      rateLimit: undefined,
      rateLimitPerAddress: undefined,
      rateLimitExempt: "none",
      maxTokensPerNamespace: undefined,
      maxPoliciesPerNamespace: undefined,
      maxRolesPerNamespace: undefined,
      maxBindingRulesPerNamespace: undefined,
      maxOrganizations: undefined,
      maxPartitions: undefined,
      maxNamespaces: undefined,
      maxTagsPerOrganization: undefined,
      maxWorkspacesPerOrganization: undefined,
      maxProjectsPerOrganization: undefined,
      drainDelay: 0,
      outboundAllow: [],
      otlpEndpoint: undefined,
      otlpSample: 1,
      auditFile: undefined,
      auditWebhook: undefined,
      auditWebhookSecret: undefined,
      auditRetention: 400 * 86_400_000,
      backupEvery: undefined,
      backupDir: undefined,
      backupKeep: 14,
      backupKeepDaily: 0,
      backupKeepWeekly: 0,
      backupKeepMonthly: 0,
      acceptClock: false,
      console: "on",
      consoleMethods: "on",
      impactReason: 100,
      auditRefusedReads: 86_400_000,
      useLedger: "on",
      useRetention: 128 * 86_400_000,
      useIdentities: "on",
      nameServers: [],
      publicUrl: undefined,
      trustedProxies: [],
      allowedHosts: [],
      allowInsecure: false,
      allowEmptyDatabase: false,
      acceptLostWrites: false,
      metricsOpen: false,
      accessLog: false,
      logLevel: "info",
      warnings: [],
    });
  });

  it("takes flags before the environment before the file", () => {
    const config = file(JSON.stringify({ datacenter: "file", edition: "community", "log-level": "warn" }));
    const env = { TESSERA_DATACENTER: "env", TESSERA_EDITION: "enterprise", TESSERA_CONFIG: config };
    const wanted = { datacenter: "flag", edition: "enterprise", logLevel: "warn" };
    expect(readConfig(["--datacenter", "flag"], env)).toMatchObject(wanted);
    expect(readConfig(["--config", file("{}")], env).logLevel).toBe("info");
  });

  it("knows every option in all three places", () => {
    const values: Record<string, string> = {
      listen: "[::1]:0",
      database: "postgres://localhost/x",
      bootstrap: "manual",
      feed: "poll",
      "waits-per-token": "7",
      "waits-per-address": "8",
      "max-connections": "5000",
      "max-sending": "64",
      edition: "community",
      "default-policy": "allow",
      "public-url": "https://a.example",
      "trusted-proxies": "10.0.0.0/8",
      "max-auth-methods": "7",
      "max-tokens-per-namespace": "7",
      "max-policies-per-namespace": "7",
      "max-roles-per-namespace": "7",
      "max-binding-rules-per-namespace": "7",
      "max-namespaces": "7",
      "max-organizations": "7",
      "max-partitions": "7",
      "max-tags-per-organization": "7",
      "max-workspaces-per-organization": "7",
      "max-projects-per-organization": "7",
      "rate-limit": "600,60",
      "rate-limit-per-address": "6000,600",
      "rate-limit-exempt": "management",
      "login-failure-limit": "7",
      "login-limit-per-identity": "8",
      "login-limit-per-method": "9",
      "login-tokens-per-identity": "10",
      "default-login-ttl": "12h",
      "drain-delay": "5s",
      "outbound-allow": "10.0.0.0/8,127.0.0.1",
      "audit-webhook": "https://siem.example/audit?a=b",
      "audit-retention": "30d",
      "use-ledger": "off",
      "use-retention": "30d",
      "use-identities": "off",
      "audit-refused-reads": "12h",
      ...Object.fromEntries(["", "-daily", "-weekly", "-monthly"].map((each) => [`backup-keep${each}`, "7"])),
      console: "off",
      "console-methods": "off",
      "impact-reason": "10",
      "name-servers": "10.0.0.53",
      "otlp-endpoint": "http://collector.example:4318",
      "otlp-sample": "0.25",
      "log-level": "debug",
    };
    for (const { name, type } of OPTIONS) {
      if (NEED_MORE.split(" ").includes(name)) continue;
      const value = type === "switch" ? "true" : (values[name] ?? `some-value-${LONG_TOKEN}`.slice(0, 40));
      const byFlag = readConfig(type === "switch" ? [`--${name}`] : [`--${name}`, value], {});
      expect([name, readConfig([], { [environmentName(name)]: value })]).toEqual([name, byFlag]);
      const json = file(JSON.stringify({ [name]: type === "switch" ? true : value }));
      expect([name, readConfig(["--config", json], {})]).toEqual([name, byFlag]);
      expect([name, byFlag]).not.toEqual([name, readConfig([], {})]);
      expect(helpText()).toContain(`--${name}`);
      expect(helpText()).toContain(environmentName(name));
    }
  });

  it("reads addresses, lists and switches in every spelling", () => {
    expect(readConfig(["--listen", "[::1]:8500"], {}).listen).toEqual({ host: "::1", port: 8500 });
    expect(readConfig(["--listen=localhost:0"], {}).listen).toEqual({ host: "127.0.0.1", port: 0 });
    expect(readConfig(["--trusted-proxies", "10.0.0.0/8, ::1,"], {}).trustedProxies).toEqual(["10.0.0.0/8", "::1"]);
    const lists = file(JSON.stringify({ "allowed-hosts": ["A.example:80", "[::1]"], "access-log": false }));
    expect(readConfig(["--config", lists], {}).allowedHosts).toEqual(["a.example", "[::1]"]);
    expect(readConfig(["--public-url", "https://a.example:8443/x/"], {}).publicUrl).toBe("https://a.example:8443/x");
    expect(readConfig([], { TESSERA_ACCESS_LOG: "0" }).accessLog).toBe(false);
    expect(readConfig([], { TESSERA_ACCESS_LOG: "" }).accessLog).toBe(false);
    expect(readConfig(["--database", "sqlite:x.db"], {}).database.url).toBe(`sqlite:${resolve("x.db")}`);
    const postgres = ["--database", "postgres://localhost/x"];
    expect(readConfig([...postgres, "--processes", "3"], {}).processes).toBe(3);
    expect(readConfig(postgres, { TESSERA_PROCESSES: "auto" }).processes).toBe(Math.min(availableParallelism(), 64));
    expect(readConfig(["--processes", "1"], {}).processes).toBe(1);
  });

  it("refuses what it does not understand, in one line that says what to do", () => {
    const cases: [string[], string][] = [
      [["--lisen", "x"], "unknown flag --lisen; did you mean --listen?"],
      [["--frobnicate"], "unknown flag --frobnicate; run tessera serve --help"],
      [["-p", "1"], "unknown flag -p"],
      [["extra"], 'unexpected argument "extra"'],
      [["--listen"], "--listen requires a value: --listen HOST:PORT"],
      [["--listen", "--access-log"], "--listen requires a value"],
      [["--listen", "a:1", "--listen", "b:1"], "--listen is set twice"],
      [["--listen", "8500"], "use HOST:PORT"],
      [["--listen", ":8500"], "use HOST:PORT"],
      [["--listen", "::1:8500"], "use HOST:PORT"],
      [["--listen", "[1.2.3.4]:1"], "use HOST:PORT"],
      [["--listen", "127.0.0.1:65536"], "use HOST:PORT"],
      [["--database", "mysql://x"], "--database is not a database URL; use sqlite:PATH or postgres://"],
      [["--database", "sqlite:"], "does not name a file"],
      [["--database", "sqlite::memory:"], "does not name a file"],
      [["--data-dir", ""], "--data-dir is empty"],
      [["--bootstrap", "never"], '--bootstrap is "never"; use one of auto|manual'],
      [["--edition", "gold"], "enterprise|community"],
      [["--default-policy", "maybe"], "deny|allow"],
      [["--log-level", "loud"], "fatal|error|warn|info|debug|trace|silent"],
      [["--datacenter", "a b"], "--datacenter"],
      [["--public-url", "tessera.example"], "absolute URL"],
      [["--public-url", "ftp://a"], "absolute URL"],
      [["--public-url", "https://a/?b"], "absolute URL"],
      [["--public-url", "https://u:p@a/"], "absolute URL"],
      [["--trusted-proxies", "loopback"], "--trusted-proxies"],
      [["--trusted-proxies", "10.0.0.0/33"], "--trusted-proxies"],
      [["--trusted-proxies", "10.0.0.0/8/8"], "--trusted-proxies"],
      [["--allowed-hosts", "a b"], "--allowed-hosts"],
      [["--access-log=maybe"], "use true or false"],
      [["--replica", "mysql://secret@x"], "--replica is not a replica URL; use postgres://"],
      [["--replica", "postgres://localhost/x"], "--replica requires a PostgreSQL database; set --database"],
      [
        ["--database", "postgres://localhost/x", "--replica", "postgres://db.example/x"],
        "--replica is a remote PostgreSQL without verified TLS",
      ],
      [["--processes", "0"], '--processes is "0"; use a whole number from 1 to 64, or auto'],
      [["--processes", "65"], "from 1 to 64"],
      [["--processes", "many"], "or auto"],
      [
        ["--processes", "2"],
        "--processes 2 requires PostgreSQL, because one process owns an SQLite file; set --database postgres://…, or",
      ],
      [["--max-sending", "63"], '--max-sending is "63"; use a whole number of MiB, at least 64'],
      [["--waits-per-token", "0"], '--waits-per-token is "0"; use a whole number of at least 1'],
      [["--tls-cert", "/x"], "--tls-cert requires --tls-key"],
      [["--tls-key", "/x"], "--tls-key requires --tls-cert"],
      [["--config", "/does/not/exist"], "cannot be read (ENOENT)"],
      [["--config", file("{")], "is not JSON"],
      [["--config", file("[]")], "one JSON object"],
      [["--config", file('{"lisen":"x"}')], 'unknown key "lisen"'],
      [["--config", file('{"config":"x"}')], 'unknown key "config"'],
      [["--config", file('{"__proto__":"x"}')], 'unknown key "__proto__"'],
      [["--config", file('{"listen":8500}')], "must be a string"],
      [["--config", file('{"access-log":"yes"}')], "must be true or false"],
      [["--config", file('{"allowed-hosts":[1]}')], "must be a list of strings"],
    ];
    for (const [args, text] of cases) expect([args, refusal(args)]).toEqual([args, expect.stringContaining(text)]);
    expect(refusal([], { TESSERA_LISTEN: "x" })).toContain("TESSERA_LISTEN is");
  });
});
