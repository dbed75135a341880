/** Contexts, and which token goes where. */
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readSettings } from "../../src/cli/client/settings.ts";
import { command } from "../support/cli.ts";
import { temporaryDirectory } from "../support/engines.ts";

const SECRET = "8ff82181-310d-41f3-ac40-3733f168539d";

async function withContext(...more: string[]) {
  const env = { HOME: temporaryDirectory(), PATH: "/usr/bin:/bin" };
  const added = await command(["context", "add", "prod", "https://tessera.example.com/", "--token-stdin", ...more], {
    env,
    stdin: `${SECRET}\n`,
  });
  expect(added).toMatchObject({ code: 0 });
  return { env, file: join(env.HOME, ".config/tessera/contexts.json") };
}

it("the file of contexts is its owner's alone, and one that others may read is refused", async () => {
  const { env, file } = await withContext();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(file, "..")).mode & 0o777).toBe(0o700);
  expect(readFileSync(file, "utf8")).toContain(SECRET);
  chmodSync(file, 0o640);
  expect(await command(["context", "list"], { env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("chmod 600"),
  });
});

it("a token on standard input is kept, by whatever flag it is said to come there", async () => {
  const env = { HOME: temporaryDirectory(), PATH: "/usr/bin:/bin" };
  const words = ["context", "add", "prod", "https://tessera.example.com/", "--token-file", "-"];
  expect(await command(words, { env, stdin: `${SECRET}\n` })).toMatchObject({ code: 0 });
  expect(readSettings({}, env)).toMatchObject({ token: SECRET, tokenFrom: "the context prod" });
  expect(await command(words, { env, stdin: "" })).toMatchObject({ code: 2 });
});

it("contexts are added, used, listed without secrets, and removed after a question", async () => {
  const { env } = await withContext("-O", "acme");
  await command(["context", "add", "lab", "lab:8500", "--token-command", "echo x"], { env });
  const list = await command(["context", "list", "-o", "json"], { env });
  expect(JSON.parse(list.stdout)).toMatchObject([
    { name: "prod", current: true, address: "https://tessera.example.com", organization: "acme", token: "in the file" },
    { name: "lab", current: false, address: "http://lab:8500", token: "by a command" },
  ]);
  expect(list.stdout).not.toContain(SECRET);
  expect(await command(["context", "use", "lab"], { env })).toMatchObject({ code: 0 });
  expect(readSettings({}, env)).toMatchObject({ address: "http://lab:8500", token: "x", context: "lab" });
  expect(await command(["context", "use", "none"], { env })).toMatchObject({ code: 3 });
  expect(await command(["context", "remove", "lab"], { env })).toMatchObject({ code: 2 });
  expect(await command(["context", "remove", "lab"], { env, stdin: "n\n", isTerminal: true })).toMatchObject({
    code: 1,
  });
  expect(await command(["context", "remove", "lab"], { env, stdin: "y\n", isTerminal: true })).toMatchObject({
    code: 0,
  });
  expect(readSettings({}, env)).toMatchObject({ address: "http://127.0.0.1:8500", token: undefined });
});

it("a context's token goes to its own address only, and variables go before it", async () => {
  const { env } = await withContext();
  expect(readSettings({}, env)).toMatchObject({ token: SECRET, tokenFrom: "the context prod" });
  expect(readSettings({}, { ...env, TESSERA_ADDR: "https://other.example.com" }).token).toBeUndefined();
  expect(readSettings({ address: "https://tessera.example.com" }, env).token).toBe(SECRET);
  expect(readSettings({}, { ...env, TESSERA_TOKEN: "mine", TESSERA_NAMESPACE: "team" })).toMatchObject({
    address: "https://tessera.example.com",
    token: "mine",
    namespace: "team",
  });
  // Somebody's Consul is not this server.
  const consul = { CONSUL_HTTP_ADDR: "consul.example.com:8501", CONSUL_HTTP_TOKEN: "theirs", CONSUL_HTTP_SSL: "true" };
  expect(readSettings({}, { ...env, ...consul })).toMatchObject({
    address: "https://tessera.example.com",
    token: SECRET,
  });
});

it("the variables of Consul's and Terraform's tools are understood where no context is chosen", () => {
  const HOME = temporaryDirectory();
  const consul = {
    HOME,
    CONSUL_HTTP_ADDR: "consul.example.com:8501",
    CONSUL_HTTP_SSL: "true",
    CONSUL_HTTP_TOKEN: "theirs",
    CONSUL_NAMESPACE: "team",
    CONSUL_PARTITION: "unit",
    CONSUL_CACERT: "/ca",
    CONSUL_CLIENT_CERT: "/cert",
    CONSUL_CLIENT_KEY: "/key",
  };
  expect(readSettings({}, consul)).toMatchObject({
    address: "https://consul.example.com:8501",
    token: "theirs",
    namespace: "team",
    partition: "unit",
    caFile: "/ca",
    clientCert: "/cert",
    clientKey: "/key",
  });
  const file = join(HOME, "token");
  writeFileSync(file, "from a file\n".replaceAll(" ", "-"));
  expect(readSettings({}, { HOME, CONSUL_HTTP_TOKEN_FILE: file })).toMatchObject({
    address: "http://127.0.0.1:8500",
    token: "from-a-file",
  });
  expect(readSettings({}, { HOME, TFE_HOSTNAME: "tfe.example.com", TFE_TOKEN: "t" })).toMatchObject({
    address: "https://tfe.example.com",
    token: "t",
  });
  expect(
    readSettings({}, { HOME, TFE_ADDRESS: "https://my-tfe.example.com", TF_TOKEN_my__tfe_example_com: "t2" }),
  ).toMatchObject({ token: "t2" });
  // A token of Consul's is not sent to an address that is none of Consul's.
  expect(
    readSettings({}, { HOME, CONSUL_HTTP_TOKEN: "theirs", TESSERA_ADDR: "https://tessera.example.com" }).token,
  ).toBeUndefined();
  mkdirSync(join(HOME, ".terraform.d"));
  writeFileSync(
    join(HOME, ".terraform.d/credentials.tfrc.json"),
    JSON.stringify({ credentials: { "tfe.example.com": { token: "kept" } } }),
  );
  expect(readSettings({ address: "https://tfe.example.com" }, { HOME })).toMatchObject({ token: "kept" });
});

it("what cannot be an address or a token is refused, and never repeated", async () => {
  const HOME = temporaryDirectory();
  for (const [env, text] of [
    [{ TESSERA_ADDR: "ftp://x" }, "must use http or https"],
    [{ TESSERA_ADDR: "https://user:geheim@x" }, "user or a password"],
    [{ TESSERA_TOKEN: "geheim geheim" }, "does not contain a valid token"],
    [{ TESSERA_TOKEN_FILE: "/none/geheim-not" }, "cannot read /none/geheim-not (ENOENT). Check TESSERA_TOKEN_FILE"],
    [{ TESSERA_CONTEXT: "none" }, 'context "none" not found'],
  ] as const) {
    const { code, stderr } = await command(["whoami"], { env: { HOME, ...env } });
    expect({ env, code, stderr }).toEqual({ env, code: 2, stderr: expect.stringContaining(text) });
    expect(stderr).not.toMatch(/geheim(?!-not)/);
  }
});
