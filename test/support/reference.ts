/**
 * The pages of docs/reference/, made of the program itself: `npm run docs:reference` writes them, and a test compares
 * them. `cli-reference.ts` makes the page of the commands for people.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Command } from "commander";
import { buildProgram } from "../../src/cli/program.ts";
import { ENTRIES } from "../../src/cli/client/index.ts";
import type { Option } from "../../src/config/option.ts";
import { environmentName, OPTIONS } from "../../src/config/options.ts";
import { AppError, ERROR_CODES } from "../../src/errors.ts";
import { wireError } from "../../src/http/jsonapi/errors.ts";
import { statusOf } from "../../src/http/v1/errors.ts";
import type { Document } from "./openapi-document.ts";

const FOLDER = resolve(import.meta.dirname, "../../docs/reference");
const MADE = "<!-- made by npm run docs:reference -->\n";

/** Answers of a server from which the pages are made. */
export interface Answered {
  /** Answer to `/openapi.json`. */
  document: Document;
  /** Answer to `/metrics`. */
  metrics: string;
}

/** The pages by their names below docs/reference/. */
export function referencePages(answered: Answered): Record<string, string> {
  return {
    "options.md": optionsPage(),
    "commands.md": commandsPage(),
    "api.md": apiPage(answered.document),
    "errors.md": errorsPage(),
    "limits.md": limitsPage(answered.document),
    "metrics.md": metricsPage(answered.metrics),
  };
}

/** Path of one page. */
export function referencePath(name: string): string {
  return join(FOLDER, name);
}

function optionsPage(): string {
  const parts = OPTIONS.map((option: Option) => {
    const value = option.type === "switch" ? "" : ` ${option.value ?? option.choices?.join("|") ?? ""}`;
    const kept = option.default === undefined ? "None." : `\`${option.default}\``;
    const places = `Variable \`${environmentName(option.name)}\`, key \`"${option.name}"\`. Default: ${kept}`;
    return `## \`--${option.name}${value}\`\n\n${escaped(option.help)}\n\n${places}\n`;
  });
  const head =
    "This page is for operators. It lists the options of `tessera serve`. Set an option by flag, environment variable, or key of the JSON file of `--config`; the first one applies.";
  return `# Options\n\n${MADE}\n${head}\n\n${parts.join("\n")}`;
}

/** Lists the commands that work on a database beside the server; the other commands call a server. */
function commandsPage(): string {
  const people = new Set(ENTRIES.map(({ name }) => name));
  const told = buildProgram().commands.flatMap((command) => {
    if (command.name() === "audit") return command.commands.map((each) => commandPart(`audit ${each.name()}`, each));
    if (command.name() === "serve")
      return ["## `tessera serve`\n\nStart the server. [Options](options.md) lists the options.\n"];
    return people.has(command.name()) || command.name() === "help" ? [] : [commandPart(command.name(), command)];
  });
  const head =
    "This page is for operators. It lists the commands that run on the machine of the server or work on its database. [CLI](cli.md) lists the commands that call a server, and the [exit codes](cli.md#exit-codes) of all commands.";
  return `# Server commands\n\n${MADE}\n${head}\n\n${told.join("\n")}`;
}

function commandPart(words: string, command: Command): string {
  const args = command.registeredArguments.map((each) => ` <${each.name()}>`).join("");
  const rows = command.options
    .filter(({ hidden }) => !hidden)
    .map(({ flags, description }) => `| \`${flags.replaceAll("|", "\\|")}\` | ${escaped(description)} |\n`);
  const table = rows.length === 0 ? "" : `\n| Option | |\n| --- | --- |\n${rows.join("")}`;
  return `## \`tessera ${words}${args}\`\n\n${escaped(command.description())}\n${table}`;
}

function apiPage({ paths, tags }: Document): string {
  const rows = new Map(tags.map(({ name }) => [name, [] as string[]]));
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { operationId = "", summary = "", description, tags: [tag = ""] = [] }] of Object.entries(
      operations,
    )) {
      const [first = ""] = (description === undefined ? `${summary}.` : `${summary}. ${description}`).split("\n");
      rows.get(tag)?.push(`| \`${method.toUpperCase()} ${path}\` | \`${operationId}\` | ${escaped(first)} |\n`);
    }
  }
  const parts = tags.map(({ name, description }) => {
    return `## ${name}\n\n${escaped(description)}\n\n| Request | Operation | |\n| --- | --- | --- |\n${(rows.get(name) ?? []).join("")}`;
  });
  const head =
    "This page is for developers of clients. It lists the operations of both API families. Parameters, bodies and examples are at `/docs` of your server, and in `/openapi.json` ([OpenAPI document](../api/openapi.md)).";
  return `# API\n\n${MADE}\n${head}\n\n${parts.join("\n")}`;
}

function errorsPage(): string {
  const rows = ERROR_CODES.map((code) => {
    const { status, title = "" } = wireError(new AppError(code, ""));
    return `| \`${code}\` | ${status} | \`${title}\` | ${statusOf(code)} |\n`;
  });
  const head =
    "This page is for developers of clients. It lists the HTTP status of each error code in both API families. [Errors](../errors.md) describes the causes.";
  return `# Error codes\n\n${MADE}\n${head}\n\n| Code | \`/api/v2\` | Title of \`/api/v2\` | \`/v1\` |\n| --- | --- | --- | --- |\n${rows.join("")}`;
}

/** Options that set a bound, by their names. */
const BOUNDS = /^(max-|waits-per-|rate-limit$|rate-limit-per-address$|login-(failure|limit|tokens))/;

/** Bounds that are data of the program; those of its parts are told by hand in docs/limits.md. */
function limitsPage({ components }: Document): string {
  const options = OPTIONS.filter(({ name }) => BOUNDS.test(name)).map((option: Option) => {
    return `| \`--${option.name}\` | ${option.default ?? "none"} | ${escaped(option.help)} |\n`;
  });
  const members = Object.entries(components.schemas).flatMap(([name, schema]) =>
    boundsIn(schema).map(([path, bound]) => `| \`${name}\` | \`${path}\` | ${bound} |\n`),
  );
  const head =
    "This page is for operators and developers of clients. It lists the options that set a limit, and the maximum length of each request member. [Limits](../limits.md) lists all limits and the responses over them.";
  const first = `## Options\n\n| Option | Default | |\n| --- | --- | --- |\n${options.join("")}`;
  const second = `## Members\n\n| Schema | Member | Maximum |\n| --- | --- | --- |\n${members.join("")}`;
  return `# Limits of options and members\n\n${MADE}\n${head}\n\n${first}\n${second}`;
}

/** Bounds on texts and lists below a schema, with the way to each. */
function boundsIn(schema: unknown, path = ""): [path: string, bound: string][] {
  if (typeof schema !== "object" || schema === null) return [];
  const {
    maxLength,
    maxItems,
    properties = {},
    items,
  } = schema as { maxLength?: number; maxItems?: number; properties?: object; items?: unknown };
  const own: [string, string][] = [];
  if (maxLength !== undefined) own.push([path, `${maxLength} characters`]);
  if (maxItems !== undefined) own.push([path, `${maxItems} entries`]);
  const inside = Object.entries(properties).flatMap(([name, each]) =>
    boundsIn(each, path === "" ? name : `${path}.${name}`),
  );
  return [...own, ...inside, ...boundsIn(items, `${path}[]`)];
}

function metricsPage(text: string): string {
  const helps = new Map(
    [...text.matchAll(/^# HELP (tessera_\w+) (.*)$/gm)].map(([, name = "", help = ""]) => [name, help]),
  );
  const rows = [...text.matchAll(/^# TYPE (tessera_\w+) (\w+)$/gm)].map(([, name = "", type = ""]) => {
    return `| \`${name}\` | ${type} | ${labelsOf(text, name)} | ${escaped(helps.get(name) ?? "")} |\n`;
  });
  const head =
    "This page is for operators. It lists the metrics of `GET /metrics`. Some metrics exist only with the option in their description. To scrape them, see [Monitor](../operations/monitoring.md).";
  return `# Metrics\n\n${MADE}\n${head}\n\n| Name | Type | Labels | |\n| --- | --- | --- | --- |\n${rows.toSorted().join("")}`;
}

/** Labels of a metric, without the bounds of a histogram. */
function labelsOf(text: string, name: string): string {
  const found = new Set<string>();
  for (const [, inside = ""] of text.matchAll(new RegExp(`^${name}(?:_bucket)?\\{(.*)\\} \\S+$`, "gm"))) {
    for (const [, label = ""] of inside.matchAll(/(\w+)="/g)) if (label !== "le") found.add(label);
  }
  return [...found]
    .toSorted()
    .map((label) => `\`${label}\``)
    .join(", ");
}

/** Escapes characters that have a meaning in Markdown. */
function escaped(text: string): string {
  return text.replaceAll(/[|*<]/g, String.raw`\$&`);
}

/** Writes all pages. */
export function writeReference(answered: Answered): void {
  for (const [name, text] of Object.entries(referencePages(answered))) {
    mkdirSync(dirname(referencePath(name)), { recursive: true });
    writeFileSync(referencePath(name), text);
  }
}
