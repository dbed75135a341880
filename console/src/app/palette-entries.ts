/** Entries of the palette other than its search results: actions, places to switch to, and the fixed entries. */
import { useMantineColorScheme } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { IconName } from "../kit/icons.tsx";
import { useMayIn } from "../kit/rights.ts";
import { SCREENS } from "../screens/all.ts";
import { inOrganization, inScope } from "../base/address.ts";
import { clientOf } from "../base/client.ts";
import { SCHEMES } from "./color-scheme.tsx";
import { leave } from "./leave.ts";
import { rightOn } from "./screens.ts";
import { usePlace } from "../base/place.ts";
import { namespacesQuery, organizationsQuery, partitionsQuery } from "../base/place-queries.ts";
import { usePlaces } from "../kit/places.ts";
import { useTail } from "./scope-switch.tsx";
import { useSession } from "../base/session.ts";
import * as texts from "../texts/app.ts";

export interface Entry {
  readonly id: string;
  readonly title: string;
  readonly about?: string | undefined;
  readonly icon: IconName;
  /** Other words by which it is found. */
  readonly words?: string;
  /** Path to open, or a function to run. */
  readonly act: string | (() => void);
}

/** Maximum number of places of each kind. */
const MOST = 5;

/** Whether each word of a text is in it. */
export function matches({ title, about = "", words = "" }: Entry, text: string): boolean {
  const said = `${title} ${about} ${words}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => said.includes(word));
}

/** Actions of the screens that work from anywhere and that the token may do. */
export function useActions(): readonly Entry[] {
  const places = usePlaces();
  const { scope, organization } = places;
  const all = SCREENS.flatMap((screen) => (screen.actions ?? []).map((action) => ({ screen, action })));
  const may = useMayIn(
    scope,
    all.map(({ screen, action }) => rightOn(screen, action.right, places)),
  );
  return all.flatMap(({ screen: { place }, action: { title, path } }, index): Entry[] => {
    const [to = "", query] = path.split("?");
    const rest = query === undefined ? "" : `?${query}`;
    const parts = to.split("/");
    const entry = (act: string): Entry[] => [{ id: `action ${path}`, title, icon: "plus", act: `${act}${rest}` }];
    if (may[index] !== true) return [];
    if (place === "top") return entry(`/${to}`);
    // New objects need one namespace.
    if (place === "scope") return scope.namespace === "*" && parts.length > 1 ? [] : entry(inScope(scope, ...parts));
    return organization === undefined ? [] : entry(inOrganization(organization, ...parts));
  });
}

/** Scopes and organizations whose names contain the typed text, as links to the current list there. */
export function useSwitches(text: string): readonly Entry[] {
  const here = usePlace();
  const { scope } = usePlaces();
  const session = useSession();
  const inAccess = useTail("access", 2);
  const inTags = useTail("org", 1);
  const isAsked = text.trim() !== "";
  const hasScopes = isAsked && session?.Edition !== "community";
  const namespaces = useQuery({ ...namespacesQuery(scope.partition), enabled: hasScopes });
  const partitions = useQuery({ ...partitionsQuery(clientOf(undefined)), enabled: hasScopes });
  const organizations = useQuery({ ...organizationsQuery(clientOf(undefined)), enabled: isAsked });
  const isElsewhere = here.organization !== undefined;
  const kind = (icon: IconName, current: string | undefined, names: readonly string[], to: (name: string) => string) =>
    names
      .filter((name) => name !== current)
      .map((name): Entry => {
        const title = texts.switchTo(name === "*" ? texts.allNamespaces : `${icon} ${name}`);
        return { id: `switch ${icon} ${name}`, title, icon, words: "scope", act: to(name) };
      })
      .filter((entry) => matches(entry, text))
      .slice(0, MOST);
  if (!isAsked) return [];
  const { namespace, partition } = scope;
  const others = (partitions.data ?? []).map(({ Name }) => Name).filter((name) => name !== partition);
  return [
    ...kind(
      "namespace",
      isElsewhere ? undefined : namespace,
      hasScopes ? [...(namespaces.data ?? []).map(({ Name }) => Name), "*"] : [],
      (name) => inScope({ partition, namespace: name }, ...inAccess),
    ),
    ...kind("partition", undefined, hasScopes ? others : [], (name) =>
      inScope({ partition: name, namespace: "default" }, ...inAccess),
    ),
    ...kind(
      "organization",
      here.organization,
      (organizations.data ?? []).map(({ id }) => id),
      (name) => inOrganization(name, ...(inTags.length === 0 ? ["tags"] : inTags)),
    ),
  ];
}

/** Entries that are available on every screen. */
export function useConsoleEntries(help: () => void): readonly Entry[] {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const session = useSession();
  const schemes = SCHEMES.filter(({ value }) => value !== colorScheme).map(({ value, label }): Entry => ({
    id: `scheme ${value}`,
    title: texts.colorSchemeEntry(label.toLowerCase()),
    icon: value === "dark" ? "moon" : "sun",
    words: texts.colorSchemeKeywords,
    act: () => setColorScheme(value),
  }));
  const entries: Entry[] = [...schemes, { id: "help", title: texts.helpEntry, icon: "help", act: help }];
  if (session?.SignedIn !== true) return entries;
  const { AccessorID, Partition: partition = "default", Namespace: namespace = "default" } = session.Token;
  return [
    ...entries,
    {
      id: "own token",
      title: texts.ownTokenEntry,
      icon: "key",
      words: texts.ownTokenKeywords,
      act: inScope({ partition, namespace }, "tokens", AccessorID),
    },
    {
      id: "own permissions",
      title: texts.showPermissions,
      icon: "lock",
      words: texts.ownTokenKeywords,
      act: inScope({ partition, namespace }, "permissions"),
    },
    {
      id: "sign out",
      title: texts.signOut,
      about: session.Session.MadeByLogin ? texts.signOutDeletesToken : undefined,
      icon: "out",
      words: texts.signOutKeywords,
      act: () => void leave(),
    },
  ];
}
