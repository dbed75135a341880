import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { verifyFiles } from "../../src/records/verify/file.ts";
import { placesOf, readLines } from "../support/audit-target.ts";
import { temporaryDirectory } from "../support/engines.ts";
import { startServer } from "../support/server.ts";
import { fill, mount, unmount, whyNoMount } from "./small-disk.ts";

const reason = whyNoMount();

describe.skipIf(reason !== undefined)(
  `audit file on a full disk${reason === undefined ? "" : ` (skipped: ${reason})`}`,
  () => {
    test("nobody is held up, and once there is space everything is written, each line whole", async () => {
      const folder = join(temporaryDirectory(), "small");
      mkdirSync(folder);
      expect(mount(folder, 1)).toBeUndefined();
      onTestFinished(() => void unmount(folder));
      const file = join(folder, "audit.jsonl");
      const server = await startServer({ args: ["--audit-file", file, "--metrics-open"] });
      const post = async (name: string) => {
        const answer = await fetch(`${server.url}/v1/acl/policy`, {
          method: "PUT",
          headers: { authorization: `Bearer ${server.token}` },
          body: JSON.stringify({ Name: name, Description: "x".repeat(300) }),
        });
        expect(answer.status).toBe(200);
      };
      const behind = async () => {
        const text = await (await fetch(`${server.url}/metrics`)).text();
        return [/^tessera_audit_file_behind_records (\d+)$/m, /^tessera_audit_file_failures (\d+)$/m].map((pattern) =>
          Number(pattern.exec(text)?.[1]),
        );
      };
      await post("first");
      const placesIn = () => placesOf(readLines(readFileSync(file, "utf8")), "partition/default");
      await expect.poll(() => placesIn().length).toBeGreaterThan(0);
      const ballast = fill(folder);
      for (let number = 0; number < 50; number++) await post(`policy-${number}`);
      await expect.poll(async () => (await behind())[0], { timeout: 30_000 }).toBeGreaterThan(0);
      await expect.poll(async () => (await behind())[1], { timeout: 30_000 }).toBeGreaterThan(0);
      expect(readFileSync(file, "utf8").at(-1)).toBe("\n");
      rmSync(ballast);
      await expect.poll(async () => (await behind())[0], { timeout: 60_000 }).toBe(0);
      const places = placesIn();
      expect(places.length).toBeGreaterThan(50);
      expect([...new Set(places)]).toEqual(Array.from({ length: places.length }, (_, index) => index + 1));
      const told = {
        onFinding: (finding: object) => expect.unreachable(JSON.stringify(finding)),
        onWhole: () => undefined,
      };
      expect((await verifyFiles([file], new Map(), told)).records).toBeGreaterThan(50);
      expect(await server.stop()).toBe(0);
    });
  },
);
