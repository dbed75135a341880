/** The query of the address: texts only, so that it can be read and written by hand. */
export type Search = Readonly<Record<string, string>>;
