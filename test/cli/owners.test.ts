/** Commands that change what a directory of declared files owns. */
import { expect, test } from "vitest";
import { command } from "../support/cli.ts";
import { addressOf, tracesOf, writeFiles } from "../support/declared.ts";
import { forEachEngine } from "../support/engines.ts";
import { MANAGEMENT, useV1 } from "../support/v1.ts";

const owner = (name: string) => ({ "directory.yaml": `kind: directory\nowner: ${name}\n` });

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  test("incident 81: commands say whose an object is before they change it, and ask for --take-over", async () => {
    const env = { HOME: "/nowhere", TESSERA_ADDR: await addressOf(v1), TESSERA_TOKEN: MANAGEMENT };
    const run = (line: string) => command([...line.split(" "), "--yes"], { env });
    const files = `
- { kind: policy, name: pier }
- { kind: organization, name: dock, email: dock@example.com }
- { kind: workspace, organization: dock, name: crane, description: lifts }
`;
    expect(await run(`apply ${writeFiles({ ...owner("port"), "a.yaml": files })}`)).toMatchObject({ code: 0 });
    const before = await tracesOf(v1);
    const lines: readonly string[] = [
      "policy update pier --description mine",
      "policy delete pier",
      "organization update dock --email mine@example.com",
      "workspace update dock/crane --description mine",
      "workspace delete dock/crane",
      "workspace bind dock/crane env=prod",
      `apply ${writeFiles({ "a.yaml": "kind: policy\nname: pier\ndescription: ours\n" })}`,
    ];
    for (const line of lines) {
      const { code, stderr } = await run(line);
      const said = expect.stringMatching(/managed by port[^]*--take-over/) as string;
      expect([line, code, stderr]).toEqual([line, line.startsWith("apply") ? 2 : 5, said]);
    }
    expect(await tracesOf(v1)).toEqual(before);
    for (const line of lines) {
      if (line.includes("delete")) continue;
      const { code, stderr } = await run(`${line} --take-over`);
      expect([line, code, stderr]).toEqual([line, 0, expect.stringContaining("managed by port")]);
    }
  });

  test("a token that may not read the owner is asked for --take-over too, and told no name", async () => {
    const secret = await v1.tokenWith('organization "dock" { policy = "write" }');
    const env = { HOME: "/nowhere", TESSERA_ADDR: await addressOf(v1), TESSERA_TOKEN: secret };
    const refusals = async () => (await v1.get("/audit?outcome=refused")).body;
    const before = await refusals();
    const line = ["workspace", "update", "dock/crane", "--description", "theirs"];
    const { code, stderr } = await command(line, { env });
    expect([code, stderr]).toEqual([
      5,
      expect.stringMatching(/a directory that your token may not read[^]*--take-over/),
    ]);
    expect(stderr).not.toContain("port");
    expect(await command([...line, "--take-over"], { env })).toMatchObject({ code: 0, stderr: "" });
    expect(await refusals()).toEqual(before);
  });
});
