/** Changes of tags of the pool, as jobs: each says what it touches before it is begun. */
import { Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { JobDialog } from "../tag-jobs/job-dialog.tsx";
import type { JobAttributes } from "../tag-jobs/queries.ts";
import { WorkspaceFilterFields } from "../workspaces/filter-fields.tsx";
import { filterOfFields, NO_FILTER } from "../workspaces/filter.ts";

interface TagsDialogProps {
  /** Which tags. */
  readonly named: Pick<JobAttributes, "tags" | "filter">;
  /** Such as `3 tags`. */
  readonly words: string;
  readonly isOpen: boolean;
  close(): void;
  begun?(): void;
}

/** Merges tags into one. */
export function MergeDialog({ named, words, suggested, ...dialog }: TagsDialogProps & { suggested: string }) {
  const [typed, setTyped] = useState<string>();
  const to = (typed ?? suggested).trim();
  return (
    <JobDialog
      {...dialog}
      title={`Merge ${words}`}
      startLabel="Merge"
      attributes={to === "" ? undefined : { action: "merge", ...named, to }}
    >
      <TextInput
        label="Into"
        description="The tag that stays. It is made when there is none of this name."
        value={typed ?? suggested}
        onChange={(event) => setTyped(event.currentTarget.value)}
        data-autofocus
      />
      <Text size="sm">Whatever holds one of the others gets this one instead, with the value that it has.</Text>
    </JobDialog>
  );
}

/** Deletes tags, and takes them off whatever holds them. */
export function DeleteTagsDialog({ named, words, ...dialog }: TagsDialogProps) {
  return (
    <JobDialog
      {...dialog}
      title={`Delete ${words}?`}
      startLabel="Delete"
      isDangerous
      attributes={{ action: "delete", ...named }}
    >
      <Text size="sm">
        They are taken off all workspaces and projects, and leave the pool. For seven days this can be undone.
      </Text>
    </JobDialog>
  );
}

/** Puts tags on workspaces that a filter finds, or takes them off. */
export function AttachDialog({ named, words, ...dialog }: TagsDialogProps) {
  const [fields, setFields] = useState({ ...NO_FILTER, wildcard: "" });
  const [action, setAction] = useState<"add" | "remove">("add");
  return (
    <JobDialog
      {...dialog}
      title={action === "add" ? `Put ${words} on workspaces` : `Take ${words} off workspaces`}
      startLabel={action === "add" ? "Put on" : "Take off"}
      attributes={{ action, ...named, filter: { ...named.filter, workspaces: filterOfFields(fields) } }}
    >
      <WorkspaceFilterFields value={fields} onChange={setFields} action={action} onAction={setAction} />
    </JobDialog>
  );
}

/** Gives one tag another name, everywhere. */
export function RenameDialog({ name, ...dialog }: Omit<TagsDialogProps, "named" | "words"> & { name: string }) {
  const [typed, setTyped] = useState(name);
  const to = typed.trim();
  return (
    <JobDialog
      {...dialog}
      title={`Rename ${name}`}
      startLabel="Rename"
      attributes={to === "" || to === name ? undefined : { action: "rename", tags: [{ name }], to }}
    >
      <TextInput
        label="New name"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        data-autofocus
      />
    </JobDialog>
  );
}
