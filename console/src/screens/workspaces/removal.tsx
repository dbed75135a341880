/** Deletes a workspace: one that is locked only after that was said. */
import { Alert, Button, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { usePlace } from "../../base/place.ts";
import { useCommands } from "../../kit/commands.ts";
import { DeleteDialog } from "../../kit/delete-dialog.tsx";
import { Icon } from "../../kit/icons.tsx";
import type { Plan } from "../../kit/plan.ts";
import type { WorkspaceRow } from "./queries.ts";
import * as texts from "../../texts/workspaces.ts";

/** The button and its dialog. */
export function Removal({ workspace: { id, attributes } }: { workspace: WorkspaceRow }) {
  const place = usePlace();
  const [isOpen, { open, close }] = useDisclosure(false);
  const { locked, "locked-reason": reason } = attributes;
  useCommands([{ title: texts.deleteCommand(attributes.name), icon: "trash", act: open }]);
  return (
    <>
      <Button variant="default" leftSection={<Icon name="trash" size={14} />} onClick={open}>
        {texts.deleteLabel}
      </Button>
      <DeleteDialog
        what={texts.workspaceNamed(attributes.name)}
        isOpen={isOpen}
        close={close}
        then={place.path("workspaces")}
        plan={locked ? forcedPlan(id) : safePlan(id)}
        typed={locked ? attributes.name : undefined}
      >
        {locked && (
          <Alert color="yellow" variant="outline" title={texts.lockedTitle}>
            {texts.deleteLockedWarning(reason)}
          </Alert>
        )}
        <Text size="sm">{texts.deleteWarning(attributes["tag-names"].length)}</Text>
      </DeleteDialog>
    </>
  );
}

/** Refused where somebody locks it in the meantime. */
function safePlan(id: string): Plan {
  return {
    operation: "safeDeleteWorkspace",
    path: { workspace_id: id },
    command: ["workspace", "delete", id, "--safe", "--yes"],
  };
}

function forcedPlan(id: string): Plan {
  return {
    operation: "deleteWorkspace",
    path: { workspace_id: id },
    command: ["workspace", "delete", id, "--yes"],
  };
}
