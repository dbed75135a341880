/** One object, wherever it comes from: files, this server, or another one. */
import { keyOf, pathOf, type Kind, type Where } from "./kinds.ts";
import type { Place } from "./problem.ts";
import { withoutEmpty, type Content } from "./shape.ts";

/** One object, as files declare it or as another server has it. */
export interface Declared {
  readonly kind: Kind;
  readonly key: string;
  readonly where: Where;
  /** Name that identifies the object in its home. Empty when the home has only one. */
  readonly name: string;
  /** As people read it, such as `default/default/web`. */
  readonly path: string;
  readonly content: Content;
  readonly labels: Readonly<Record<string, string>>;
  /** Undefined where it comes from no file. */
  readonly place: Place | undefined;
  /** Start of the rules of a policy: in a file of their own, or in the member that contains them. */
  readonly rulesPlace?: Place;
}

/** An object as a server has it. */
export interface Live extends Declared {
  /** Identifier of the object in its paths. */
  readonly id: string;
  /** Modify index of an object under `/v1`. */
  readonly index: number | undefined;
  /** Whether it is being deleted. */
  readonly isGoing: boolean;
}

/** Objects that are asked for: a kind of them in a home. @param has whether one of that key is wanted */
export interface Wanted {
  readonly kind: Kind;
  readonly where: Where;
  has(key: string): boolean;
}

/** An object that comes from no file has no labels. */
export function objectOf(kind: Kind, where: Where, name: string, content: Content): Declared {
  const kept = kind.isSparse === true ? withoutUnsaid(content) : withoutEmpty(content);
  const key = keyOf(kind.name, where, name);
  return { kind, key, where, name, path: pathOf(kind, where, name), content: kept, labels: {}, place: undefined };
}

/** Nothing is said of a member that is null. */
function withoutUnsaid(content: Content): Content {
  return Object.fromEntries(Object.entries(content).filter(([, value]) => value !== null));
}
