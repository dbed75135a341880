/**
 * The eight jobs that the console review counted, each from its list: by mouse, with no more clicks than there, and by keyboard
 * alone. Typed text is not counted, as there.
 */
import { expect, it } from "vitest";
import { MAPPINGS } from "../support/login.ts";
import { HANDS, type Hand } from "./job.ts";
import { ACCESS_JOBS, KEY } from "./jobs-of-access.ts";
import { IDLE, ORGANIZATION_JOBS } from "./jobs-of-organization.ts";
import { countPresses } from "./presses.ts";
import { inBrowser, useConsole } from "./use-console.ts";

const at = useConsole({
  isSeeded: true,
  async prepare({ client }) {
    const Config = { JWTValidationPubKeys: [KEY.publicKey], ...MAPPINGS };
    await client.authMethods.create({ body: { Name: "ci", Type: "jwt", MaxTokenTTL: "1h", Config } });
    for (const hand of HANDS) {
      const organization = `${hand}-inc`;
      const attributes = { name: organization, email: "ops@acme.example" };
      await client.organizations.create({ body: { data: { type: "organizations", attributes } } });
      const idle = Array.from({ length: IDLE }, (_, index) => `idle-${index}`);
      const data = ["same-1", "same-2", ...idle].map((name) => ({ type: "tags" as const, attributes: { name } }));
      await client.tags.create({ organization, body: { data } });
      for (const name of ["web-1", "web-2", "other"]) {
        const made = { data: { type: "workspaces" as const, attributes: { name } } };
        await client.workspaces.create({ organization, body: made });
      }
      await client.policies.create({ body: { Name: `${hand}-rules`, Rules: "" } });
      await client.tokens.create({ body: { Description: `${hand} gone` } });
    }
  },
});

inBrowser("clicks per job", () => {
  it.each([...ORGANIZATION_JOBS, ...ACCESS_JOBS])("$name", async (job) => {
    const needed: Record<Hand, { clicks: number; keys: number }> = { mouse: NOTHING, keys: NOTHING };
    for (const hand of HANDS) {
      const { page, settled } = await at.open(job.path(hand));
      await settled();
      const presses = await countPresses(page);
      await job[hand](page);
      needed[hand] = await presses();
      await job.done({ page, hand, client: at.client });
    }
    expect(needed.keys.clicks).toBe(0);
    expect(needed.mouse.clicks).toBeLessThanOrEqual(job.clicks);
    expect(needed.keys.keys).toBeLessThanOrEqual(job.presses);
  });
});

const NOTHING = { clicks: 0, keys: 0 };
