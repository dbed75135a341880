/** Each part of Mantine has a style sheet of its own; one that is not fetched leaves the part as the browser draws it. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";

const SOURCES = resolve(import.meta.dirname, "../../console/src");
const SHEETS = resolve(import.meta.dirname, "../../node_modules/@mantine/core/styles");

it("every part of Mantine that the console uses has its style, of the first load or of the screen that uses it", () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" });
  const styles = files.filter((name) => name.endsWith(".css"));
  const sheets = styles.map((name) => readFileSync(join(SOURCES, name), "utf8")).join("");
  const screens = files.filter((name) => name.endsWith(".tsx"));
  const used = screens.flatMap((name) => {
    const text = readFileSync(join(SOURCES, name), "utf8");
    const [, imported = ""] = /import \{([^}]*)\} from "@mantine\/core"/.exec(text) ?? [];
    const parts = [...imported.matchAll(/(?<!type )\b[A-Z]\w+/g)].map(([part]) => part);
    return parts.map((part) => ({ name, part }));
  });
  expect(used.length).toBeGreaterThan(300);
  const naked = used.filter(
    ({ part }) => existsSync(join(SHEETS, `${part}.layer.css`)) && !sheets.includes(`/${part}.layer.css"`),
  );
  expect(naked.map(({ name, part }) => `${name}: ${part}`)).toEqual([]);
});
