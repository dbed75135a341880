/** Puts tags on workspaces that were selected by hand, or takes them off: one request for each of a few tags. */
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { usePlace } from "../../app/place.ts";
import { Icon } from "../../kit/icons.tsx";
import { CodePanel } from "../../kit/code-panel.tsx";
import { commandOf, send, type Plan } from "../../kit/plan.ts";
import { Refusal } from "../../kit/refusal.tsx";
import type { Selection } from "../../kit/selection.ts";
import { TagsByName } from "../tags/tags-by-name.tsx";
import { MoveDialog } from "./move.tsx";
import type { WorkspaceRow } from "./queries.ts";

/** Each is a request. More are found by what they have in common, and are a job. */
const MOST = 100;

type Action = "add" | "remove";
type Open = Action | "move";

/** The buttons and the dialog. */
export function BulkWorkspaces({ selection }: { selection: Selection<WorkspaceRow> }) {
  const [action, setAction] = useState<Open>();
  if (selection.isAll || selection.picked.length > MOST)
    return (
      <Text size="xs" c="dimmed" ml="auto">
        {selection.isAll
          ? "“Tag all found” above changes all that the search finds, and can be undone."
          : `At most ${MOST} by hand: search for what they have in common, then “Tag all found”.`}
      </Text>
    );
  const kept = selection.picked.filter(({ attributes }) => !attributes.permissions["can-manage-tags"]);
  if (kept.length > 0)
    return (
      <Text size="xs" c="dimmed" ml="auto">
        {kept.length === selection.picked.length
          ? "Your token may read these, not change them."
          : `Your token may not change ${kept.length} of these, such as ${kept[0]?.attributes.name ?? ""}.`}
      </Text>
    );
  return (
    <Group gap="xs" ml="auto">
      <Button variant="default" leftSection={<Icon name="plus" size={14} />} onClick={() => setAction("add")}>
        Add tags
      </Button>
      <Button variant="default" leftSection={<Icon name="close" size={14} />} onClick={() => setAction("remove")}>
        Remove tags
      </Button>
      <Button variant="default" leftSection={<Icon name="project" size={14} />} onClick={() => setAction("move")}>
        Move
      </Button>
      {action === "move" && <MoveDialog selection={selection} close={() => setAction(undefined)} />}
      {action !== undefined && action !== "move" && (
        <Dialog action={action} selection={selection} close={() => setAction(undefined)} />
      )}
    </Group>
  );
}

interface DialogProps {
  readonly action: Action;
  readonly selection: Selection<WorkspaceRow>;
  close(): void;
}

function Dialog({ action, selection, close }: DialogProps) {
  const place = usePlace();
  const queries = useQueryClient();
  const [names, setNames] = useState<readonly string[]>([]);
  const rows = selection.picked;
  const [first] = rows;
  const apply = useMutation({
    mutationFn: async () => {
      for (const { id } of rows) await send(planOf(action, id, names), place);
    },
    onSuccess: () => {
      notifications.show({ color: "teal", message: `Changed ${rows.length} workspaces` });
      selection.clear();
      close();
    },
    onSettled: async () => queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === "v2" }),
  });
  const title = `${action === "add" ? "Add tags to" : "Remove tags from"} ${rows.length} ${rows.length === 1 ? "workspace" : "workspaces"}`;
  return (
    <Modal opened onClose={close} title={title} size="lg">
      <Stack gap="md">
        <TagsByName label="Tags" value={names} onChange={setNames} />
        <Text size="sm" lineClamp={3}>
          {rows.map(({ attributes }) => attributes.name).join(", ")}
        </Text>
        {apply.isError && <Refusal error={apply.error} />}
        {names.length > 0 && first !== undefined && <CodePanel plan={planOf(action, first.id, names)} />}
        {rows.length > 1 && names.length > 0 && (
          <Text size="xs" c="dimmed">
            The code is that of the first one; the others follow in the same way.
          </Text>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" size="sm" onClick={close}>
            Cancel
          </Button>
          <Button size="sm" disabled={names.length === 0} loading={apply.isPending} onClick={() => apply.mutate()}>
            {action === "add" ? "Add" : "Remove"}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Tags that come on one workspace, or go from it. */
export function planOf(action: Action, workspace: string, names: readonly string[]): Plan {
  return {
    operation: action === "add" ? "addWorkspaceTags" : "removeWorkspaceTags",
    path: { workspace_id: workspace },
    body: { data: names.map((name) => ({ type: "tags", attributes: { name } })) },
    command: commandOf(["tag", action === "add" ? "attach" : "detach"], names, ["--workspace", workspace]),
  };
}
