/** Owners of objects: directories of declared files, as requests and jobs ask for them. */
import type { AuditEntry, Reader } from "./storage/database.ts";

/** Names an organization by its ID; undefined when it is gone. */
export type OrganizationName = (db: Reader, id: string) => Promise<string | undefined>;

/** An owner, and the partition that its declaration lies in: who may read declarations there may know its name. */
export interface DeclaredOwner {
  name: string;
  partition: string;
}

/** Finds owners, each once and in the order of what was written. @param written what a transaction has put on record */
export type FindOwners = (db: Reader, written: readonly AuditEntry[]) => Promise<DeclaredOwner[]>;

export interface Owners {
  /**
   * Returns a function that finds owners of objects that are written in a partition, or in none.
   *
   * @param organizationName returns names of organizations, when something may be written in one
   * @returns undefined when nothing is owned
   */
  near(
    partition: string,
    organizationName?: OrganizationName,
  ): Promise<FindOwners | undefined> | FindOwners | undefined;
}
