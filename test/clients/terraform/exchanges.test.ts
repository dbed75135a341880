/** Replays requests of the tfe provider and of terraform's `cloud` block against the whole application. */
import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../support/engines.ts";
import { ROOT, useApi } from "../../support/api.ts";
import { readRecordings, replay, type Recording } from "./replay.ts";

const recordings = readRecordings();

test("there is a recording of each resource, data source and form of tags", () => {
  expect(recordings.map(({ name }) => name)).toEqual([
    "cloud-tags-as-list",
    "cloud-tags-as-map",
    "data-sources",
    "organization",
    "project",
    "workspace-destroy",
    "workspace-settings",
    "workspace-state-consumers",
    "workspace-tag-names",
    "workspace-tags",
  ]);
});

forEachEngine((engine, makeUrl) => {
  const api = useApi(makeUrl);
  let org: string;
  beforeAll(async () => {
    org = await api.organization();
  });

  describe("a recording", () => {
    test.each(recordings)("$name: $title", async (recording) => {
      // Others have an organization of their own: a recording may find whatever another one left.
      if (recording.name !== "organization") org = await api.organization();
      const phases = await replay(api.send, ROOT, recording, { org, unused: `unused-${engine}` });
      expect(phases).toEqual(recording.phases.map(({ phase }) => phase));
    });
  });

  test("a recording that the application does not answer as it says fails, and so does a plan that writes", async () => {
    const read = { request: "GET /api/v2/organizations/{org}", status: 200 };
    const recordingOf = (exchanges: object[], isPlan?: true) => ({
      name: "made up",
      title: "",
      headers: {},
      phases: [
        { phase: "first", exchanges: [read] },
        { phase: "second", exchanges, ...(isPlan && { isPlan }) },
      ],
    });
    const run = (...given: Parameters<typeof recordingOf>) =>
      replay(api.send, ROOT, recordingOf(...given) as Recording, { org });
    const patch = (email: string) => ({
      request: "PATCH /api/v2/organizations/{org}",
      body: { data: { type: "organizations", attributes: { email } } },
      status: 200,
    });
    await run([read, patch("a@example.com"), patch("b@example.com")]);
    await run([read], true);
    await expect(run([{ ...read, status: 404 }])).rejects.toThrow("second: GET /api/v2/organizations/");
    await expect(run([{ ...read, answer: { data: { attributes: { email: "x" } } } }])).rejects.toThrow("second");
    await expect(run([{ ...read, headers: { etag: "x" } }])).rejects.toThrow("second");
    await expect(run([{ ...read, says: "nothing of the kind" }])).rejects.toThrow("nothing of the kind");
    await expect(run([{ ...read, keep: { none: "data.none" } }])).rejects.toThrow("data.none");
    await expect(run([{ ...read, request: "GET /api/v2/{none}" }])).rejects.toThrow("nothing was kept as none");
    await expect(run([patch("c@example.com")], true)).rejects.toThrow("a plan writes nothing");
  });
});
