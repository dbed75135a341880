/** The real `terraform`, as somebody would run it beside a server whose certificate an authority of the test has signed. */
import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

/** The oldest that has map-form tags. */
const OLDEST = [1, 11];

/** Why no `terraform` can be run here; undefined where one can. */
export function whyNoTerraform(): string | undefined {
  const { error, stdout } = spawnSync("terraform", ["version", "-json"], {
    encoding: "utf8",
    env: { ...process.env, CHECKPOINT_DISABLE: "1" },
  });
  if (error !== undefined) return "there is no terraform in PATH";
  const version = /"terraform_version": "([^"]+)"/.exec(stdout)?.[1] ?? "unknown";
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isOld = major < (OLDEST[0] ?? 0) || (major === OLDEST[0] && minor < (OLDEST[1] ?? 0));
  return isOld ? `the terraform in PATH is ${version}, older than ${OLDEST.join(".")}` : undefined;
}

export interface Terraform {
  /** Runs it in the folder of the configuration. @returns all that it printed @throws when it does not end with 0 */
  run(...args: string[]): Promise<string>;
  /** The first `init`, which asks for the name of a workspace where none has the tags. */
  init(workspace: string): Promise<string>;
  /** Writes another `cloud` block. @param workspaces what stands in its `workspaces` */
  configure(workspaces: string): void;
  /** Forgets what `init` has written, so that the next one begins as on another machine. */
  forget(): void;
}

interface Options {
  /** An empty folder. */
  directory: string;
  /** URL of the server, with https. */
  url: string;
  token: string;
  organization: string;
  /** PEM. */
  ca: string;
}

/** Makes a configuration in a folder. */
export function makeTerraform({ directory, url, token, organization, ca }: Options): Terraform {
  const { host } = new URL(url);
  const authority = join(directory, "ca.pem");
  const credentials = join(directory, "credentials.tfrc");
  const configuration = join(directory, "configuration");
  mkdirSync(configuration);
  writeFileSync(authority, ca);
  writeFileSync(credentials, `credentials "${host}" {\n  token = "${token}"\n}\n`);
  const env = {
    PATH: process.env["PATH"],
    HOME: directory,
    SSL_CERT_FILE: authority,
    TF_CLI_CONFIG_FILE: credentials,
    TF_IN_AUTOMATION: "1",
    CHECKPOINT_DISABLE: "1",
  };
  async function runWith(input: string, args: readonly string[]): Promise<string> {
    const running = promisify(execFile)("terraform", args, { cwd: configuration, env, timeout: 120_000 });
    running.child.stdin?.end(input);
    const { stdout, stderr } = await running.catch((error: Error & { stdout?: string; stderr?: string }) => {
      throw new Error(`terraform ${args.join(" ")}: ${error.message}\n${error.stdout}${error.stderr}`);
    });
    return `${stdout}${stderr}`;
  }
  return {
    run: (...args) => runWith("", args),
    init: (workspace) => runWith(`${workspace}\n`, ["init", "-no-color"]),
    configure(workspaces) {
      const cloud = `cloud {\n    hostname     = "${host}"\n    organization = "${organization}"\n    workspaces {\n      ${workspaces}\n    }\n  }`;
      const things = `resource "terraform_data" "thing" {\n  input = terraform.workspace\n}\n`;
      writeFileSync(join(configuration, "main.tf"), `terraform {\n  ${cloud}\n}\n\n${things}`);
    },
    forget: () => rmSync(join(configuration, ".terraform"), { recursive: true, force: true }),
  };
}
