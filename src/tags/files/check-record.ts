/** Checks of the records of a file, in any format. */
import { fold } from "../../fold.ts";
import { invalid } from "../../errors.ts";
import { checkBindings, checkKey, type AddedBinding } from "../holders/bindings/keys.ts";
import { soughtName, tagName } from "../pool/names.ts";
import { MAX_FLAT_TAGS } from "../holders/change.ts";
import { POLICY_NAME, type FileRecord, type RecordKind } from "./records.ts";

/** Longer than any name that an object can have. */
const MAX_NAME = 255;

/** @throws AppError `invalid` when nothing can have the name */
export function checkName(kind: RecordKind, name: string): void {
  if (name === "") throw invalid("The name is missing");
  if (name.length > MAX_NAME) throw invalid(`The name is longer than ${MAX_NAME} characters`);
  if (!name.isWellFormed() || name.includes("\0")) throw invalid("The name contains invalid characters");
  if (kind === "reserved-tag-key") checkKey(name, "");
  if (kind === "tag-policy" && name !== POLICY_NAME) throw invalid(`The name of a tag-policy is ${POLICY_NAME}`);
}

/** A name of the pool in its stored form. @throws AppError `invalid` */
export function pooledName(name: string, isPinned: boolean): string {
  if (isPinned || soughtName(name) !== undefined) return tagName(name, "");
  // Keys are in the pool too, in their own case.
  checkKey(name, "");
  return name;
}

/** Collects what a workspace or a project carries, line by line. */
export class CarriedParts {
  private readonly found = new Set<string>();
  private readonly byKey = new Map<string, AddedBinding>();

  get tags(): string[] {
    return [...this.found];
  }

  get bindings(): AddedBinding[] {
    return [...this.byKey.values()];
  }

  /** @throws AppError `invalid`; what was collected before stays */
  addTag(name: string): void {
    const stored = tagName(name, "");
    if (!this.found.has(stored) && this.found.size >= MAX_FLAT_TAGS) {
      throw invalid(`A workspace can have at most ${MAX_FLAT_TAGS} tags`);
    }
    this.found.add(stored);
  }

  /** @throws AppError `invalid` */
  addBinding(binding: AddedBinding): void {
    checkBindings([binding], "");
    checkBindings([...this.byKey.values(), binding], "");
    this.byKey.set(binding.key, binding);
  }
}

/** Returns a key that only records of one object share. */
export function keyOfRecord({ kind, name }: FileRecord): string {
  return `${kind}/${kind === "workspace" || kind === "project" ? fold(name) : name}`;
}
