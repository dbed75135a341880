/**
 * Files that a command can be made to read by a directory from an untrusted author: those in the directory, and no
 * others.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { command } from "../../test/support/cli.ts";
import { addressOf, writeFiles } from "../../test/support/declared.ts";
import { forEachEngine, temporaryDirectory } from "../../test/support/engines.ts";
import { makeCertificate } from "../../test/support/openid-certificate.ts";
import { MANAGEMENT, useV1 } from "../../test/support/v1.ts";
import { resolveSecret } from "./secrets.ts";

const CA = makeCertificate().ca;
/** Text that no output may contain. */
const CANARY = "root:x:0:0:canary";

function secretOf(reference: string, root: string, others: string[] = []): Promise<string> {
  return resolveSecret(reference, { env: {}, allowCommands: false, files: { root, others } });
}

describe("a secret's file", () => {
  test("is read from the declared directory, wherever the command was begun", async () => {
    const root = writeFiles({ "secrets/oidc": "good\n" });
    expect(await secretOf("file:secrets/oidc", root)).toBe("good");
    expect(await secretOf(`file:${join(root, "secrets/oidc")}`, root)).toBe("good");
  });

  test("lies nowhere else, by whatever way it is named, and is not told to be there or not", async () => {
    const outside = writeFiles({ secret: CANARY });
    const root = writeFiles({ "a.yaml": "", "folder/a": "" });
    symlinkSync(join(outside, "secret"), join(root, "link"));
    symlinkSync(outside, join(root, "linked"));
    symlinkSync("linked/secret", join(root, "folder/second"));
    const missing = join(outside, "missing");
    const named = [join(outside, "secret"), missing, `../${basename(outside)}/secret`, "/etc/passwd", "link"];
    for (const path of [...named, "linked/secret", "folder/../link"])
      await expect(secretOf(`file:${path}`, root), path).rejects.toThrow(
        `file:${path} is a hidden file or outside of the declared directory: use --allow-files DIR to allow files in DIR`,
      );
    // A folder whose name only begins like that of the directory is another one.
    mkdirSync(`${root}-other`);
    writeFileSync(`${root}-other/secret`, CANARY);
    await expect(secretOf(`file:../${basename(root)}-other/secret`, root)).rejects.toThrow("outside of the declared");
  });

  test("is none of the hidden ones, in which a repository's tools keep credentials", async () => {
    const root = writeFiles({ ".git/config": CANARY, "folder/.env": CANARY });
    symlinkSync(join(root, ".git/config"), join(root, "plain"));
    for (const path of [".git/config", "folder/.env", "plain", "folder/../.git/config"])
      await expect(secretOf(`file:${path}`, root)).rejects.toThrow("is a hidden file");
  });

  test("may lie in a folder that the command is given, which may be one of links, as Kubernetes mounts secrets", async () => {
    const root = writeFiles({ "a.yaml": "" });
    const mounted = writeFiles({ "..2026/oidc": "good" });
    symlinkSync("..2026", join(mounted, "..data"));
    symlinkSync("..data/oidc", join(mounted, "oidc"));
    const alias = join(temporaryDirectory(), "alias");
    symlinkSync(mounted, alias);
    expect(await secretOf(`file:${join(mounted, "oidc")}`, root, [mounted])).toBe("good");
    expect(await secretOf(`file:${join(alias, "oidc")}`, root, [alias])).toBe("good");
    await expect(secretOf("file:/etc/passwd", root, [mounted])).rejects.toThrow("outside of the declared directory");
    symlinkSync("/etc/passwd", join(mounted, "away"));
    await expect(secretOf(`file:${join(mounted, "away")}`, root, [mounted])).rejects.toThrow("outside of the declared");
  });

  test("is a file of at most 64 KiB, and not waited for", async () => {
    const root = writeFiles({ long: "x".repeat(64 * 1024 + 1) });
    execFileSync("mkfifo", [join(root, "pipe")]);
    await expect(secretOf("file:pipe", root)).rejects.toThrow("file:pipe is not a file");
    await expect(secretOf("file:long", root)).rejects.toThrow("file:long exceeds 64 KiB");
    await expect(secretOf("file:none", root)).rejects.toThrow("cannot read file:none (ENOENT)");
  });
});

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  const method = (name: string, secret: string) =>
    `kind: auth-method\nname: ${name}\ntype: kubernetes\nconfig:\n  Host: https://10.0.0.1:6443\n  CACert: ${JSON.stringify(CA)}\n  ServiceAccountJWT: ${JSON.stringify(secret)}\n`;

  test("a plan of a stranger's files reads no file beside them and runs nothing, and no word of what it reads is shown", async () => {
    const env = { HOME: temporaryDirectory(), TESSERA_ADDR: await addressOf(v1), TESSERA_TOKEN: MANAGEMENT };
    const beside = writeFiles({ secret: CANARY });
    const ran = join(beside, "ran");
    const asked: [secret: string, words: string][] = [
      [`file:${join(beside, "secret")}`, "outside of the declared directory"],
      ["file:link", "outside of the declared directory"],
      ["file:.env", "is a hidden file"],
      [`command:touch ${ran}`, "requires --allow-commands"],
      // A text that is read and is not a JWT is sent to the server only, which does not repeat it.
      ["file:within", "Config.ServiceAccountJWT is not a valid JWT"],
      ["env:NOTES_TOKEN", "Config.ServiceAccountJWT is not a valid JWT"],
    ];
    for (const verb of ["plan", "drift", "apply"]) {
      for (const [secret, words] of asked) {
        const directory = writeFiles({ "a.yaml": method("k8s", secret), within: CANARY, ".env": CANARY });
        symlinkSync(join(beside, "secret"), join(directory, "link"));
        const ended = await command([verb, directory, ...(verb === "apply" ? ["--yes"] : [])], {
          env: { ...env, NOTES_TOKEN: CANARY },
        });
        const said = ended.stdout + ended.stderr;
        expect(said, `${verb} ${secret}`).toContain(words);
        expect(said).not.toContain("canary");
        expect(ended.code).toBe(2);
      }
    }
    const given = writeFiles({ "a.yaml": method("k8s", `file:${join(beside, "secret")}`) });
    const unknown = await command(["plan", given, "--allow-files", join(beside, "none")], { env });
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining("--allow-files") as string });
    const read = await command(["plan", given, "--allow-files", beside], { env });
    expect(read.stderr).toContain("Config.ServiceAccountJWT is not a valid JWT");
    expect(() => execFileSync("test", ["-e", ran])).toThrow("Command failed");
  });

  test("rules that are ill-formed are told by their place, and files that only hold them are not repeated", async () => {
    const env = { HOME: temporaryDirectory(), TESSERA_ADDR: await addressOf(v1), TESSERA_TOKEN: MANAGEMENT };
    const directory = writeFiles({
      "a.yaml": "kind: policy\nname: a\nrules-file: a.hcl\n",
      "a.hcl": `first_line = "${CANARY}"\nsecond = "${CANARY}"\n}{\n`,
    });
    const ended = await command(["plan", directory], { env });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain("a.hcl:3:");
    expect(ended.stdout + ended.stderr).not.toContain("canary");
  });
});
