/** TLS to PostgreSQL, as it is really spoken: what each connection of a server says about itself in `pg_stat_ssl`. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { StartError } from "../../src/storage/start-error.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { finishUpgrade } from "../../src/storage/postgres/finish-upgrade.ts";
import { temporaryDirectory } from "../support/engines.ts";
import { makeCertificates, type Certificates } from "../support/postgres-certificates.ts";
import { startPostgres, type PostgresServer } from "../support/postgres.ts";
import { sharedPostgresUrl, withClient } from "../support/postgres-schema.ts";

let certificates: Certificates;
/** Speaks TLS to who wants it. */
let postgres: PostgresServer;
let dataDir: string;
const warnings: string[] = [];
const onWarning = (warning: Error): unknown => warnings.push(warning.message);

beforeAll(async () => {
  process.on("warning", onWarning);
  dataDir = temporaryDirectory();
  certificates = makeCertificates();
  const { directory, ca, server } = certificates;
  const rules = join(directory, "hba.conf");
  writeFileSync(
    rules,
    `hostssl all certified all cert\nhostssl all sealed all password\nhostnossl all open all password\n` +
      `host all postgres all password\n`,
  );
  const files = { ssl_cert_file: server.cert, ssl_key_file: server.key, ssl_ca_file: ca, hba_file: rules };
  postgres = await startPostgres({ settings: { ssl: "on", ...files } });
  await withClient(postgres.url, async (client) => {
    for (const role of ["certified", "sealed", "open"]) {
      await client.query(`create role ${role} login superuser password '${role}'`);
    }
  });
});
afterAll(async () => {
  process.off("warning", onWarning);
  await postgres.stop();
  rmSync(certificates.directory, { recursive: true });
});

interface Connect {
  /** The server's certificate is for `localhost` alone. */
  host?: "localhost" | "127.0.0.1";
  role?: string;
  mode?: string;
  ca?: string;
  client?: { cert: string; key: string };
  more?: string;
}

/** The certificate is for `localhost`, the authority is known and the role is the administrator unless said otherwise. */
function urlOf({ host = "localhost", role = "postgres", mode, ca, client, more }: Connect): string {
  const url = new URL(postgres.url);
  url.hostname = host;
  if (role !== "postgres") {
    url.username = role;
    url.password = role;
  }
  const parameters = [
    ...(mode === undefined ? [] : [`sslmode=${mode}`]),
    ...(ca === undefined ? [] : [`sslrootcert=${ca}`]),
    ...(client === undefined ? [] : [`sslcert=${client.cert}`, `sslkey=${client.key}`]),
    ...(more === undefined ? [] : [more]),
  ];
  url.search = parameters.join("&");
  return url.href;
}

/** Opens storage. @returns whether its connections are encrypted, which they all are or none is, and as whom */
async function connect(url: string): Promise<{ encrypted: boolean; certificate: string | null }> {
  const db = await openDatabase({ url, dataDir, onFatal: fail, onWarning: () => undefined });
  try {
    expect((await db.sql.selectFrom("meta").selectAll().execute()).length).toBe(0);
    const rows = await sessions();
    expect(rows).toEqual([{ ssl: expect.any(Boolean) as boolean, client_dn: rows[0]?.client_dn, count: 15 }]);
    return { encrypted: rows[0]?.ssl === true, certificate: rows[0]?.client_dn ?? null };
  } finally {
    await db.close();
    await expect.poll(sessions, { timeout: 60_000, interval: 10 }).toEqual([]);
  }
}

/** Sessions of servers, by how they connected. */
async function sessions(): Promise<{ ssl: boolean; client_dn: string | null; count: number }[]> {
  return withClient(postgres.url, async (client) => {
    const { rows } = await client.query<{ ssl: boolean; client_dn: string | null; count: number }>(
      `select ssl, client_dn, count(*)::integer as count from pg_stat_ssl join pg_stat_activity using (pid)
         where application_name like 'tessera/%' group by 1, 2`,
    );
    return rows;
  });
}

function fail(error: Error): never {
  throw error;
}

/** Error text of a start that is refused, without the words that all have in common. */
async function refusal(url: string): Promise<string> {
  const error: unknown = await connect(url).then(
    () => undefined,
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(StartError);
  const { message } = error as StartError;
  expect(message).toMatch(/^cannot use PostgreSQL: [^\n]*\. Check --database and that the server is running$/);
  return message.slice("cannot use PostgreSQL: ".length, -". Check --database and that the server is running".length);
}

const UNKNOWN_AUTHORITY =
  "unknown CA of the server certificate (self-signed certificate in certificate chain). " +
  "Set sslrootcert in the URL to its file";
const OTHER_NAME =
  "the server certificate has other names (Hostname/IP does not match certificate's altnames: " +
  "IP: 127.0.0.1 is not in the cert's list). Connect with one of them";
const NO_TLS = "the server does not support TLS, which sslmode or a certificate in the URL requires";

// Weaker words of libpq are as strict here; see docs/operations/postgresql.md.
describe.each(["allow", "prefer", "require", "verify-ca", "verify-full"])("sslmode=%s", (mode) => {
  test("encrypts to a server whose certificate is for its name and by the given authority", async () => {
    const url = urlOf({ mode, ca: certificates.ca });
    expect(await connect(url)).toEqual({ encrypted: true, certificate: null });
  });

  test("refuses a certificate by another authority, and by one that nobody named", async () => {
    expect(await refusal(urlOf({ mode, ca: certificates.otherCa }))).toBe(UNKNOWN_AUTHORITY);
    expect(await refusal(urlOf({ mode }))).toBe(UNKNOWN_AUTHORITY);
  });

  test("refuses a certificate for another name", async () => {
    expect(await refusal(urlOf({ mode, ca: certificates.ca, host: "127.0.0.1" }))).toBe(OTHER_NAME);
  });

  test("never goes on in the clear with a server that speaks no TLS", async () => {
    expect(await refusal(`${sharedPostgresUrl()}?sslmode=${mode}&sslrootcert=${certificates.ca}`)).toBe(NO_TLS);
    expect(await refusal(`${sharedPostgresUrl()}?sslmode=${mode}`)).toBe(NO_TLS);
  });
});

describe("sslmode=disable", () => {
  test("connects in the clear, as a URL does that says nothing of TLS", async () => {
    expect(await connect(urlOf({ mode: "disable" }))).toEqual({ encrypted: false, certificate: null });
    expect(await connect(urlOf({}))).toEqual({ encrypted: false, certificate: null });
  });

  test("is refused by a server that wants TLS", async () => {
    expect(await refusal(urlOf({ mode: "disable", role: "sealed" }))).toMatch(
      /^no pg_hba\.conf entry for host ".*", user "sealed", database "tessera_test", no encryption$/,
    );
  });
});

describe("other parameters", () => {
  test("sslmode=no-verify encrypts, to whoever answers", async () => {
    const url = urlOf({ mode: "no-verify", host: "127.0.0.1", ca: certificates.otherCa });
    expect(await connect(url)).toEqual({ encrypted: true, certificate: null });
    expect(await refusal(`${sharedPostgresUrl()}?sslmode=no-verify`)).toBe(NO_TLS);
  });

  test("an authority without sslmode asks for verify-full, and so does a word that is no mode", async () => {
    expect(await connect(urlOf({ ca: certificates.ca }))).toEqual({ encrypted: true, certificate: null });
    expect(await refusal(urlOf({ ca: certificates.ca, host: "127.0.0.1" }))).toBe(OTHER_NAME);
    expect(await refusal(urlOf({ mode: "verifyfull", ca: certificates.ca, host: "127.0.0.1" }))).toBe(OTHER_NAME);
  });

  test("uselibpqcompat=true brings libpq's meaning: verify-ca asks for no name, require for no authority", async () => {
    const compat = { host: "127.0.0.1", more: "uselibpqcompat=true" } as const;
    expect(await connect(urlOf({ ...compat, mode: "verify-ca", ca: certificates.ca }))).toMatchObject({
      encrypted: true,
    });
    expect(await refusal(urlOf({ ...compat, mode: "verify-ca", ca: certificates.otherCa }))).toBe(UNKNOWN_AUTHORITY);
    expect(await connect(urlOf({ ...compat, mode: "require" }))).toMatchObject({ encrypted: true });
    expect(await refusal(urlOf({ ...compat, mode: "verify-full", ca: certificates.ca }))).toBe(OTHER_NAME);
  });

  test("PGSSLMODE counts where the URL names no mode, and as strictly", async () => {
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv("PGSSLMODE", "prefer");
    expect(await refusal(urlOf({}))).toBe(UNKNOWN_AUTHORITY);
    vi.stubEnv("PGSSLMODE", "disable");
    expect(await connect(urlOf({ mode: "verify-full", ca: certificates.ca }))).toMatchObject({ encrypted: true });
  });

  test("TLS without PostgreSQL's question for it is spoken with sslnegotiation=direct", async () => {
    const url = urlOf({ mode: "verify-full", ca: certificates.ca, more: "sslnegotiation=direct" });
    expect(await connect(url)).toEqual({ encrypted: true, certificate: null });
  });

  test("a file that is missing is named", async () => {
    const url = urlOf({ mode: "verify-full", ca: "/nowhere/ca.crt" });
    expect(await refusal(url)).toBe("ENOENT: no such file or directory, open '/nowhere/ca.crt'");
  });

  test("finish-upgrade says the same of a certificate", async () => {
    const url = urlOf({ mode: "verify-full", ca: certificates.otherCa });
    await expect(finishUpgrade(url)).rejects.toThrow(`nothing was changed: ${UNKNOWN_AUTHORITY}`);
  });
});

describe("a role that needs a client's certificate", () => {
  const sealed = (client?: { cert: string; key: string }): string =>
    urlOf({ mode: "verify-full", ca: certificates.ca, role: "certified", ...(client && { client }) });

  test("logs in by it", async () => {
    expect(await connect(sealed(certificates.client))).toEqual({ encrypted: true, certificate: "/CN=certified" });
  });

  test("is refused without it", async () => {
    expect(await refusal(sealed())).toBe("connection requires a valid client certificate");
  });

  test("is refused with one by another authority", async () => {
    expect(await refusal(sealed(certificates.forged))).toBe(
      "the server rejected the TLS connection (unknown ca). Check sslcert and sslkey in the URL",
    );
  });
});

test("nothing of it makes the driver warn on standard error", () => {
  expect(warnings.filter((message) => /ssl/i.test(message))).toEqual([]);
});
