/** Actions for selected tags: merge, delete, add to workspaces, remove from workspaces. */
import { Button, Group, Text } from "@mantine/core";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { Search } from "../../base/address.ts";
import { Deniable } from "../../kit/denied.tsx";
import { askedOf } from "../../kit/filter.ts";
import { Icon } from "../../kit/icons.tsx";
import { useMay } from "../../kit/rights.ts";
import type { Selection } from "../../kit/selection.ts";
import { useMayTagWorkspaces } from "../workspaces/rights.ts";
import { namedOf } from "./filter.ts";
import { AttachDialog, DeleteTagsDialog, MergeDialog } from "./dialogs.tsx";
import { TAG_LIST } from "./list-of-tags.tsx";
import type { TagRow } from "./queries.ts";
import * as texts from "../../texts/tags.ts";

/** The buttons, and the dialog of the one that was pressed. */
export function BulkTags({ selection }: { selection: Selection<TagRow> }) {
  const search = useSearch({ strict: false }) as Search;
  const [open, setOpen] = useState<"merge" | "delete" | "add">();
  const mayWrite = useMay({ resource: "organization", access: "write" });
  const mayTag = useMayTagWorkspaces();
  const named = namedOf(selection, askedOf(TAG_LIST, search));
  if (typeof named === "string")
    return (
      <Text size="xs" c="dimmed" ml="auto">
        {named}
      </Text>
    );
  const words = selection.count === undefined ? texts.allTags : texts.tagCount(selection.count);
  const dialog = { named, words, close: () => setOpen(undefined), begun: selection.clear };
  const most = [...selection.picked].sort((a, b) => usesOf(b) - usesOf(a))[0];
  return (
    <Group gap="xs" ml="auto">
      {mayTag && (
        <Deniable reason={selection.isAll ? texts.addNeedsPicked : undefined}>
          <Button variant="default" leftSection={<Icon name="workspace" size={14} />} onClick={() => setOpen("add")}>
            {texts.addToWorkspaces}
          </Button>
        </Deniable>
      )}
      {mayWrite && (
        <>
          <Button variant="default" leftSection={<Icon name="rule" size={14} />} onClick={() => setOpen("merge")}>
            {texts.merge}
          </Button>
          <Button
            color="red"
            variant="outline"
            leftSection={<Icon name="trash" size={14} />}
            onClick={() => setOpen("delete")}
          >
            {texts.deleteLabel}
          </Button>
        </>
      )}
      <MergeDialog {...dialog} isOpen={open === "merge"} suggested={most?.attributes.name ?? ""} />
      <DeleteTagsDialog {...dialog} isOpen={open === "delete"} />
      <AttachDialog {...dialog} isOpen={open === "add"} />
    </Group>
  );
}

function usesOf({ attributes }: TagRow): number {
  return attributes["instance-count"] ?? 0;
}
