/** A change of many tags or workspaces: what it would touch, the same as code, then how far it is, and its undo. */
import { Alert, Button, Group, Loader, Modal, Stack, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { usePlace } from "../../base/place.ts";
import { CodePanel } from "../../kit/code-panel.tsx";
import { A } from "../../kit/link.tsx";
import { send } from "../../kit/plan.ts";
import { Refusal } from "../../kit/refusal.tsx";
import { JobActions } from "./actions.tsx";
import { PreviewText } from "./preview.tsx";
import { JobProgress } from "./progress.tsx";
import { isGoingOn, jobPlan, jobQuery, previewQuery, type JobAttributes } from "./queries.ts";
import * as texts from "../../texts/tag-jobs.ts";

interface JobDialogProps {
  readonly title: string;
  /** Attributes of the job; undefined while a required value is missing. */
  readonly attributes: JobAttributes | undefined;
  readonly isOpen: boolean;
  close(): void;
  /** When the job has ended, or was left to itself. */
  begun?(): void;
  readonly startLabel: string;
  readonly isDangerous?: boolean;
  /** Fields that the user completes before the start. */
  readonly children?: ReactNode;
}

/** The dialog of a job. */
export function JobDialog(props: JobDialogProps) {
  const { title, isOpen, close, begun } = props;
  const [id, setId] = useState<string>();
  const end = () => {
    close();
    if (id !== undefined) begun?.();
    setId(undefined);
  };
  return (
    <Modal opened={isOpen} onClose={end} title={title} size="lg">
      {id === undefined ? (
        <Asking {...props} close={end} begin={setId} />
      ) : (
        <Following id={id} show={setId} close={end} />
      )}
    </Modal>
  );
}

function Asking({
  attributes,
  close,
  begin,
  startLabel,
  isDangerous,
  children,
}: JobDialogProps & { begin: (id: string) => void }) {
  const place = usePlace();
  const queries = useQueryClient();
  const [settled] = useDebouncedValue(attributes, 250);
  const preview = useQuery(previewQuery(place, settled));
  const start = useMutation({
    mutationFn: async (asked: JobAttributes) => send(jobPlan(place, asked), place),
    onSuccess: (answer) => {
      begin((answer as { data: { id: string } }).data.id);
      void queries.invalidateQueries({
        predicate: ({ queryKey }) => queryKey[0] === "v2" && queryKey[2] === "tag-jobs",
      });
    },
  });
  const isNothing = preview.data?.changed === 0 && preview.data.complete;
  return (
    <Stack gap="md">
      {children}
      {attributes !== undefined && preview.isPending && (
        <Group gap="xs" role="status">
          <Loader size={14} />
          <Text size="sm">{texts.loadingPreview}</Text>
        </Group>
      )}
      {attributes !== undefined && preview.isError && <Refusal error={preview.error} />}
      {attributes !== undefined && preview.data !== undefined && <PreviewText preview={preview.data} />}
      {start.isError && <Refusal error={start.error} isWrite />}
      {attributes !== undefined && <CodePanel plan={jobPlan(place, attributes)} />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" size="sm" onClick={close}>
          {texts.cancel}
        </Button>
        <Button
          size="sm"
          color={isDangerous === true ? "red" : ""}
          loading={start.isPending}
          disabled={attributes === undefined || isNothing || preview.isError}
          onClick={() => attributes !== undefined && start.mutate(attributes)}
        >
          {startLabel}
        </Button>
      </Group>
    </Stack>
  );
}

function Following({ id, show, close }: { id: string; show: (id: string) => void; close: () => void }) {
  const place = usePlace();
  const job = useQuery(jobQuery(place, id));
  const isUndo = job.data?.attributes["undo-of"] !== null && job.data !== undefined;
  return (
    <Stack gap="md">
      {isUndo && <Text size="sm">{texts.undoHint}</Text>}
      {job.data !== undefined && <JobProgress job={job.data} />}
      {job.isError && <Refusal error={job.error} retry={() => void job.refetch()} />}
      {job.data !== undefined && isGoingOn(job.data) && (
        <Alert variant="outline" color="gray" py={6}>
          {texts.continuesHint} <A to={place.path("tag-jobs", id)}>{texts.openJob}</A>
        </Alert>
      )}
      <Group justify="flex-end" gap="xs">
        {job.data !== undefined && <JobActions job={job.data} undone={show} />}
        <Button size="sm" onClick={close} data-autofocus>
          {texts.close}
        </Button>
      </Group>
    </Stack>
  );
}
