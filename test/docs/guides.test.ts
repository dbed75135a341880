/** The guides are followed as a reader would: what runs at GitHub or in a pod too, with servers of the test in their place. */
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { API_AUDIENCE, json, startKubernetesApi, type KubernetesApi } from "../support/kubernetes-api.ts";
import { createSigningKey, signToken, startKeyServer, type KeyServer } from "../support/key-server.ts";
import { startServer, type RunningServer } from "../support/server.ts";

const root = resolve(import.meta.dirname, "../..");

interface Page {
  path: string;
  text: string;
  blocks: { language: string; text: string }[];
}

function readPage(path: string): Page {
  const text = readFileSync(join(root, path), "utf8");
  const found = [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)];
  return { path, text, blocks: found.map(([, language = "", block = ""]) => ({ language, text: block })) };
}

interface Ended {
  code: number;
  output: string;
}

/** The servers run in this process, so it must not wait for the shell. */
function run(shell: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const { PATH = "" } = process.env;
  const [command = "", ...rest] = shell;
  return new Promise((settled) => {
    execFile(command, rest, { cwd, env: { PATH, ...env }, encoding: "utf8" }, (error, stdout, stderr) => {
      settled({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr });
    });
  });
}

const MARKER = "----- next block -----";

/**
 * Runs the `sh` blocks of a page one after the other, in one shell.
 *
 * @param given what lines of the page set that begin with `export NAME=`
 * @returns what each printed, and what the page shows of it
 */
async function follow({ blocks }: Page, server: RunningServer, given: Readonly<Record<string, string>>) {
  const steps = blocks.flatMap(({ language, text }, index) => {
    const next = blocks[index + 1];
    return language === "sh" ? [{ command: text, shown: next?.language === "" ? next.text : "" }] : [];
  });
  let script = steps.map(({ command }) => `${command}\necho '${MARKER}'\n`).join("");
  script = script.replaceAll("http://127.0.0.1:8500", server.url);
  for (const [name, value] of Object.entries(given)) {
    const lines = script.split(new RegExp(`^export ${name}=.*$`, "m"));
    expect(lines, `lines that set ${name}`).toHaveLength(2);
    script = lines.join(`export ${name}='${value}'`);
  }
  const directory = mkdtempSync(join(tmpdir(), "tessera-guide-"));
  symlinkSync(server.dataDir, join(directory, "tessera-data"));
  const { output } = await run(["bash", "--norc", "-c", script], directory);
  rmSync(directory, { recursive: true });
  const printed = output.split(`${MARKER}\n`).slice(0, steps.length);
  return { printed, shown: steps.map(({ shown }) => shown) };
}

/** Texts of the scalars of a page's YAML that begin with `|`, in order. */
function scripts({ blocks }: Page): string[] {
  return blocks
    .filter(({ language }) => language === "yaml")
    .flatMap(({ text }) =>
      [...text.matchAll(/^( *)(?:- |\w+: )\|\n((?:\1 +.*\n)+)/gm)].map(([, , block = ""]) => {
        const [indentation = ""] = /^ */.exec(block) ?? [];
        return block.replaceAll(new RegExp(`^${indentation}`, "gm"), "");
      }),
    );
}

/** Beginnings of the answers in the table of refusals. */
function refusals({ text }: Page): string[] {
  const [, table = ""] = text.split("| The answer |");
  return [...table.matchAll(/^\| `(.+?)` \|/gm)].map(([, answer = ""]) => answer.replace(/…$/, ""));
}

function expectNamed(page: Page, answers: readonly Ended[]): void {
  for (const { code, output } of answers) expect(code, output).not.toBe(0);
  for (const refusal of refusals(page)) {
    expect(answers.map(({ output }) => output).filter((output) => output.startsWith(refusal))).not.toEqual([]);
  }
}

async function readJson(server: RunningServer, path: string): Promise<unknown> {
  return (await fetch(server.url + path, { headers: { "x-consul-token": server.token } })).json();
}

const guides = ["docs/guides/github-actions.md", "docs/guides/kubernetes.md"].map(readPage);
const [github, kubernetes] = guides as [Page, Page];

describe("the guides", () => {
  it.each(guides)("are linked, and link to what exists: $path", ({ path, text }) => {
    expect(readFileSync(join(root, "README.md"), "utf8")).toContain(`](${path})`);
    for (const [, target = ""] of text.matchAll(/\]\(([^)#]+)\)/g)) {
      expect(existsSync(join(root, dirname(path), target)), target).toBe(true);
    }
  });

  it.each(guides)("leave nothing to the reader that is not shown: $path", ({ blocks }) => {
    for (const { language, text } of blocks) {
      expect(["sh", "", "yaml", "console"]).toContain(language);
      if (language === "console") expect(text).toMatch(/^(?:(?:npm ci && npm start|kubectl) ?.*\n)+$/);
    }
  });
});

describe("GitHub Actions", () => {
  const key = createSigningKey("github-1", "RS256");
  let server: RunningServer;
  let issuer: KeyServer;
  let claims: Record<string, unknown>;
  let directory: string;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "tessera-runner-"));
    issuer = await startKeyServer([key]);
    writeFileSync(join(directory, "ca.pem"), issuer.ca);
    issuer.answer = (path, response) => {
      const { pathname, searchParams } = new URL(path, issuer.url);
      if (pathname !== "/token") return false;
      const now = Math.floor(Date.now() / 1000);
      const standard = { iss: issuer.url, aud: searchParams.get("audience"), iat: now, nbf: now, exp: now + 300 };
      response.end(JSON.stringify({ count: 1, value: signToken(key, { ...standard, ...claims }) }));
      return true;
    };
    server = await startServer({ args: ["--outbound-allow", "127.0.0.0/8"] });
  });
  afterAll(async () => {
    await issuer.close();
    rmSync(directory, { recursive: true });
    expect(await server.stop()).toBe(0);
  });

  const production = {
    sub: "repo:acme/shop:environment:production",
    repository: "acme/shop",
    repository_id: "74",
    repository_owner: "acme",
    ref: "refs/heads/main",
    environment: "production",
    workflow: "deploy",
    run_id: "4711",
  };

  /** Runs a step as a runner does; later steps have the variables that a step sets. */
  async function step(script: string): Promise<Ended> {
    const set = join(directory, "env");
    const own = existsSync(set) ? readFileSync(set, "utf8").trim().split("\n") : [];
    return run(["bash", "--norc", "-e", "-c", script], directory, {
      TESSERA: server.url,
      GITHUB_RUN_ID: "4711",
      GITHUB_ENV: set,
      ACTIONS_ID_TOKEN_REQUEST_URL: `${issuer.url}/token?api-version=2.0`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: "of the job",
      CURL_CA_BUNDLE: join(directory, "ca.pem"),
      ...Object.fromEntries(own.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)])),
    });
  }

  it("prints what the page shows", async () => {
    const ISSUER_CA = issuer.ca.replaceAll("\n", String.raw`\n`);
    const { printed, shown } = await follow(github, server, { ISSUER: issuer.url, ISSUER_CA });
    expect(printed).toEqual(shown);
  });

  it("gets a workflow a token for what it may do, and no more, until it logs out", async () => {
    claims = production;
    const [logIn = "", tag = "", logOut = "", ...others] = scripts(github);
    expect(others).toEqual([]);
    const loggedIn = await step(logIn);
    expect(loggedIn).toMatchObject({ code: 0, output: expect.stringMatching(/^::add-mask::[0-9a-f-]{36}\n$/) });
    expect(await readJson(server, "/v1/acl/tokens?authmethod=github-actions")).toMatchObject([
      { Description: 'token created via login: {"run":"4711"}', Roles: [{ Name: "shop-deployers" }] },
    ]);
    expect(await step(tag)).toMatchObject({ code: 0 });
    expect(await readJson(server, "/api/v2/organizations/acme/workspaces/shop-web")).toMatchObject({
      data: { attributes: { "tag-names": ["deployed:4711"] } },
    });
    const elsewhere = await step(tag.replace("workspaces/shop-web", "workspaces/billing"));
    expect(elsewhere.code, elsewhere.output).not.toBe(0);
    expect(await step(logOut)).toMatchObject({ code: 0, output: expect.stringMatching(/^true/) });
    expect(await readJson(server, "/v1/acl/tokens?authmethod=github-actions")).toEqual([]);
    expect(await step(tag)).toMatchObject({ code: 22 });
  });

  it("refuses as the page says", async () => {
    const [logIn = ""] = scripts(github);
    const tried = async (more: object, script = logIn): Promise<Ended> => {
      claims = { ...production, ...more };
      return step(script);
    };
    const unbound = await tried({ ref: "refs/heads/try" });
    const unknown = await tried({}, logIn.replace('"github-actions"', '"unknown"'));
    expectNamed(github, [
      unbound,
      { ...unknown, output: unknown.output.replace('"unknown"', '"github-actions"') },
      await tried({}, logIn.replace("audience=tessera", "audience=other")),
      await tried({ iss: "https://another.example" }),
      await tried({ iat: 1000, nbf: 1000, exp: 2000 }),
    ]);
    const [, requestId = "?"] = /\(request (.+)\)/.exec(unbound.output) ?? [];
    const lines = server.stdout.split("\n").filter((line) => line.includes(requestId));
    expect(lines.find((line) => line.includes('"login denied"'))).toContain(String.raw`refs/heads/try\"`);
  });
});

describe("Kubernetes", () => {
  let server: RunningServer;
  let cluster: KubernetesApi;
  let directory: string;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "tessera-pod-"));
    cluster = await startKubernetesApi();
    cluster.createAccount("shop", "web");
    cluster.createAccount("shop", "web.v2");
    cluster.createAccount("elsewhere", "web");
    server = await startServer({ args: ["--outbound-allow", "127.0.0.0/8"] });
  });
  afterAll(async () => {
    await cluster.close();
    rmSync(directory, { recursive: true });
    expect(await server.stop()).toBe(0);
  });

  async function pod(token: string, change: (script: string) => string = (script) => script): Promise<Ended> {
    const [script = "", ...others] = scripts(kubernetes);
    expect(others).toEqual([]);
    writeFileSync(join(directory, "token"), token);
    const environment = { TESSERA: server.url, ACCOUNT: directory, HOSTNAME: "web-1" };
    return run(["sh", "-ec", change(script)], directory, environment);
  }

  it("prints what the page shows", async () => {
    const { printed, shown } = await follow(kubernetes, server, {
      KUBE_HOST: cluster.url,
      KUBE_CA: cluster.ca,
      KUBE_REVIEWER: cluster.reviewer,
    });
    expect(printed).toEqual(shown);
  });

  it("gets a pod a token for what it may do, and no more, until it logs out", async () => {
    const { code, output } = await pod(cluster.issueToken("shop", "web"));
    expect(code, output).toBe(0);
    expect([...output.matchAll(/"Segment":"([^"]*)","Allow":(true|false)/g)].map(([, ...each]) => each)).toEqual([
      ["shop/web", "true"],
      ["web", "true"],
      ["billing", "false"],
    ]);
    expect(output).toMatch(/true\n?$/);
    expect(await readJson(server, "/v1/acl/tokens?authmethod=cluster-1")).toEqual([]);
    const kept = await pod(cluster.issueToken("shop", "web"), (script) => script.replace(/^trap .*$/m, ""));
    expect(kept.code, kept.output).toBe(0);
    expect(await readJson(server, "/v1/acl/tokens?authmethod=cluster-1")).toMatchObject([
      {
        Description: 'token created via login: {"pod":"web-1"}',
        Roles: [{ Name: "shop-pods" }],
        ServiceIdentities: [{ ServiceName: "web" }],
      },
    ]);
  });

  it("refuses as the page says", async () => {
    const web = cluster.issueToken("shop", "web");
    const unknown = await pod(web, (script) => script.replace('"cluster-1"', '"unknown"'));
    const answers = [
      { ...unknown, output: unknown.output.replace('"unknown"', '"cluster-1"') },
      await pod(cluster.issueToken("shop", "web", { exp: 1000 })),
      await pod(cluster.issueToken("shop", "web.v2")),
      await pod(cluster.issueToken("elsewhere", "web")),
    ];
    const reviewed = { authenticated: true, user: { username: "system:serviceaccount:shop:web", uid: "1" } };
    for (const answer of [
      json(401, {}),
      json(403, {}),
      json(201, { kind: "TokenReview", status: { ...reviewed, audiences: [API_AUDIENCE] } }),
    ]) {
      cluster.answer = () => answer;
      answers.push(await pod(cluster.issueToken("shop", "web", { aud: ["another"] })));
    }
    cluster.answer = () => undefined;
    expectNamed(kubernetes, answers);
  });
});
