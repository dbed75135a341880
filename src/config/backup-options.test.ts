import { expect, test } from "vitest";
import { readConfig } from "../config.ts";

const read = (...args: string[]) => readConfig(args, {});

test("backups are made by a server that is told how often and where, and by no other", () => {
  const given = read("--backup-every", "6h", "--backup-dir", "/backups");
  expect(given).toMatchObject({ backupEvery: 6 * 3_600_000, backupDir: "/backups", backupKeep: 14 });
  expect(given).toMatchObject({ backupKeepDaily: 0, backupKeepWeekly: 0, backupKeepMonthly: 0 });
  expect(read()).toMatchObject({ backupEvery: undefined, backupDir: undefined });
  expect(() => read("--backup-every", "6h")).toThrow("require each other");
  expect(() => read("--backup-dir", "/backups")).toThrow("require each other");
  expect(() => read("--backup-every", "0", "--backup-dir", "/backups")).toThrow("at least 1m");
});
