import type * as values from "./values.ts";

/** An option of `tessera serve`; see `options.ts`. */
export interface Option extends values.OptionKind<unknown> {
  /** Flag without dashes, and key of the configuration file. */
  readonly name: string;
  /** Default value, in the syntax of the option. The default of a list is empty. */
  readonly default?: string;
  /** Whether the default is only for the help text: another place determines its meaning. */
  readonly isShownOnly?: true;
  readonly help: string;
}
