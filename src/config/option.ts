import type * as values from "./values.ts";

/** An option of `tessera serve`; see `options.ts`. */
export interface Option extends values.Kind<unknown> {
  /** Flag without dashes, and key of the configuration file. */
  readonly name: string;
  /** What counts where it is not given, as it could be written; a list that is not given is empty. */
  readonly default?: string;
  /** The default is for the help text alone: what it stands for is found out elsewhere. */
  readonly isShownOnly?: true;
  readonly help: string;
}
