import { expect, it } from "vitest";
import { readConfig } from "../config.ts";

it("reads how long audit records are kept, and where else they go", () => {
  const read = (...args: string[]) => readConfig(args, {});
  expect(read("--audit-retention", "0").auditRetention).toBe(0);
  expect(read("--audit-retention", "90m").auditRetention).toBe(5_400_000);
  for (const wrong of ["59s", "-1h", "1.5d", "400", "d", "100001d", ""]) {
    expect(() => read("--audit-retention", wrong)).toThrow("must be a duration of at least 1m, such as 400d or 12h");
  }
  const webhook = ["--audit-webhook", "https://siem.example/a"];
  expect(read(...webhook, "--audit-webhook-secret", "secret")).toMatchObject({
    auditWebhookSecret: "secret",
    warnings: [],
  });
  expect(read(...webhook).warnings).toEqual([expect.stringContaining("without --audit-webhook-secret")]);
  expect(() => read("--audit-webhook-secret", "secret")).toThrow("requires --audit-webhook");
  for (const wrong of ["siem.example", "ftp://siem.example", "https://user:pass@siem.example", ""]) {
    expect(() => read("--audit-webhook", wrong)).toThrow(/^--audit-webhook must be an http or https URL/);
  }
});
