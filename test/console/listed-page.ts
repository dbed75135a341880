/** A page of the console that is looked at. */
import type { Page } from "playwright-core";

export interface ListedPage {
  /** Of its picture. */
  readonly name: string;
  /** Below `/ui/`; parts in braces are of `Seeded`. */
  readonly path: string;
  /** Of which a picture is kept, of both schemes or of one of them; a state that many screens have is only looked at. */
  readonly pictures?: "light" | "none";
  /** Brings it into a state that is worth looking at. */
  prepare?(page: Page): Promise<void>;
  /** Takes back what would change the next page. */
  leave?(page: Page): Promise<void>;
}

/** Whether a picture of a page is kept. */
export function isPictured({ pictures }: ListedPage, scheme: "light" | "dark"): boolean {
  return pictures === undefined || pictures === scheme;
}
