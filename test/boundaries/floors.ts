/**
 * The order of the program's rooms: a file imports from its own floor and from those below it. Rooms are folders of `src`,
 * or files directly in it. A feature has two floors: its `routes`, `render`, `schema` and `parameters` files know HTTP and
 * lie on the floor of routes; its other files (`service`, `store`) lie where the room stands.
 */
import { join } from "node:path";
import { existsSync, globSync, readFileSync } from "node:fs";
import { readSource } from "../budgets/source.ts";

/** Rooms from the bottom up. A room that is named twice lies where its longest name stands. */
export const FLOORS: readonly (readonly [floor: string, rooms: readonly string[]])[] = [
  [
    "pieces",
    [
      "go",
      "private-node.ts",
      "generated-function.ts",
      "metrics.ts",
      "in-turn.ts",
      "later-part.ts",
      "ids.ts",
      "errors.ts",
      "fold.ts",
      "refused.ts",
      "rights/scope.ts",
      "rights/rules/question.ts",
      "rights/rules/rule.ts",
      "rights/uuid.ts",
    ],
  ],
  [
    "callers",
    ["pools.ts", "callers.ts", "bounds.ts", "shared-pool.ts", "limits", "turns.ts", "work-places.ts", "list-work.ts"],
  ],
  ["engines", ["selectors", "templates", "rights/rules"]],
  ["storage", ["storage", "watch", "pieces.ts"]],
  ["settings", ["config", "config.ts"]],
  ["outside", ["outbound", "tracing"]],
  ["decisions", ["rights", "lists", "context.ts"]],
  ["records", ["tags/changes", "tags/changes/hooks/store.ts", "tags/changes/hooks/wanted.ts", "records", "owners.ts"]],
  ["access control", ["acl"]],
  ["identities", ["identities", "acl/login", "acl/auth-methods", "acl/binding-rules", "acl/bindings", "acl/trash"]],
  [
    "tenants",
    [
      "organizations",
      "projects/store.ts",
      "workspaces/store.ts",
      "tags/holders/bindings/tagged-store.ts",
      "attributes.ts",
    ],
  ],
  ["lists of records", ["audit", "tags/changes/pages.ts", "tags/changes/stream.ts"]],
  ["tags", ["tags/pool", "tags/rules", "tags/holders"]],
  ["holders of tags", ["organizations/service.ts", "projects", "workspaces", "state-consumers"]],
  ["tags of holders", ["tags/holders/workspace-tags/service.ts", "tags/holders/bindings/service.ts"]],
  ["work on tags", ["tags/files", "tags/jobs", "tags/changes/hooks"]],
  ["answers about rights", ["explain", "acl/checks", "policy-tests", "use"]],
  ["HTTP", ["http"]],
  ["backup", ["backup"]],
  ["routes", ["account", "authzen", "events", "overview", "status", "console", "v1-routes.ts"]],
  ["application", ["app.ts"]],
  ["command line", ["declared", "cli", "read-worker.ts", "main.ts"]],
];

/** Rooms that know only some of those below them. */
export const NARROW: readonly { readonly room: string; readonly knows: readonly string[] }[] = [
  // The commands for people use the client, and of the server nothing but one flag of V8.
  {
    room: "cli/client",
    knows: [
      "cli/client",
      "declared",
      "policy-tests",
      "config/version.ts",
      "config/client-variables.ts",
      "private-node.ts",
    ],
  },
  // Declared files are compared through the API; of the server they use three rules: of case, of names, and of the keys of owned objects.
  { room: "declared", knows: ["declared", "fold.ts", "acl/declarations/owned-keys.ts", "acl/kit/names.ts"] },
];

/** Rooms of the console, from the bottom up. */
export const CONSOLE_FLOORS: readonly string[] = ["texts", "base", "kit", "live", "screens", "app", "main.tsx"];

/** Files of a feature that know HTTP, by name. */
const OF_ROUTES =
  /(?:^|[/-])(?:routes|render|schema|parameters|move-routes|include|resource|operations|list-text|expanded)\.ts$/;
/** Floors whose files with such names are no features' routes. */
const WITHOUT_ROUTES: ReadonlySet<string> = new Set(["pieces", "engines", "storage", "HTTP"]);

const NUMBERS = new Map(FLOORS.map(([floor], number) => [floor, number]));
const ROOMS = FLOORS.flatMap(([floor, rooms]) => rooms.map((room) => ({ floor, room }))).toSorted(
  (one, other) => other.room.length - one.room.length,
);

/** @param file from `src`. @returns the number of its floor, from the bottom; undefined where it has no place */
export function floorOf(file: string): number | undefined {
  const place = ROOMS.find(({ room }) => isIn(file, room));
  if (place === undefined) return undefined;
  const own = NUMBERS.get(place.floor) ?? 0;
  const routes = NUMBERS.get("routes") ?? 0;
  return OF_ROUTES.test(file) && !WITHOUT_ROUTES.has(place.floor) ? Math.max(own, routes) : own;
}

/** @returns files of the program, from `src` */
export function programFiles(root: string): string[] {
  return globSync("**/*.ts", { cwd: join(root, "src"), exclude: ["**/*.test.ts"] }).toSorted();
}

/** @returns files that a file imports, from the same folder, and packages */
function importsOf(folder: string, file: string): readonly string[] {
  return readSource(file, readFileSync(join(folder, file), "utf8")).imports;
}

/** @returns each import that goes up, as "from → to", sorted */
export function upwardImports(root: string): string[] {
  return programFiles(root).flatMap((file) => {
    const own = floorOf(file) ?? Infinity;
    return importsOf(join(root, "src"), file)
      .filter((other) => (floorOf(other) ?? -1) > own)
      .map((other) => `${file} → ${other}`);
  });
}

/** @returns each import of a narrow room that it may not make, as "from → to", sorted */
export function importsOutOfNarrowRooms(root: string): string[] {
  return NARROW.flatMap(({ room, knows }) =>
    programFiles(root)
      .filter((file) => isIn(file, room))
      .flatMap((file) => {
        const others = importsOf(join(root, "src"), file).filter(
          (other) => floorOf(other) !== undefined && !knows.some((each) => isIn(other, each)),
        );
        return others.map((other) => `${file} → ${other}`);
      }),
  );
}

function isIn(file: string, room: string): boolean {
  return file === room || file.startsWith(`${room}/`);
}

/** @returns each import of the console that goes up, as "from → to", sorted */
export function upwardImportsOfConsole(root: string): string[] {
  const source = join(root, "console/src");
  const number = (file: string): number => CONSOLE_FLOORS.indexOf(file.split("/")[0] ?? "");
  return globSync("**/*.{ts,tsx}", { cwd: source, exclude: ["**/*.test.*"] })
    .toSorted()
    .flatMap((file) => {
      const own = number(file);
      // A room without a floor may be imported by none.
      const isUp = (other: string): boolean => own === -1 || number(other) > own || number(other) === -1;
      return importsOf(source, file)
        .filter((other) => isOfConsole(source, other) && isUp(other))
        .map((other) => `${file} → ${other}`);
    });
}

/** Packages, and files outside the console, have no floor in it. */
function isOfConsole(source: string, path: string): boolean {
  return !path.startsWith("..") && existsSync(join(source, path));
}
