/** Shape of the values that the identities of an auth method can hold. */
export type IdentityShape = TextShape | ListShape | MapShape | Structure;

export interface TextShape {
  readonly kind: "text";
}

/** A list of texts. */
export interface ListShape {
  readonly kind: "list";
}

/** Keys are anything, so a selector may ask for each; all values have one shape. */
export interface MapShape {
  readonly kind: "map";
  readonly values: TextShape | ListShape;
  /** The keys that there can be, where that is known: to ask for another is no mistake in form, and finds nothing. */
  readonly known?: ReadonlySet<string>;
}

/** The fields are known, so a selector that asks for another is a mistake. */
export interface Structure {
  readonly kind: "structure";
  readonly fields: ReadonlyMap<string, IdentityShape>;
}
