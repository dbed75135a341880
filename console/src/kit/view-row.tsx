/** One saved view in the menu of views. */
import { ActionIcon, Button, Group, Text, UnstyledButton } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import type { Scope } from "../base/address.ts";
import { clientOf } from "../base/client.ts";
import { Deniable } from "./denied.tsx";
import { Icon } from "./icons.tsx";
import classes from "./views.module.css";
import { notifyRefusal } from "./notify-refusal.tsx";
import { ViewEdit } from "./view-form.tsx";
import type { SavedView, ViewState } from "./view-state.ts";
import { deleteView } from "./views-query.ts";
import * as texts from "../texts/views.ts";

interface RowProps {
  readonly view: SavedView;
  readonly scope: Scope;
  /** State of the list now. */
  readonly state: ViewState;
  /** Whether the list is as the view shows it. */
  readonly isShown: boolean;
  /** Reason why the token may not change the view. */
  readonly denial: string | undefined;
  show(): void;
}

/** The view: a button that shows it, and buttons that change and delete it. */
export function ViewRow({ view, scope, state, isShown, denial, show }: RowProps) {
  const [doing, setDoing] = useState<"edit" | "delete">();
  const stop = () => setDoing(undefined);
  if (doing === "edit") return <ViewEdit view={view} scope={scope} state={state} close={stop} />;
  if (doing === "delete") return <DeleteQuestion view={view} scope={scope} close={stop} />;
  return (
    <div className={classes.row}>
      <UnstyledButton
        className={classes.name ?? ""}
        aria-label={`${texts.apply(view.Name)}${isShown ? `, ${texts.current}` : ""}`}
        aria-current={isShown}
        title={view.Name}
        onClick={show}
      >
        <bdi>{view.Name}</bdi>
        {isShown && <Icon name="check" size={14} />}
      </UnstyledButton>
      <Deniable reason={denial}>
        <ActionIcon variant="subtle" color="gray" aria-label={texts.edit(view.Name)} onClick={() => setDoing("edit")}>
          <Icon name="edit" size={14} />
        </ActionIcon>
      </Deniable>
      <Deniable reason={denial}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={texts.remove(view.Name)}
          onClick={() => setDoing("delete")}
        >
          <Icon name="trash" size={14} />
        </ActionIcon>
      </Deniable>
    </div>
  );
}

function DeleteQuestion({ view, scope, close }: { view: SavedView; scope: Scope; close: () => void }) {
  const queries = useQueryClient();
  const removal = useMutation({
    mutationFn: async () => deleteView(clientOf(scope), queries, view),
    onSuccess: () => notifications.show({ color: "teal", message: texts.removed(view.Name) }),
    onError: (error) => notifyRefusal(error, { title: texts.removeFailed(view.Name), isWrite: true }),
  });
  return (
    <Group gap="xs" py={6} role="group" aria-label={texts.removeQuestion(view.Name)}>
      <Text size="sm" style={{ overflowWrap: "anywhere" }}>
        {texts.removeQuestion(view.Name)}
      </Text>
      <Button color="red" size="compact-sm" loading={removal.isPending} onClick={() => removal.mutate()}>
        {texts.removeLabel}
      </Button>
      <Button variant="default" size="compact-sm" onClick={close} autoFocus>
        {texts.cancel}
      </Button>
    </Group>
  );
}
