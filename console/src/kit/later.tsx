/** Code that is fetched when it is first needed. */
import { Suspense, use, useSyncExternalStore, type ComponentType, type FunctionComponent, type ReactNode } from "react";
import { SERVER_ADDRESS } from "../base/address.ts";

/** Loads the code of a part of the console. */
export type Fetching<Props extends object> = () => Promise<ComponentType<Props>>;

/** A component that is not there yet. */
export type Later<Props extends object> = FunctionComponent<Props> & { readonly preload: () => Promise<void> };

/** Between two tries, in ms; each time twice as long. */
const SHORTEST_REST = 500;
const LONGEST_REST = 10_000;

let isOutdated = false;
const listeners = new Set<() => void>();

/** Whether the server has another console by now, so that what this one has not fetched yet cannot be had any more. */
export function useIsOutdated(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isOutdated,
  );
}

/**
 * A component whose code is fetched when it is first shown; until then `meanwhile` is in its place.
 *
 * A server that does not answer is asked again, and nothing is thrown: a page must not fall to pieces with what is written
 * in it because a message could not be shown.
 */
export function later<Props extends object>(fetching: Fetching<Props>, meanwhile?: ReactNode): Later<Props> {
  const Part = laterScreen(fetching);
  const Shown = (props: Props) => (
    <Suspense fallback={meanwhile}>
      <Part {...props} />
    </Suspense>
  );
  return Object.assign(Shown, { preload: Part.preload });
}

/** Loads the code of a whole screen. The router, or the component around it, shows a placeholder until then. */
export function laterScreen<Props extends object>(fetching: Fetching<Props>): Later<Props> {
  let part: ComponentType<Props> | undefined;
  let coming: Promise<void> | undefined;
  const preload = async () =>
    (coming ??= patiently(fetching).then((fetched) => {
      part = fetched;
    }));
  const Screen = (props: Props) => {
    if (part === undefined) use(preload());
    const Shown = part;
    return Shown === undefined ? null : <Shown {...props} />;
  };
  return Object.assign(Screen, { preload });
}

/**
 * Repeats a load of code until the server delivers it. Waits without a limit when the server no longer has this code; a
 * banner then tells so.
 */
export async function patiently<T>(act: () => Promise<T>): Promise<T> {
  for (let rest = SHORTEST_REST; ; rest = Math.min(rest * 2, LONGEST_REST)) {
    try {
      return await act();
    } catch (error) {
      // Errors of the code itself are thrown again.
      if (!isOfFetching(error)) throw error;
      await lookForAnother();
      await new Promise((resolve) => setTimeout(resolve, rest));
    }
  }
}

/**
 * Checks whether an error is a failed load of code. Each browser words it differently, and Vite has its own text for
 * style sheets.
 */
function isOfFetching(error: unknown): boolean {
  const words = /dynamically imported module|importing a module script|unable to preload CSS/i;
  return error instanceof Error && words.test(error.message);
}

/** Whether the page that the server gives now begins with the script with which this one began. */
async function lookForAnother(): Promise<void> {
  const own = document.querySelector<HTMLScriptElement>("script[type=module][src]")?.src.split("/").at(-1);
  const page = await fetch(`${SERVER_ADDRESS}/ui/`, { cache: "no-store" })
    .then(async (answer) => (answer.ok ? answer.text() : ""))
    .catch(() => "");
  if (own === undefined || !page.includes('id="root"') || page.includes(own) || isOutdated) return;
  isOutdated = true;
  for (const listener of listeners) listener();
}
