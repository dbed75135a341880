/** The list of deleted objects. */
import { Button } from "@mantine/core";
import { useContext } from "react";
import { Actor } from "../../kit/actor.tsx";
import { namespaceColumn, textColumn } from "../../kit/cells.tsx";
import { choicesOf } from "../../kit/filter.ts";
import { localOf } from "../../kit/kind.ts";
import type { List } from "../../kit/list.ts";
import { wholeSource } from "../../kit/list-source.ts";
import { Time } from "../../kit/time.tsx";
import { RestoreContext, titleOf, type TrashRow } from "./queries.ts";
import * as texts from "../../texts/trash.ts";
import { screenNames } from "../../texts/names.ts";

/** Maximum number of entries that the server keeps. */
const MOST_LISTED = 1000;

export const TRASH_LIST: List<TrashRow> = {
  noun: "trash",
  singular: texts.singular,
  plural: texts.plural,
  title: screenNames.trash.plural,
  about: texts.about,
  belongsTo: "scope",
  source: (place) =>
    wholeSource(
      place.client,
      "listTrash",
      localOf<TrashRow>("Name", "Kind", "ObjectID", "DeletedBy", "DeleteTime", "ExpirationTime"),
      MOST_LISTED,
    ),
  id: ({ ID }) => ID,
  name: titleOf,
  columns: [
    textColumn<TrashRow>(texts.name, ({ Name, ObjectID = "" }) => (Name === "" ? ObjectID.slice(0, 8) : Name), {
      sort: "Name",
      width: "minmax(84px, 1.4fr)",
      isNarrow: true,
    }),
    textColumn<TrashRow>(texts.kind, ({ Kind }) => texts.kinds[Kind], {
      sort: "Kind",
      width: "92px",
      isNarrow: true,
      filter: { by: "kind", values: ({ Kind }) => [{ value: Kind }] },
    }),
    {
      id: "deleted-by",
      title: texts.deletedBy,
      width: "minmax(110px, 1fr)",
      cell: ({ DeletedBy }) => <Actor actor={{ AccessorID: DeletedBy }} />,
    },
    {
      id: "deleted",
      title: texts.deletedAt,
      sort: "DeleteTime",
      width: "130px",
      cell: ({ DeleteTime }) => <Time value={DeleteTime} />,
    },
    {
      id: "ends",
      title: texts.endsAt,
      sort: "ExpirationTime",
      width: "130px",
      cell: ({ ExpirationTime }) => <Time value={ExpirationTime} />,
    },
    namespaceColumn<TrashRow>(),
    {
      id: "restore",
      title: texts.restore,
      width: "80px",
      align: "end",
      isNarrow: true,
      cell: (row) => <RestoreButton entry={row} />,
    },
  ],
  filters: [
    {
      name: "kind",
      title: texts.kind,
      choices: choicesOf(texts.kinds),
      fits: ({ Kind }, kind) => Kind === kind,
    },
  ],
  empty: texts.emptyHint,
};

function RestoreButton({ entry }: { entry: TrashRow }) {
  const open = useContext(RestoreContext);
  return (
    <Button
      variant="default"
      size="compact-xs"
      onClick={() => open(entry)}
      aria-label={texts.restoreLabel(titleOf(entry))}
    >
      {texts.restore}
    </Button>
  );
}
