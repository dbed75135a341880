/** Puts tags on workspaces that were selected by hand, or takes them off. */
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { usePlace, type Place } from "../../base/place.ts";
import { Icon } from "../../kit/icons.tsx";
import { CodePanel } from "../../kit/code-panel.tsx";
import { send } from "../../kit/plan.ts";
import { Refusal } from "../../kit/refusal.tsx";
import type { Selection } from "../../kit/selection.ts";
import { TagsByName } from "../tags/tags-by-name.tsx";
import { stepsOf, tagIdsQuery, type BulkAction, type Step } from "./bulk-plans.ts";
import { MoveDialog } from "./move.tsx";
import type { WorkspaceRow } from "./queries.ts";
import * as texts from "../../texts/workspaces.ts";

/** With a tag that is not there yet each is a request. More are found by what they have in common, and are a job. */
const MOST = 100;

type Open = BulkAction | "move";

/** The buttons and the dialog. */
export function BulkWorkspaces({ selection }: { selection: Selection<WorkspaceRow> }) {
  const [action, setAction] = useState<Open>();
  if (selection.isAll || selection.picked.length > MOST)
    return (
      <Text size="xs" c="dimmed" ml="auto">
        {selection.isAll ? texts.allSelected : texts.tooManySelected(MOST)}
      </Text>
    );
  const kept = selection.picked.filter(({ attributes }) => !attributes.permissions["can-manage-tags"]);
  if (kept.length > 0)
    return (
      <Text size="xs" c="dimmed" ml="auto">
        {kept.length === selection.picked.length
          ? texts.noneWritable
          : texts.someNotWritable(kept.length, kept[0]?.attributes.name ?? "")}
      </Text>
    );
  return (
    <Group gap="xs" ml="auto">
      <Button variant="default" leftSection={<Icon name="plus" size={14} />} onClick={() => setAction("add")}>
        {texts.addTags}
      </Button>
      <Button variant="default" leftSection={<Icon name="close" size={14} />} onClick={() => setAction("remove")}>
        {texts.removeTags}
      </Button>
      <Button variant="default" leftSection={<Icon name="project" size={14} />} onClick={() => setAction("move")}>
        {texts.move}
      </Button>
      {action === "move" && <MoveDialog selection={selection} close={() => setAction(undefined)} />}
      {action !== undefined && action !== "move" && (
        <Dialog action={action} selection={selection} close={() => setAction(undefined)} />
      )}
    </Group>
  );
}

interface DialogProps {
  readonly action: BulkAction;
  readonly selection: Selection<WorkspaceRow>;
  close(): void;
}

/** Requests of which one was refused; those before it stay done. */
class PartlyDone extends Error {
  readonly done: readonly string[];
  readonly left: readonly string[];

  constructor(cause: unknown, steps: readonly Step[], at: number) {
    super(texts.stoppedByError, { cause });
    const words = steps.map((step) => step.of);
    this.done = words.slice(0, at);
    this.left = words.slice(at);
  }
}

async function sendAll(steps: readonly Step[], place: Place): Promise<void> {
  for (const [at, { plan }] of steps.entries()) {
    try {
      await send(plan, place);
    } catch (error) {
      throw new PartlyDone(error, steps, at);
    }
  }
}

function Dialog({ action, selection, close }: DialogProps) {
  const place = usePlace();
  const queries = useQueryClient();
  const [names, setNames] = useState<readonly string[]>([]);
  const rows = selection.picked;
  const ids = useQuery(tagIdsQuery(place, names));
  const steps = names.length === 0 || ids.data === undefined ? [] : stepsOf(action, rows, names, ids.data);
  const apply = useMutation({
    mutationFn: async () => sendAll(steps, place),
    onSuccess: () => {
      notifications.show({ color: "teal", message: texts.changedCount(rows.length) });
      selection.clear();
      close();
    },
    onSettled: async () => queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === "v2" }),
  });
  const title = action === "add" ? texts.addTitle(rows.length) : texts.removeTitle(rows.length);
  return (
    <Modal opened onClose={close} title={title} size="lg">
      <Stack gap="md">
        <TagsByName label={texts.tags} value={names} onChange={setNames} />
        <Text size="sm" lineClamp={3}>
          {rows.map(({ attributes }) => attributes.name).join(", ")}
        </Text>
        {ids.isError && <Refusal error={ids.error} retry={() => void ids.refetch()} />}
        {apply.isError && <Failure error={apply.error} />}
        {steps.length > 0 && <CodePanel plan={steps.map(({ plan }) => plan)} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" size="sm" onClick={close}>
            {texts.cancel}
          </Button>
          <Button size="sm" disabled={steps.length === 0} loading={apply.isPending} onClick={() => apply.mutate()}>
            {action === "add" ? texts.add : texts.remove}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Why it was refused, and what is changed all the same. */
function Failure({ error }: { error: Error }) {
  if (!(error instanceof PartlyDone)) return <Refusal error={error} isWrite />;
  return (
    <>
      <Refusal error={error.cause} isWrite />
      {error.done.length + error.left.length > 1 && (
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          {texts.partialResult(error.done, error.left)}
        </Text>
      )}
    </>
  );
}
