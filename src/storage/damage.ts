import { StorageAway } from "../errors.ts";

/** Whatever was asked cannot be answered, since what it rests on is not what was written. */
export class StorageDamaged extends StorageAway {
  constructor(cause?: unknown) {
    super("storage is damaged", cause === undefined ? {} : { cause });
  }
}
