/** The routes, made of what the screens declare. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  type AnyRoute,
  type LoaderFnContext,
} from "@tanstack/react-router";
import { laterScreen, patiently } from "../kit/later.tsx";
import { listQuery } from "../kit/list.ts";
import { ScreenError } from "../kit/screen-error.tsx";
import { ScreenPending } from "../kit/screen-pending.tsx";
import { SCREENS } from "../screens/all.ts";
import { BASE_PATH, type Search } from "../base/address.ts";
import { NotFound } from "./not-found.tsx";
import { placeOf } from "../base/place.ts";
import { queryClient } from "../base/queries.ts";
import { Root } from "./root.tsx";
import type { Loading, Page, Screen } from "../kit/screen.ts";
import { sessionQuery } from "../base/session.ts";
import * as texts from "../texts/app.ts";

const PREFIX = { scope: "/access/$partition/$namespace", organization: "/org/$organization", top: "" } as const;

const root = createRootRoute({ component: Root, notFoundComponent: NotFound, errorComponent: ScreenError });

function routeOf(screen: Screen, page: Page): AnyRoute {
  const path = `${PREFIX[screen.place]}/${page.path}`;
  return createRoute({
    getParentRoute: () => root,
    path: path.length > 1 ? path.replace(/\/$/, "") : path,
    component: laterScreen(page.view),
    loaderDeps: ({ search }: { search: Search }) => search,
    loader: async (context) => loadPage(page, context as unknown as Context),
    head: () => ({ meta: [{ title: texts.documentTitle(page.title) }] }),
  });
}

type Context = Pick<LoaderFnContext, "cause"> & { readonly params: unknown; readonly deps: unknown };

/** Loads the data of a page after sign-in. The page itself shows errors. */
async function loadPage(page: Page, { params, deps, cause }: Context): Promise<void> {
  const session = await queryClient.query({ ...sessionQuery, staleTime: "static" });
  if (!session.SignedIn || page.load === undefined) return;
  const given = params as Record<string, string>;
  const place = placeOf(given);
  const search = deps as Search;
  const loading: Loading = {
    place,
    params: given,
    search,
    read: async (options) => queryClient.query(options as never).catch(() => undefined),
    readList: async (list) => {
      const reading = queryClient.infiniteQuery(listQuery(list, place, search)).catch(() => undefined);
      // While the user types, the list stays visible: results replace it when they arrive, and navigation does not
      // wait.
      return cause === "stay" ? undefined : reading;
    },
  };
  await patiently(async () => page.load?.(loading));
}

/** A query as texts: `?q=prod&sort=-Name`. */
function parseSearch(text: string): Search {
  return Object.fromEntries(new URLSearchParams(text));
}

function stringifySearch(search: Record<string, unknown>): string {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== "");
  const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
  return text === "" ? "" : `?${text}`;
}

export const router = createRouter({
  routeTree: root.addChildren(SCREENS.flatMap((screen) => screen.pages.map((page) => routeOf(screen, page)))),
  basepath: BASE_PATH,
  parseSearch,
  stringifySearch,
  // Remounts forms when the address names another object: the text for one object is not shown or saved for the next
  // one.
  defaultRemountDeps: ({ params }) => params,
  defaultPreload: "intent",
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 150,
  defaultPendingMinMs: 200,
  defaultErrorComponent: ScreenError,
  defaultPendingComponent: ScreenPending,
  scrollRestoration: true,
});
