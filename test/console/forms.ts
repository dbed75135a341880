/** Forms of the console, each with how it is opened and filled, and with the result after it was saved. */
import type { Page } from "playwright-core";
import type { Client, OperationId } from "@tessera-server/client";

/** Subject of a form: its own object, each time with another name. */
export interface About {
  readonly name: string;
  /** As `setUp` gave it. */
  readonly id: string;
}

export interface Form {
  readonly title: string;
  /** Operations that the form sends. */
  readonly operations: readonly OperationId[];
  /** Makes what it changes or deletes; gives its ID. */
  setUp?(client: Client, name: string): Promise<string>;
  /** Below `/ui/`. */
  path(about: About): string;
  fill(page: Page, about: About): Promise<void>;
  /** The button that saves. */
  readonly save: string | RegExp;
  /** Whether the server does one at a time. */
  readonly isAlone?: boolean;
  /** Waits for work that continues after the answer. */
  settled?(client: Client, about: About): Promise<void>;
  /** Reads the result; undefined for nothing. */
  read(client: Client, about: About): Promise<unknown>;
}

/** Text that a shell, JSON and HCL each have a word for. */
export const HARD = `-it's "$HOME" \`id\` <b>&amp; \\n 100% é 🔑 =1+1`;

export async function choose(page: Page, label: string, ...names: readonly string[]): Promise<void> {
  const field = page.getByRole("combobox", { name: label, exact: true });
  for (const name of names) {
    await field.fill(name);
    await field.press("Enter");
  }
  // Its choices lie over what comes next. Escape would close a dialog whose choices are closed already.
  await field.blur();
}

export async function text(page: Page, label: string, value: string): Promise<void> {
  await page.getByRole("textbox", { name: label, exact: true }).fill(value);
}

/** Fills rows of entries. @param columns labels of the fields of a row @param singular name of one entry */
export async function entries(
  page: Page,
  singular: string,
  columns: readonly string[],
  ...rows: readonly (readonly string[])[]
): Promise<void> {
  for (const [at, row] of rows.entries()) {
    const field = (column: string) =>
      page.getByLabel(`${column} of ${singular} ${at + 1}`, { exact: true }).and(page.locator("input"));
    if ((await field(columns[0] ?? "").count()) === 0)
      await page.getByRole("button", { name: `Add ${singular}`, exact: true }).click();
    for (const [index, column] of columns.entries()) await field(column).fill(row[index] ?? "");
  }
}

const SERVICE = ["Service", "Datacenters"];
const NODE = ["Node", "Datacenter"];
const TEMPLATE = ["Template", "Name", "Datacenters"];

export const services = async (page: Page, ...rows: string[][]) => entries(page, "service identity", SERVICE, ...rows);
export const nodes = async (page: Page, ...rows: string[][]) => entries(page, "node identity", NODE, ...rows);
export const templates = async (page: Page, ...rows: string[][]) =>
  entries(page, "templated policy", TEMPLATE, ...rows);
export const metadata = async (page: Page, ...rows: string[][]) =>
  entries(page, "metadata entry", ["Key", "Value"], ...rows);

export async function option(page: Page, label: string, value: string): Promise<void> {
  await page.getByRole("combobox", { name: label, exact: true }).click();
  await page.getByRole("option", { name: value, exact: true }).click();
}

export async function more(page: Page, item: string): Promise<void> {
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

/** Presses a button that asks once more, and waits for the question: its own button may be named like the first. */
export async function ask(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
  await page.getByRole("dialog").waitFor();
}

/** The form that deletes; its object is gone then. @param isTyped whether the name has to be typed */
export function deletion(
  title: string,
  operation: OperationId,
  { setUp, path, read }: Pick<Form, "path" | "read"> & Required<Pick<Form, "setUp">>,
  isTyped = false,
): Form {
  return {
    title: `deletes ${title}`,
    operations: [operation],
    setUp,
    path,
    async fill(page, { name }) {
      await more(page, "Delete");
      if (isTyped) await text(page, `Type ${name} to confirm`, name);
    },
    save: "Delete",
    read,
  };
}

/** Returns "gone" for an object that cannot be read any more. */
export async function orGone(reading: Promise<unknown>): Promise<unknown> {
  return reading.catch((error: { status?: number }) => {
    if (error.status === 404 || error.status === 403) return "gone";
    throw error;
  });
}
