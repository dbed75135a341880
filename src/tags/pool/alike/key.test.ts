import { expect, it } from "vitest";
import { alikeKey } from "./key.ts";

const ALIKE = [
  ["cost-center", "cost_center", "Cost:Center", "cost.centers", "costs-centers", "costcenter", "cost--center"],
  ["network", "networks", "NETWORKS"],
  ["policy", "policies"],
  ["cookie", "cookies"],
  ["box", "boxes"],
  ["class", "classes"],
  ["status", "statuses"],
  ["cache", "caches"],
  ["database", "databases", "data-bases"],
  ["lease", "leases"],
  ["vm", "vms"],
  ["gpu", "gpus"],
  ["version-1.2", "version_1-2", "versions:1@2"],
];

it("names that differ by case, by what is between their words or by the plural have the same key", () => {
  for (const names of ALIKE) {
    const [key] = names.map(alikeKey);
    expect(names.map((name) => [name, alikeKey(name)])).toEqual(names.map((name) => [name, key]));
  }
});

it("other names have keys of their own", () => {
  const names = [
    ...ALIKE.map(([name = ""]) => name),
    "net",
    "node",
    "nod",
    "glass",
    "us",
    "use",
    "s",
    "es",
    "dns",
    "ties",
    "v12",
    "v1-2",
    "v1-21",
    "v11-1",
    "v1-11",
  ];
  const keys = Map.groupBy(names, alikeKey);
  expect([...keys.values()].filter((group) => group.length > 1)).toEqual([]);
});
