/** The pictures of the console that documents show, and the pages that are listed: each page of the console, and no other. */
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import type { ListedPage } from "./listed-page.ts";
import { PAGES } from "./pages.ts";
import { picturesInDocuments, picturesThatCanBeMade, SHOWN_FOLDER } from "./pictures.ts";

/** Two dozen: each is committed anew whenever its screen changes. */
const MOST_PICTURES = 24;

it("docs/screens has the pictures that documents show, and no other; npm run screens can make each of them", () => {
  const shown = picturesInDocuments();
  expect(shown).toContain("home-desk-light.png");
  expect(shown.length).toBeLessThanOrEqual(MOST_PICTURES);
  expect(readdirSync(SHOWN_FOLDER).toSorted()).toEqual(shown);
  const possible = picturesThatCanBeMade();
  expect(possible.length).toBeGreaterThan(300);
  expect(shown.filter((name) => !possible.includes(name))).toEqual([]);
});

it("no two pages have one name", () => {
  const names = PAGES.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});

it("each page of the console is listed, and a listed path leads to a page", async () => {
  const routes = await routesOfConsole();
  expect(routes.length).toBeGreaterThan(50);
  const routeOf = ({ path }: ListedPage) => {
    const address = path.split("?")[0] ?? "";
    const [first] = routes.filter(({ pattern }) => pattern.test(address));
    return first?.route ?? `no page at ${address}`;
  };
  const listed = new Set(PAGES.map(routeOf));
  expect([...listed].filter((route) => route.startsWith("no page"))).toEqual(["no page at nowhere/to/be/found"]);
  // One comes to it from a provider: test/console/oidc.test.ts.
  expect(routes.map(({ route }) => route).filter((route) => !listed.has(route))).toEqual(["oidc/callback"]);
});

/** A screen as the console declares it. */
interface Declared {
  readonly place: "scope" | "organization" | "top";
  readonly pages: readonly { readonly path: string }[];
}

const BELOW = { scope: "access/$partition/$namespace/", organization: "org/$organization/", top: "" };

/** The routes of the console, those first that have fewer parameters: `tokens/new` is no token. */
async function routesOfConsole(): Promise<{ route: string; pattern: RegExp }[]> {
  onTestFinished(() => void vi.unstubAllGlobals());
  // All that its modules ask of a browser when they are loaded.
  vi.stubGlobal("document", { baseURI: "http://localhost/ui/" });
  vi.stubGlobal("location", new URL("http://localhost/ui/"));
  vi.stubGlobal("addEventListener", () => undefined);
  // By a name that the compiler does not follow: the console has settings of its own.
  const file = resolve(import.meta.dirname, "../../console/src/screens/all.ts");
  const { SCREENS } = (await import(file)) as { SCREENS: readonly Declared[] };
  const routes = SCREENS.flatMap(({ place, pages }) => pages.map(({ path }) => `${BELOW[place]}${path}`));
  const parameters = (route: string) => route.split("$").length;
  return routes
    .map((route) => route.replace(/\/$/, ""))
    .toSorted((one, other) => parameters(one) - parameters(other))
    .map((route) => ({ route, pattern: new RegExp(`^${route.replaceAll(/\$\w+/g, "[^/]+")}$`) }));
}
