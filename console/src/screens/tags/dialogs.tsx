/** Changes of tags of the pool, as jobs: each says what it touches before it is begun. */
import { Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { JobDialog } from "../tag-jobs/job-dialog.tsx";
import type { JobAttributes } from "../tag-jobs/queries.ts";
import { WorkspaceFilterFields } from "../workspaces/filter-fields.tsx";
import { filterOfFields, NO_FILTER } from "../workspaces/filter.ts";
import * as texts from "../../texts/tags.ts";

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
      title={texts.mergeTitle(words)}
      startLabel={texts.merge}
      attributes={to === "" ? undefined : { action: "merge", ...named, to }}
    >
      <TextInput
        label={texts.mergeInto}
        description={texts.mergeTargetHint}
        value={typed ?? suggested}
        onChange={(event) => setTyped(event.currentTarget.value)}
        data-autofocus
      />
      <Text size="sm">{texts.mergeEffect}</Text>
    </JobDialog>
  );
}

/** Deletes tags, and takes them off whatever holds them. */
export function DeleteTagsDialog({ named, words, ...dialog }: TagsDialogProps) {
  return (
    <JobDialog
      {...dialog}
      title={texts.deleteTitle(words)}
      startLabel={texts.deleteLabel}
      isDangerous
      attributes={{ action: "delete", ...named }}
    >
      <Text size="sm">{texts.deleteWarning}</Text>
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
      title={action === "add" ? texts.addTitle(words) : texts.removeTitle(words)}
      startLabel={action === "add" ? texts.add : texts.remove}
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
      title={texts.renameTitle(name)}
      startLabel={texts.rename}
      attributes={to === "" || to === name ? undefined : { action: "rename", tags: [{ name }], to }}
    >
      <TextInput
        label={texts.newName}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        data-autofocus
      />
    </JobDialog>
  );
}
