/** Asks before a job is undone, and shows what the undo changes. */
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { CodePanel } from "../../kit/code-panel.tsx";
import { JobChanges } from "./changes.tsx";
import { undoPlan, type JobRow } from "./queries.ts";
import { titleOf } from "./words.ts";
import * as texts from "../../texts/tag-jobs.ts";

/** Changes that the preview lists. */
const MOST = 20;

interface UndoDialogProps {
  readonly job: JobRow;
  readonly isPending: boolean;
  close(): void;
  undo(): void;
}

/** The dialog. */
export function UndoDialog({ job, isPending, close, undo }: UndoDialogProps) {
  return (
    <Modal opened onClose={close} title={texts.undoTitle(titleOf(job))} size="lg">
      <Stack gap="md">
        <Text size="sm">{texts.undoPreview(job.attributes.changed)}</Text>
        <JobChanges job={job} isUndo most={MOST} />
        <CodePanel plan={undoPlan(job.id)} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" size="sm" onClick={close} data-autofocus>
            {texts.cancel}
          </Button>
          <Button size="sm" loading={isPending} onClick={undo}>
            {texts.undoStart}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
