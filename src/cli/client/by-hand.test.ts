/** Parts of IDs, and objects that are edited as text: commands in the process of the test, beside the application. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createClient, type Client } from "@tessera-server/client";
import { beforeAll, describe, expect, it } from "vitest";
import { command } from "../../../test/support/command.ts";
import { addressOf } from "../../../test/support/declared.ts";
import { forEachEngine, temporaryDirectory } from "../../../test/support/engines.ts";
import { MANAGEMENT, useV1 } from "../../../test/support/v1.ts";

forEachEngine((_engine, makeUrl) => {
  describe("by hand", () => {
    const v1 = useV1(makeUrl);
    let client: Client;
    let env: Record<string, string>;

    beforeAll(async () => {
      const address = await addressOf(v1);
      client = createClient({ address, token: MANAGEMENT });
      env = { HOME: temporaryDirectory(), TESSERA_ADDR: address, TESSERA_TOKEN: MANAGEMENT, PATH: "/usr/bin:/bin" };
    });

    const makeToken = async (AccessorID: string, Description: string) => {
      await client.request("createToken", { body: { AccessorID, Description } });
    };

    it("the beginning of an ID is enough where it is one's alone; else the candidates are listed, and nothing is done", async () => {
      await makeToken("0a51f1c2-96f4-4c3d-8a6d-2b1f0f0b7a11", "one");
      await makeToken("0a51f1c2-0000-4c3d-8a6d-2b1f0f0b7a12", "two");
      const both = await command(["token", "delete", "0A51", "--yes"], { env });
      expect(both.code).toBe(2);
      expect(both.stderr).toBe(
        "tessera: ambiguous ID 0A51: several token IDs start with it\n" +
          "  0a51f1c2-0000-4c3d-8a6d-2b1f0f0b7a12 (two)\n  0a51f1c2-96f4-4c3d-8a6d-2b1f0f0b7a11 (one)\n",
      );
      const asked = await command(["token", "delete", "0a51f1c2-9"], { env });
      expect([asked.code, asked.stderr]).toEqual([
        2,
        expect.stringMatching(/^ {2}0a51f1c2-96f4-4c3d-8a6d-2b1f0f0b7a11 \(one\)\n/),
      ]);
      const gone = await command(["token", "delete", "0a51f1c2-9", "--yes"], { env });
      const line = "0a51f1c2-96f4-4c3d-8a6d-2b1f0f0b7a11 (one)";
      expect(gone).toMatchObject({ code: 0, stderr: `  ${line}\nDeleted token ${line}.\n` });
      expect(await command(["token", "rotate", "0a51f1", "--overlap", "1h"], { env })).toMatchObject({ code: 0 });
      expect(await command(["token", "get", "0a5"], { env })).toMatchObject({ code: 3 });
    });

    it("tags, workspaces and projects are found by the first characters of the ID, and delete shows which one", async () => {
      const atAcme = { ...env, TESSERA_ORGANIZATION: "acme" };
      const run = async (...words: string[]) => command(words, { env: atAcme });
      await run("organization", "create", "acme", "--email", "a@example.com");
      await run("tag", "create", "ledger");
      await run("workspace", "create", "books");
      await run("project", "create", "Cards");
      const made = async (noun: string, name: string) => {
        const shown = JSON.parse((await run(noun, "get", name, "-o", "json")).stdout) as { id: string };
        return { id: shown.id, part: shown.id.slice(0, shown.id.indexOf("-") + 5) };
      };
      const [tag, books, cards] = [
        await made("tag", "ledger"),
        await made("workspace", "books"),
        await made("project", "Cards"),
      ];
      expect((await run("tag", "attach", tag.part, "--workspace", books.part)).code).toBe(0);
      expect((await run("workspace", "update", books.part, "--project", cards.part)).code).toBe(0);
      expect((await run("tag", "workspaces", tag.part, "-o", "name")).stdout).toBe("books\n");
      expect((await run("project", "bind", cards.part, "env=prod")).code).toBe(0);
      const bindings = await run("workspace", "bindings", books.part, "--effective", "-o", "name");
      expect(bindings.stdout).toBe("env\n");
      expect((await run("tag", "list", "-o", "name")).stdout).toBe("env\nledger\n");
      for (const [noun, name, { id, part }, more] of [
        ["tag", "ledger", tag, ", on 1 workspace"],
        ["workspace", "books", books, ""],
        ["project", "Cards", cards, ""],
      ] as const) {
        const line = `${name} (${id})${more}`;
        const asked = await run(noun, "delete", part);
        expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining(`  ${line}\n`)]);
        expect(await run(noun, "delete", part.slice(0, -1), "--yes")).toMatchObject({ code: 3 });
        const gone = await run(noun, "delete", part, "--yes");
        expect([gone.code, gone.stderr]).toEqual([0, expect.stringMatching(/^ {2}.*\nDeleted /)]);
        expect(gone.stderr.split("\n")[0]).toBe(`  ${line}`);
        expect(await run(noun, "get", part)).toMatchObject({
          code: 3,
          stderr: expect.stringContaining(`${noun} "${part}" not found`),
        });
      }
      await run("workspace", "create", books.part);
      expect((await run("workspace", "get", books.part, "-o", "name")).stdout).toBe(`${books.part}\n`);
    });

    it("a name counts before the beginning of an ID, and what may not be seen is no candidate", async () => {
      const { body } = await client.request<{ ID: string }>("createPolicy", { body: { Name: "seen" } });
      await client.request("createPolicy", { body: { Name: body.ID.slice(0, 6), Description: "so called" } });
      const shown = async (word: string) => (await command(["policy", "get", word, "-o", "name"], { env })).stdout;
      expect(await shown(body.ID.slice(0, 8))).toBe("seen\n");
      expect(await shown(body.ID.slice(0, 6))).toBe(`${body.ID.slice(0, 6)}\n`);
      await client.request("createNamespace", { body: { Name: "elsewhere" } });
      const there = await command(["policy", "get", body.ID.slice(0, 8), "-n", "elsewhere"], { env });
      expect(there).toMatchObject({
        code: 3,
        stderr: expect.stringContaining(`policy "${body.ID.slice(0, 8)}" not found`),
      });
    });

    it("incident 80: an edit that is refused, broken, ended or declined keeps its text and names the file", async () => {
      await client.request("createPolicy", { body: { Name: "yard", Rules: 'key "yard/" { policy = "read" }' } });
      const edit = async (EDITOR: string, more: Partial<Parameters<typeof command>[1]> = {}, words = ["--yes"]) => {
        const ended = await command(["policy", "edit", "yard", ...words], { env: { ...env, EDITOR }, ...more });
        const file = /your edit was saved to (\S+)/i.exec(ended.stderr)?.[1];
        return { ...ended, text: file === undefined ? undefined : readFileSync(file, "utf8") };
      };
      const refused = await edit("sed -i s/read/rede/");
      expect([refused.code, refused.text]).toEqual([1, expect.stringContaining("rede")]);
      expect(refused.stderr).toContain('Rules 1:24: invalid policy "rede"; expected "read", "list", "write" or "deny"');
      expect(refused.stderr).not.toContain("no Name is set");
      expect(await edit("f() { echo 'Foo: [' >> \"$1\"; }; f")).toMatchObject({
        code: 2,
        text: expect.stringContaining("Foo: ["),
        stderr: expect.stringMatching(
          /^tessera: the edited text is not valid YAML or JSON: [^\n;]+ at line \d+, column 1\n {2}your edit was saved/,
        ),
      });
      expect(await edit('f() { sed -i s/read/write/ "$1"; exit 3; }; f')).toMatchObject({
        code: 1,
        text: expect.stringContaining("write"),
      });
      const declined = await edit("sed -i s/read/write/", { isTerminal: true, stdin: "n\n" }, []);
      expect(declined).toMatchObject({ code: 1, text: expect.stringContaining("write") });
      const dry = await edit("sed -i s/read/write/", {}, ["--dry-run"]);
      expect(dry).toMatchObject({ code: 0, text: expect.stringContaining("write") });
      // A text that was not changed is worth no file.
      for (const EDITOR of ["true", "false"]) expect((await edit(EDITOR)).text).toBe(undefined);
      expect((await client.request("readPolicyByName", { path: { name: "yard" } })).body).toMatchObject({
        Rules: 'key "yard/" { policy = "read" }',
      });
    });

    it("incident 80: an editor that moves files, or leaves none, loses no text", async () => {
      const rules = (word: string) => `key "mole/" { policy = "${word}" }`;
      await client.request("createPolicy", { body: { Name: "mole", Rules: rules("read") } });
      const edit = async (EDITOR: string) => {
        const ended = await command(["policy", "edit", "mole", "--yes"], { env: { ...env, EDITOR } });
        const file = /your edit was saved to (\S+)/i.exec(ended.stderr)?.[1];
        return { ...ended, text: file === undefined ? undefined : readFileSync(file, "utf8") };
      };
      const read = async () =>
        (await client.request<{ Rules: string }>("readPolicyByName", { path: { name: "mole" } })).body.Rules;
      // As vim writes with backupcopy=no: the old file is moved away, and a new one takes its place.
      const moves = 'f() { sed s/read/write/ "$1" > "$1.new"; mv "$1" "$1~"; mv "$1.new" "$1"; }; f';
      expect(await edit(moves)).toMatchObject({ code: 0, stderr: "Saved policy mole.\n" });
      expect(await read()).toBe(rules("write"));
      const refused = await edit(moves.replace("read/write", "write/wrote"));
      expect([refused.code, refused.text]).toEqual([1, expect.stringContaining("wrote")]);
      const cut = await edit('f() { sed s/write/read/ "$1" > "$1.new"; mv "$1" "$1~"; }; f');
      expect(cut).toMatchObject({ code: 1, stderr: expect.stringContaining("the editor deleted the file ") });
      expect(cut.text).toContain("read");
      const fails = await edit('f() { sed s/write/read/ "$1" > "$1.new"; rm "$1"; exit 1; }; f');
      expect(fails).toMatchObject({ code: 1, text: expect.stringContaining("read") });
      const beside = await edit('f() { sed s/write/read/ "$1" > "$1.new"; }; f');
      expect(beside).toMatchObject({ code: 0, stderr: expect.stringContaining("Nothing was changed.\n") });
      expect(beside.text).toContain("read");
      const gone = await edit('f() { rm -r "$(dirname "$1")"; }; f');
      expect([gone.code, gone.text]).toEqual([1, undefined]);
      expect(await read()).toBe(rules("write"));
    });

    it("the difference is in colour on a terminal, where no text of a server or an editor is obeyed", async () => {
      const Description = "dull \u001b[32mgreen\u202e\u0007";
      await client.request("createPolicy", { body: { Name: "hue", Description } });
      const around = { isTerminal: true, stdin: "n\n", env: { ...env, EDITOR: "sed -i s/dull/bright/" } };
      const { stderr } = await command(["policy", "edit", "hue"], around);
      const escape = "\u001b";
      expect(stderr).toContain(`${escape}[31m-Description: "dull \\e[32mgreen`);
      expect(stderr).toContain(`${escape}[32m+Description: "bright \\e[32mgreen`);
      const colours = new RegExp(`${escape}\\[(?:0|31|32|36)m`, "g");
      const shown = stderr.replaceAll(colours, "");
      expect([shown.includes(escape), shown.includes("\u202e"), shown.includes("\\u001b[3")]).toEqual([
        false,
        false,
        false,
      ]);
    });

    it("incident 80: on a terminal the editor opens again with what is wrong at the top, until it is right or left as it is", async () => {
      await client.request("createPolicy", { body: { Name: "wharf", Rules: 'key "wharf/" { policy = "read" }' } });
      const seen = join(temporaryDirectory(), "seen");
      const mend = `f() { cat "$1" >> ${seen}; if grep -q rede "$1"; then sed -i s/rede/write/ "$1"; else sed -i s/read/rede/ "$1"; fi; }; f`;
      const around = { isTerminal: true, env: { ...env, EDITOR: mend } };
      const words = ["policy", "edit", "wharf", "--yes"];
      expect(await command(words, around)).toMatchObject({ code: 0, stderr: "Saved policy wharf.\n" });
      const [first = "", second = ""] = readFileSync(seen, "utf8").split(/(?<=\n)(?=# Invalid)/);
      expect(first).toMatch(/^# policy wharf\. Save/);
      expect(second).toMatch(
        /^# Invalid key policy: [^\n]+\n# {3}Rules 1:25: [^\n]+expected "read"[^\n]+\n[^]*Rules: .*rede/,
      );
      const left = await command(words, { isTerminal: true, env: { ...env, EDITOR: "sed -i s/write/wrote/" } });
      expect([left.code, left.stderr]).toEqual([1, expect.stringContaining("your edit was saved to ")]);
      // A program that never leaves what is right comes to an end too.
      const endless = await command(words, {
        isTerminal: true,
        env: { ...env, EDITOR: "f() { echo 'Foo: [' >> \"$1\"; }; f" },
      });
      expect(endless.code).toBe(2);
    });
  });
});
