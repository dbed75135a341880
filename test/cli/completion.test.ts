/** Completion in the shells themselves: bash, zsh and fish, with the program as their users have it. */
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient, type Client } from "@tessera-server/client";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { asProcess } from "../support/cli.ts";
import { forEachEngine, temporaryDirectory } from "../support/engines.ts";
import { programFile } from "../support/program.ts";
import { startServer, type RunningServer } from "../support/server.ts";

/** Whether a shell is missing and its test may be skipped; where CI is set, a missing shell fails. */
const lacks = (shell: string) => !existsSync(shell) && process.env["CI"] === undefined;

forEachEngine((_engine, makeUrl) => {
  describe("completion", () => {
    let server: RunningServer;
    let client: Client;
    let env: Record<string, string>;
    let scripts: string;

    beforeAll(async () => {
      server = await startServer({ database: await makeUrl() });
      client = createClient({ address: server.url, token: server.token });
      const bin = temporaryDirectory();
      const program = join(bin, "tessera");
      writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${programFile()}" "$@"\n`);
      chmodSync(program, 0o755);
      scripts = temporaryDirectory();
      const HOME = temporaryDirectory();
      mkdirSync(join(HOME, "files"));
      env = {
        HOME,
        PATH: `${bin}:/usr/bin:/bin`,
        TERM: "dumb",
        TESSERA_ADDR: server.url,
        TESSERA_TOKEN: server.token,
        TESSERA_ORGANIZATION: "acme",
      };
      for (const shell of ["bash", "zsh", "fish"]) {
        const { stdout } = await asProcess(["completion", shell], { HOME });
        writeFileSync(join(scripts, shell), stdout);
      }
      for (const Name of ["web-readers", "web-writers", "db-readers"])
        await client.request("createPolicy", { body: { Name } });
      const attributes = { name: "acme", email: "a@example.com" };
      await client.request("createOrganization", { body: { data: { type: "organizations", attributes } } });
      const tags = ["env:prod", "env:test"].map((name) => ({ type: "tags", attributes: { name } }));
      await client.request("createTags", { path: { organization_name: "acme" }, body: { data: tags } });
    });
    afterAll(async () => server.stop());

    /** A machine that is busy answers the first time with nothing, and fetches for the next; for 30 s it is there then. */
    beforeEach(async () => {
      for (const noun of ["policy", "tag", "project"]) {
        const deadline = Date.now() + 30_000;
        while ((await asProcess(["__complete", "--", noun, "get", ""], env)).stdout === "")
          if (Date.now() > deadline) throw new Error(`no names of ${noun} come`);
      }
    });

    const run = (file: string, args: readonly string[]): string[] => {
      const { stdout, stderr, status } = spawnSync(file, args, {
        env,
        encoding: "utf8",
        cwd: env["HOME"],
        timeout: 30_000,
      });
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      return stdout.split("\n").filter((text) => text !== "");
    };

    it("in bash gives words, flags and names of the server, quoted as the line is", () => {
      const complete = (...words: string[]) => {
        const line = `tessera ${words.join(" ")}`;
        return run("/bin/bash", [
          "--norc",
          "-c",
          `source ${scripts}/bash; COMP_WORDS=(${line} ""); COMP_CWORD=${words.length}; COMP_LINE='${line}'; COMP_POINT=${line.length}
           _tessera 2>&1; printf '%s\\n' "\${COMPREPLY[@]}"`,
        ]);
      };
      expect(complete("pol")).toEqual(["policy"]);
      expect(complete("policy", "get", "web-")).toEqual(["web-readers", "web-writers"]);
      expect(complete("policy", "list", "--outp")).toEqual(["--output"]);
      expect(complete("policy", "list", "-o", "y")).toEqual(["yaml"]);
      expect(complete("project", "get", "Def")).toEqual(["Default\\ Project"]);
    });

    it("in a bash that somebody types in completes the line, also behind a colon and of a word with spaces", async () => {
      const complete = async (typed: string) => {
        const child = spawn("script", ["-qec", `bash --noprofile --rcfile ${scripts}/rc -i`, "/dev/null"], { env });
        let shown = "";
        const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
        let step = 0;
        child.stdout.setEncoding("utf8").on("data", (text: string) => {
          shown += text;
          if (step === 0 && shown.includes("ready> ")) {
            step = 1;
            child.stdin.write(`${typed}\t\n`);
          } else if (step === 1 && /got:\[.*\]/.test(shown)) {
            step = 2;
            child.stdin.write("exit\n");
          }
        });
        await ended;
        return /got:\[(.*)\]/.exec(shown)?.[1];
      };
      // A stub prints the words of the completed line.
      writeFileSync(
        join(scripts, "rc"),
        `source ${scripts}/bash\nPS1='ready> '\nbind 'set bell-style none'\nbind 'set enable-bracketed-paste off'\n` +
          `tessera() { if [ "$1" = __complete ]; then command tessera "$@"; else local IFS='|'; echo "got:[$*]"; fi; }\n`,
      );
      expect(await complete("tessera policy get web-w")).toBe("policy|get|web-writers");
      expect(await complete("tessera tag get env:p")).toBe("tag|get|env:prod");
      expect(await complete("tessera tag get env:")).toBe("tag|get|env:");
      expect(await complete("tessera tag get en")).toBe("tag|get|env:");
      for (const typed of ["Def", "Default\\ Pro", "'Default Pro", '"Def'])
        expect(await complete(`tessera project get ${typed}`)).toBe("project|get|Default Project");
    });

    it.skipIf(lacks("/usr/bin/zsh"))("in zsh gives words with their meaning, and names as the line quotes them", () => {
      // Its own completion system, driven by a line editor in a terminal of its own.
      const complete = (line: string, wanted: string) =>
        run("/usr/bin/zsh", [
          "-f",
          "-c",
          `zmodload zsh/zpty
           zpty line zsh -f -i
           zpty -w line "PS1= PROMPT2= ; autoload -Uz compinit && compinit -u -d ${scripts}/zcompdump; source ${scripts}/zsh
             zstyle ':completion:*' list-separator '|'; zstyle ':completion:*' menu no; LISTMAX=10000; setopt no_list_ambiguous
             bindkey '^I' complete-word; echo begun"
           zpty -r line out '*begun*begun*'
           zpty -w -n line ${JSON.stringify(line)}$'\\t'
           zpty -r line out '*'${JSON.stringify(wanted)}'*'
           zpty -d line; print -r -- "$out"`,
        ]).join("\n");
      for (const [typed, made] of [
        ["tessera poli", "tessera policy "],
        ["tessera policy get web-w", "tessera policy get web-writers"],
        ["tessera tag get env:p", "tessera tag get env:prod"],
        ["tessera project get Def", "tessera project get Default\\ Project"],
        ["tessera apply fi", "tessera apply files/"],
      ] as const)
        expect(complete(typed, made)).toContain(made);
      expect(complete("tessera policy te", "Run policy tests")).toMatch(/templates +\| List the built-in templates/);
    });

    it.skipIf(lacks("/usr/bin/fish"))(
      "in fish gives words with their meaning, names of the server, and files where these are wanted",
      () => {
        const complete = (line: string) =>
          run("/usr/bin/fish", [
            "--no-config",
            "-c",
            `source ${scripts}/fish; complete -C '${line.replaceAll("'", "\\'")}'`,
          ]);
        expect(complete("tessera pol")).toEqual([expect.stringMatching(/^policy\tPolicies: rules/)]);
        expect(complete("tessera policy get web-")).toEqual(["web-readers", "web-writers"]);
        expect(complete("tessera tag get env:p")).toEqual(["env:prod"]);
        expect(complete("tessera project get Def")).toEqual(["Default Project"]);
        expect(complete("tessera policy list --outp")).toEqual([expect.stringMatching(/^--output\t/)]);
        expect(complete("tessera apply fi")).toEqual([expect.stringMatching(/^files\//)]);
      },
    );
  });
});
