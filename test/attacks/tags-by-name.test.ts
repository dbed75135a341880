/** Tests that a caller can attach a tag by name without the right to read the tag's organization. */
import { expect, test } from "vitest";
import { tagNames, useApi } from "../support/api.ts";
import { forEachEngine } from "../support/engines.ts";

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  test("incident 49: who attaches a tag by name and may not read the organization is not told its count and age", async () => {
    const org = await api.organization();
    await api.workspace(org, "other", ["theirs"]);
    const id = await api.workspace(org, "prod");
    const path = `/workspaces/${id}/relationships/tags`;
    const writer = api.tokenWith({ kind: "workspace", segment: `${org}/prod`, policy: "write" });
    const reader = api.tokenWith(
      { kind: "organization", segment: org, policy: "read" },
      { kind: "workspace", segment: `${org}/prod`, policy: "read" },
    );
    expect((await api.post(path, tagNames("theirs", "mine"), writer)).status).toBe(204);
    const shown = async (token: string) =>
      (await api.get(path, token)).body.data.map((tag: { attributes: object }) => tag.attributes);
    const hidden = { "created-at": null, "instance-count": null };
    expect(await shown(writer)).toEqual([
      { name: "theirs", ...hidden },
      { name: "mine", ...hidden },
    ]);
    expect(await shown(reader)).toMatchObject([
      { name: "theirs", "created-at": expect.stringMatching(/Z$/), "instance-count": 2 },
      { name: "mine", "instance-count": 1 },
    ]);
  });
});
