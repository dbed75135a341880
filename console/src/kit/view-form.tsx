/** Form that saves the state of a list as a view, and the form that changes a view. */
import { Button, Checkbox, Group, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import type { Scope } from "../base/address.ts";
import { clientOf } from "../base/client.ts";
import { notifyRefusal } from "./notify-refusal.tsx";
import type { SavedView, ViewState } from "./view-state.ts";
import { saveView } from "./views-query.ts";
import * as texts from "../texts/views.ts";

interface FormProps {
  /** Noun of the list. */
  readonly list: string;
  readonly scope: Scope;
  /** State of the list now. */
  readonly state: ViewState;
  /** Whether views can be shared, and the reason why not; undefined for lists of no namespace. */
  readonly sharing: { readonly denial: string | undefined } | undefined;
}

/** Saves the list as it is. */
export function ViewForm({ list, scope, state, sharing }: FormProps) {
  const [name, setName] = useState("");
  const [isShared, setShared] = useState(false);
  const queries = useQueryClient();
  const draft = { Name: name.trim(), List: list, Shared: isShared, ...state };
  const saving = useMutation({
    mutationFn: async () => saveView(clientOf(scope), queries, draft),
    onSuccess: () => {
      notifications.show({ color: "teal", message: texts.saved(draft.Name) });
      setName("");
      setShared(false);
    },
    onError: (error) => notifyRefusal(error, { title: texts.saveFailed(draft.Name), isWrite: true }),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (draft.Name !== "" && !saving.isPending) saving.mutate();
      }}
    >
      <Stack gap="xs">
        <TextInput
          label={texts.name}
          description={texts.about}
          size="xs"
          maxLength={100}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {sharing !== undefined && (
          <ShareBox scope={scope} denial={sharing.denial} isShared={isShared} share={setShared} />
        )}
        <Button type="submit" loading={saving.isPending} disabled={draft.Name === ""}>
          {texts.save}
        </Button>
      </Stack>
    </form>
  );
}

interface ShareProps {
  readonly scope: Scope;
  readonly denial: string | undefined;
  readonly isShared: boolean;
  share(isShared: boolean): void;
}

function ShareBox({ scope, denial, isShared, share }: ShareProps) {
  const box = (
    <Checkbox
      size="xs"
      label={texts.share(scope.namespace)}
      checked={isShared}
      disabled={denial !== undefined}
      onChange={(event) => share(event.currentTarget.checked)}
    />
  );
  if (denial === undefined) return box;
  return (
    <div>
      {box}
      <Text size="xs" c="dimmed">
        {denial}
      </Text>
    </div>
  );
}

interface EditProps extends Omit<FormProps, "list" | "sharing"> {
  readonly view: SavedView;
  close(): void;
}

/** Renames a view, and replaces its content where that is chosen. */
export function ViewEdit({ view, scope, state, close }: EditProps) {
  const [name, setName] = useState(view.Name);
  const [takesState, setTakesState] = useState(false);
  const queries = useQueryClient();
  const { Query, Sort, Columns, Density } = takesState ? state : view;
  const draft = { Name: name.trim(), List: view.List, Shared: view.Shared, Query, Sort, Columns, Density };
  const saving = useMutation({
    mutationFn: async () => saveView(clientOf(scope), queries, draft, view),
    onSuccess: close,
    onError: (error) => notifyRefusal(error, { title: texts.saveFailed(draft.Name), isWrite: true }),
  });
  return (
    <form
      aria-label={texts.edit(view.Name)}
      onSubmit={(event) => {
        event.preventDefault();
        if (draft.Name !== "" && !saving.isPending) saving.mutate();
      }}
    >
      <Stack gap="xs" pt={6} pb="md">
        <TextInput
          label={texts.name}
          size="xs"
          maxLength={100}
          autoFocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Checkbox
          size="xs"
          label={texts.takeState}
          checked={takesState}
          onChange={(event) => setTakesState(event.currentTarget.checked)}
        />
        <Group gap="xs">
          <Button type="submit" size="compact-sm" loading={saving.isPending} disabled={draft.Name === ""}>
            {texts.saveChanges}
          </Button>
          <Button variant="default" size="compact-sm" onClick={close}>
            {texts.cancel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
