/**
 * Holders of tags: workspaces and projects hold tags of their organization's pool, flat or as keys with values. One entry says
 * all that differs between kinds of holders; `plan.ts` and `change.ts` work on any.
 */
import type { ChangeKind } from "../changes/record.ts";
import type { Reader, Transaction } from "../../storage/database.ts";
import type { TagPolicy, Verdict } from "../rules/enforce.ts";
import type { NamedTag, TagLink, TagUses } from "../pool/store.ts";
import type { LinkRequest } from "./request.ts";

/** Positions per commit index. They are enough for all tags that one transaction may add to a holder. */
export const POSITIONS_PER_INDEX = 1024;

/** An object that tags are put on or taken from. */
export interface Holder {
  id: string;
  organizationId: string;
  name: string;
}

/** Link of a holder to a tag that it does not hold. */
export const NOT_HELD: TagLink = { marks: 0, value: "", bindingId: "", boundAt: "" };

/** A workspace that tags are put on or taken from. */
export interface Carrier extends Holder {
  /** Its folded name. */
  nameKey: string;
  projectId: string;
}

/** A tag with how a holder held it and is to hold it; `marks` of 0 stand for not at all. */
export interface LinkDiff {
  /** Id of the tag. */
  id: string;
  name: string;
  before: TagLink;
  after: TagLink;
}

/** Links of one holder that change. */
export interface HeldChange<H extends Holder = Holder> {
  holder: H;
  diff: readonly LinkDiff[];
}

/** Link that a holder did not have. */
export interface AddedLink<H extends Holder> {
  holder: H;
  /** Id of the tag. */
  tag: string;
  /** Grows from one transaction to the next; the order of adding. */
  position: number;
  link: TagLink;
}

/** A planned write, as the rules of the organization judge it. */
export interface HeldWrite<H extends Holder = Holder> extends HeldChange<H> {
  /** Names that the request itself gives; a key with its value, a flat tag with undefined. */
  given: readonly { name: string; value: string | undefined }[];
  /** Id of what the holder lay in before, where it moves; empty for one that is being made. Undefined where it stays. */
  from?: string | undefined;
}

/** Everything that differs between one kind of holder and another. */
export interface HolderKind<H extends Holder> {
  /** As records of changes name it. */
  name: ChangeKind;
  /** One use of a tag by it, as the pool counts it. */
  use: TagUses;
  /** Whether it may hold flat tags beside keys. */
  hasFlatTags: boolean;

  /** Links of these holders to these tags, by the holder's id and the tag's. */
  findLinks(
    db: Reader,
    tags: readonly string[],
    holders: readonly string[],
  ): Promise<ReadonlyMap<string, ReadonlyMap<string, TagLink>>>;
  /**
   * Tags that the request names or would remove without naming them, each with the holder's link; the first of doubled ones
   * counts.
   *
   * @throws AppError `not_found` for an id that the organization lacks
   */
  findConcerned(tx: Transaction, holder: H, request: LinkRequest): Promise<NamedTag[]>;
  /** Everything that a holder holds. */
  listAll(tx: Transaction, holder: string): Promise<NamedTag[]>;
  /** Number of flat tags of a holder; 0 where so many more have room in any case, and nothing is counted. */
  countWhereCrowded(tx: Transaction, holder: string, more: number): Promise<number>;
  /** Keys that a holder inherits. */
  inheritedKeys(tx: Transaction, holder: H): Promise<ReadonlySet<string>>;
  /**
   * Ids of the holders that have no room for what they would gain.
   *
   * @param poolSize number of tags of the organization; Infinity where it is not known, and each is looked at
   */
  findFull(db: Reader, changes: readonly HeldChange<H>[], poolSize: number): Promise<Set<string>>;
  /** Judges writes of one organization, each by itself. */
  judge(db: Reader, policy: TagPolicy | undefined, writes: readonly HeldWrite<H>[]): Promise<Verdict>;

  insertAll(tx: Transaction, links: readonly AddedLink<H>[]): void;
  update(tx: Transaction, holder: string, tag: string, link: TagLink): void;
  /** Removes tags from one holder. */
  removeFromHolder(tx: Transaction, holder: string, tags: readonly string[]): void;
  /** Removes one tag from holders. */
  removeFromAll(tx: Transaction, tag: string, holders: readonly string[]): void;
}
