/** A page of the console that is looked at. */
import type { Page } from "playwright-core";

export interface ListedPage {
  /** Name of its picture. */
  readonly name: string;
  /** Below `/ui/`; parts in braces are of `Seeded`. */
  readonly path: string;
  /** The schemes of its pictures, both unless said; of a state that many screens have there are none. */
  readonly pictures?: "light" | "none";
  /** Brings it into a state that is worth looking at. */
  prepare?(page: Page): Promise<void>;
  /** Takes back what would change the next page. */
  leave?(page: Page): Promise<void>;
}

/** Whether a picture is made of a page. */
export function isPictured({ pictures }: ListedPage, scheme: "light" | "dark"): boolean {
  return pictures === undefined || pictures === scheme;
}
