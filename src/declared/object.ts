/** One object, wherever it comes from: files, this server, or another one. */
import { keyOf, pathOf, type DeclaredKind, type Where } from "./kinds.ts";
import type { FilePlace } from "./problem.ts";
import { withoutEmpty, type FileContent } from "./shape.ts";

/** One object, as files declare it or as another server has it. */
export interface Declared {
  readonly kind: DeclaredKind;
  readonly key: string;
  readonly where: Where;
  /** Name that identifies the object in its home. Empty when the home has only one. */
  readonly name: string;
  /** As people read it, such as `default/default/web`. */
  readonly path: string;
  readonly content: FileContent;
  readonly labels: Readonly<Record<string, string>>;
  /** Undefined where it comes from no file. */
  readonly place: FilePlace | undefined;
  /** Start of the rules of a policy: in a file of their own, or in the member that contains them. */
  readonly rulesPlace?: FilePlace;
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
export interface WantedObjects {
  readonly kind: DeclaredKind;
  readonly where: Where;
  has(key: string): boolean;
}

/** An object that comes from no file has no labels. */
export function objectOf(kind: DeclaredKind, where: Where, name: string, content: FileContent): Declared {
  const kept = kind.isSparse === true ? withoutUnsaid(content) : withoutEmpty(content);
  const key = keyOf(kind.name, where, name);
  return { kind, key, where, name, path: pathOf(kind, where, name), content: kept, labels: {}, place: undefined };
}

/** Nothing is said of a member that is null. */
function withoutUnsaid(content: FileContent): FileContent {
  return Object.fromEntries(Object.entries(content).filter(([, value]) => value !== null));
}
