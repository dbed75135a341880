/** A page of the console that is looked at. */
import type { Page } from "playwright-core";

export interface ListedPage {
  /** Of its picture. */
  readonly name: string;
  /** Below `/ui/`; parts in braces are of `Seeded`. */
  readonly path: string;
  /** Brings it into a state that is worth looking at. */
  prepare?(page: Page): Promise<void>;
}
