/** Dashboard and alerts are about numbers that there are: each expression is compared with what servers really answer at /metrics. */
import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { temporaryDirectory } from "../support/engines.ts";
import { skipWithout } from "../support/installed.ts";
import { askEverything } from "../support/everything-served.ts";

const deploy = resolve(import.meta.dirname, "../../deploy");
const alerts = join(deploy, "prometheus/alerts.yaml");
const missing =
  spawnSync("promtool", ["--version"]).status === 0
    ? undefined
    : "promtool is not installed; apt-get install prometheus";

/** Labels that Prometheus and its rules add themselves. */
const ADDED = ["job", "instance", "alertname", "severity", "le"];
let served = "";
let labels: ReadonlyMap<string, ReadonlySet<string>> = new Map();

interface Dashboard {
  panels: { title: string; targets?: { expr: string }[] }[];
}

/** A server with all that adds numbers of its own. */
beforeAll(async () => {
  served = (await askEverything(temporaryDirectory())).metrics;
  labels = labelsOf(served);
}, 120_000);

/** By name, the labels that any of its values has. */
function labelsOf(text: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  // Metrics without a value yet have only their type line.
  for (const [, name = ""] of text.matchAll(/^# TYPE (\w+)/gm)) found.set(name, new Set());
  for (const [, name = "", inside = ""] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const names = found.get(name) ?? new Set();
    for (const [, label = ""] of inside.matchAll(/(\w+)="/g)) names.add(label);
    found.set(name, names);
  }
  return found;
}

/** Metrics and labels of an expression that the server does not serve. */
function faultsOf(expression: string): string[] {
  const faults: string[] = [];
  for (const [, name = "", inside = ""] of expression.matchAll(/\b(tessera_\w+)(?:\{([^}]*)\})?/g)) {
    const known = labels.get(name);
    if (known === undefined) faults.push(`${name} is not served`);
    // Metrics without a value, such as damaged rows, show no labels.
    if (known === undefined || known.size === 0) continue;
    for (const [, label = ""] of inside.matchAll(/(\w+)\s*(?:=|!)/g)) {
      if (!known.has(label) && !ADDED.includes(label)) faults.push(`${name} has no label ${label}`);
    }
  }
  return faults;
}

test("what is served is as Prometheus wants its names, types and labels", (context) => {
  skipWithout(context, missing);
  const { status, stdout, stderr } = spawnSync("promtool", ["check", "metrics"], { input: served, encoding: "utf8" });
  expect([status, stdout, stderr]).toEqual([0, "", ""]);
});

test("every panel of the dashboard asks for numbers and labels that are served", () => {
  const { panels } = JSON.parse(readFileSync(join(deploy, "grafana/tessera.json"), "utf8")) as Dashboard;
  const asked = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const));
  expect(asked.length).toBeGreaterThan(20);
  expect(asked.flatMap(([title, expr]) => faultsOf(expr).map((fault) => `${title}: ${fault}`))).toEqual([]);
});

test("every alert asks for numbers and labels that are served", () => {
  const rules = readFileSync(alerts, "utf8")
    .split(/^ {6}- /m)
    .slice(1);
  expect(rules.length).toBeGreaterThan(25);
  const faults = rules.flatMap((rule) => faultsOf(rule).map((fault) => `${rule.split("\n")[0]}: ${fault}`));
  expect(faults).toEqual([]);
});

test("a name that is not served, and a label that it does not have, are found", () => {
  expect(faultsOf('rate(tessera_http_request_total[5m]) + tessera_tokens{agee="x"}')).toEqual([
    "tessera_http_request_total is not served",
    "tessera_tokens has no label agee",
  ]);
});

test("promtool takes the numbers and the alerts, and they fire when they should", (context) => {
  skipWithout(context, missing);
  const folder = temporaryDirectory();
  copyFileSync(alerts, join(folder, "alerts.yaml"));
  copyFileSync(join(import.meta.dirname, "alerts/rules.test.yaml"), join(folder, "rules.test.yaml"));
  for (const args of [
    ["check", "rules", "alerts.yaml"],
    ["test", "rules", "rules.test.yaml"],
  ]) {
    const { status, stdout, stderr } = spawnSync("promtool", args, { cwd: folder, encoding: "utf8" });
    expect(status, stdout + stderr).toBe(0);
  }
});
