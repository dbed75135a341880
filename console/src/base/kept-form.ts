/**
 * Keeps the contents of a form during a sign-in at an identity provider, which replaces the page. They never leave the
 * browser window.
 */

const KEY = "tessera-form";
/** Time in ms. The form is discarded when the user returns from the provider later than this. */
const KEPT_MS = 10 * 60_000;
/** Characters, of the few millions that a browser keeps of one origin. */
const MOST = 500_000;

/** Contents of a form to restore. Plain data. */
export interface KeptForm {
  readonly values: unknown;
  /** State on which an edit is based; undefined for a new object. */
  readonly base: unknown;
}

let open: (() => KeptForm | undefined) | undefined;
let isLeaving = false;

/**
 * Registers the form of the page; a page has at most one.
 *
 * @param read returns its contents; undefined for none
 * @returns removes the registration
 */
export function offerForm(read: () => KeptForm | undefined): () => void {
  open = read;
  return () => {
    if (open === read) open = undefined;
  };
}

/** Whether the page has a form with something in it. */
export function hasForm(): boolean {
  return open?.() !== undefined;
}

/** Keeps the contents for the current address, and allows the page to unload. */
export function keepForm(): void {
  const form = open?.();
  if (form === undefined) return;
  const text = JSON.stringify({ path: location.pathname, at: Date.now(), ...form });
  if (text.length > MOST) return;
  try {
    sessionStorage.setItem(KEY, text);
    isLeaving = true;
  } catch {
    // Without it the browser asks before it leaves.
  }
}

/** Whether the page unloads with the contents of its form kept. */
export function isFormKept(): boolean {
  return isLeaving;
}

/** Returns the contents kept for the current address; undefined when nothing is kept. */
export function keptForm(): KeptForm | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as (KeptForm & { path: string; at: number }) | null;
    const isOurs = kept?.path === location.pathname && Date.now() - kept.at < KEPT_MS;
    return isOurs ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** Deletes the kept contents: they are restored or no longer needed. */
export function dropForm(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // A browser without such storage keeps nothing.
  }
}
