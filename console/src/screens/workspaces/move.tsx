/** Moves workspaces that were selected by hand into a project, all of them or none. */
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { usePlace } from "../../base/place.ts";
import { CodePanel } from "../../kit/code-panel.tsx";
import { send, type Plan } from "../../kit/plan.ts";
import { Refusal } from "../../kit/refusal.tsx";
import type { Selection } from "../../kit/selection.ts";
import { ProjectInput } from "../projects/project-input.tsx";
import type { WorkspaceRow } from "./queries.ts";
import * as texts from "../../texts/workspaces.ts";

/** The dialog. */
export function MoveDialog({ selection, close }: { selection: Selection<WorkspaceRow>; close: () => void }) {
  const place = usePlace();
  const queries = useQueryClient();
  const [project, setProject] = useState("");
  const rows = selection.picked;
  const move = useMutation({
    mutationFn: async () => send(movePlan(project, rows), place),
    onSuccess: async () => {
      notifications.show({
        color: "teal",
        message: texts.movedCount(rows.length),
      });
      await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === "v2" });
      selection.clear();
      close();
    },
  });
  return (
    <Modal opened onClose={close} title={texts.moveTitle(rows.length)} size="lg">
      <Stack gap="md">
        <ProjectInput placeholder={texts.chooseProject} value={project} onChange={setProject} />
        <Text size="sm" lineClamp={3}>
          {rows.map(({ attributes }) => attributes.name).join(", ")}
        </Text>
        <Text size="sm">{texts.moveHint}</Text>
        {move.isError && <Refusal error={move.error} isWrite />}
        {project !== "" && <CodePanel plan={movePlan(project, rows)} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" size="sm" onClick={close}>
            {texts.cancel}
          </Button>
          <Button size="sm" disabled={project === ""} loading={move.isPending} onClick={() => move.mutate()}>
            {texts.move}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function movePlan(project: string, rows: readonly WorkspaceRow[]): Plan {
  return {
    operation: "moveWorkspaces",
    path: { project_id: project },
    body: { data: rows.map(({ id }) => ({ type: "workspaces", id })) },
    command: ["project", "move-workspaces", project, ...rows.map(({ id }) => id)],
  };
}
