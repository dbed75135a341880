/** Objects of organizations as audit records show them: their columns in the spelling of the wire, without what is the server's own. */
import type { Transaction } from "../storage/database.ts";
import { secretsGiven, shower } from "../storage/proofs/shown.ts";
import type { Tables } from "../storage/tables/tables.ts";
import { objectChange, type RecordedObject } from "./changes.ts";

/** An object of an organization, or one itself. */
interface Named {
  id: string;
  name: string;
  organizationId?: string;
}

/** Puts on record what becomes of an object. @param before undefined for one that is made @param after for one that goes */
export type RecordApiWrite<R> = (tx: Transaction, before: R | undefined, after: R | undefined, action?: string) => void;

/** @param kind what records call it, such as `workspace` */
export function apiWriteRecorder<R extends Named>(table: keyof Tables, kind: string): RecordApiWrite<R> {
  const show = formOf(table);
  const given = secretsGiven(table);
  return (tx, before, after, action) => {
    const object = after ?? before;
    if (object === undefined) return;
    const { id: objectId, name, organizationId = objectId } = object;
    const secrets = before !== undefined && after !== undefined ? given(before, after) : [];
    const told = {
      ...(action === undefined ? {} : { action }),
      // A secret that replaces another one changes nothing that records show.
      ...(secrets.length > 0 && { "secrets-given": secrets }),
    };
    const entry = objectChange(
      { organizationId, kind, objectId, name, otherName: before?.name ?? name },
      show(before),
      show(after),
      told,
    );
    // As when only tags were changed, which have a record of their own.
    const isSame = action === undefined && secrets.length === 0 && entry.detail?.["changes"] === undefined;
    if (isSame) tx.unrecorded("nothing that is shown of it has changed");
    else tx.record(entry);
  };
}

function formOf(table: keyof Tables): (object: object | undefined) => RecordedObject {
  const show = shower(table);
  return (object) => object && show(object);
}
