/** What is written in a form, over a sign-in at a provider, which takes the place of the page. It never leaves the browser's window. */

const KEY = "tessera-form";
/** For so long in ms: who has not come back from the provider by then begins anew. */
const KEPT_MS = 10 * 60_000;
/** Characters, of the few millions that a browser keeps of one origin. */
const MOST = 500_000;

/** What is to be there again. Plain data. */
export interface KeptForm {
  readonly values: unknown;
  /** What an edit began with; undefined for what is new. */
  readonly base: unknown;
}

let open: (() => KeptForm | undefined) | undefined;
let isLeaving = false;

/** The form of the page, of which there is one. @param read gives what is written in it; undefined for nothing @returns what ends that */
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

/** Keeps what is written, for the same address, and lets the page go. */
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

/** Whether the page goes with what is written in it kept. */
export function isFormKept(): boolean {
  return isLeaving;
}

/** What was kept for this address; undefined for nothing. */
export function keptForm(): KeptForm | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as (KeptForm & { path: string; at: number }) | null;
    const isOurs = kept?.path === location.pathname && Date.now() - kept.at < KEPT_MS;
    return isOurs ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** It is there again, or nobody wants it. */
export function dropForm(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // A browser without such storage keeps nothing.
  }
}
