import { useState } from "react";
import { ListScreen } from "../../kit/list-screen.tsx";
import { TRASH_LIST } from "./list-of-trash.tsx";
import { RestoreContext, type TrashRow } from "./queries.ts";
import { RestoreDialog } from "./restore.tsx";

/** The screen of deleted objects. */
export function TrashList() {
  const [entry, setEntry] = useState<TrashRow>();
  return (
    <RestoreContext value={setEntry}>
      <ListScreen list={TRASH_LIST} />
      {entry !== undefined && <RestoreDialog key={entry.ID} entry={entry} close={() => setEntry(undefined)} />}
    </RestoreContext>
  );
}
