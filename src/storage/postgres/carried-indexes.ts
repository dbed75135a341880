import type { EngineTransaction } from "../database.ts";
import { raiseTableIndexes } from "../feed/touches.ts";

/**
 * Raises the indexes of tables for several writes in one transaction. Writes that follow each other mostly touch the same
 * tables, so what one of them has raised is left to the next: whoever looks after the commit sees the same.
 */
export interface CarriedIndexes {
  /**
   * To be called before the statements of a write are sent: what it does not raise itself is raised now, so that it finds
   * the indexes as the writes before it left them.
   *
   * @param names of the indexes that the write raises
   */
  move(names: readonly string[]): void;
  /** Takes over the raising of these, behind the statements of their write. */
  carry(names: readonly string[], index: number): void;
  /** Raises what is left. */
  flush(): void;
}

export function carryIndexes(write: EngineTransaction["write"]): CarriedIndexes {
  let carried: { names: readonly string[]; index: number } | undefined;

  function flush(): void {
    if (carried !== undefined) raiseTableIndexes(write, carried.names, carried.index);
    carried = undefined;
  }

  return {
    flush,
    move(names) {
      const isSame = carried?.names.length === names.length && carried.names.every((name) => names.includes(name));
      if (!isSame) flush();
    },
    carry(names, index) {
      if (names.length > 0) carried = { names, index };
    },
  };
}
