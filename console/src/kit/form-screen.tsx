/** A form as a screen: its fields, what they change, and the same as code, all before anything is saved. */
import { Button, Stack } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { useHotkeys } from "@mantine/hooks";
import { TesseraError } from "@tessera-server/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useBlocker, useNavigate } from "@tanstack/react-router";
import { useDeferredValue, useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { dropForm, isFormKept, keptForm, offerForm } from "../base/kept-form.ts";
import { usePlace } from "../base/place.ts";
import { ReasonRequests, useChangeReason } from "./change-reason.tsx";
import { CodePanel } from "./code-panel.tsx";
import classes from "./form.module.css";
import { Lacking, Rereading, Restored, WhatChanges } from "./form-notes.tsx";
import { Leaving } from "./leaving.tsx";
import { Gone, useIsGone, type Reading } from "./gone.tsx";
import { A, asLink, partsOf } from "./link.tsx";
import { changedMembers, changesOf, isSame } from "./members.ts";
import { ownerIn } from "./owned.ts";
import { notifyDone } from "./notify-done.tsx";
import { PageHead } from "./page-head.tsx";
import { send, withReason, type Members, type Plan } from "./plan.ts";
import { Race } from "./race.tsx";
import { Refusal } from "./refusal.tsx";
import { useLacks, type Right } from "./rights.ts";
import * as texts from "../texts/kit-forms.ts";

/** State of an object on which an edit is based. */
export interface Edited<V> {
  readonly values: V;
  /** Version by which the server detects other changes: ModifyIndex, or an ETag. */
  readonly mark: string;
}

export interface FormScreenProps<V extends object> {
  readonly title: string;
  readonly about?: ReactNode;
  readonly up: { readonly to: string; readonly title: string };
  /** Permission required to save. */
  readonly write: Right;
  readonly initial: V;
  /** The object as it is known now; with it the form is an edit, and follows what others do to the object. */
  readonly edited?: Edited<V>;
  /** Contents with which an edit begins, when they are not those of the object. */
  readonly begin?: V;
  validate?(values: V): Partial<Record<keyof V & string, string>>;
  fields(form: UseFormReturnType<V>): ReactNode;
  /** Which values may hold a secret: the browser keeps them nowhere. */
  readonly secrets?: readonly (keyof V & string)[];
  /** Returns the API members for the values. */
  members(values: V): Members;
  /** Returns the write: all members of a new object, the changed members of an edit, over the state with this mark. */
  plan(members: Members, mark: string): Plan;
  /** Returns the writes that follow the creation of the object. */
  following?(values: V): readonly Plan[];
  /** Query that reads the object of an edit, and reads it again after a lost race. */
  readonly query?: Reading;
  /** The object as it is now: where nothing that the form has is another thing, the write is made over that. */
  fresh?(): Promise<Edited<V> | undefined>;
  /** The API has no condition for the write: what there is now is compared just before. */
  readonly isUnguarded?: boolean;
  /** Returns the object for the message after the write, such as `role web`, and its path where that is not opened next. */
  object?(answer: unknown, values: V): { readonly name: string; readonly path?: string };
  /** Returns the path to open next; undefined to stay, such as when a secret is shown first. */
  saved(answer: unknown, values: V): string | undefined;
  readonly saveLabel: string;
  /** Title of a failed save, with the object, such as `Could not save role web`. */
  readonly failed?: string;
  /** Content below the fields, such as the impact of the change. */
  extra?(values: V): ReactNode;
}

const LOSS = texts.goneInput;

/** The screen of a form. */
export function FormScreen<V extends object>(props: FormScreenProps<V>) {
  const { title, up, edited } = props;
  const { form, base, mark, theirs, isChanged, rebase, ...draft } = useDraft(props);
  const isEdit = edited !== undefined;
  const { reason, ...ask } = useChangeReason();
  const { save, isDone } = useSave(props, { mark, reason }, isEdit ? base.values : undefined);
  const isGone = useIsGone(props.query);
  const isRefused = useLacks(props.write);
  // Saving changes the object too, so the form's own write is not a change by others.
  const isOvertaken = theirs !== undefined && !save.isPending && !save.isSuccess;
  const blocker = useStaying(() => isChanged && !isDone());
  const submit = form.onSubmit((given) => {
    if (!isGone && !isRefused) ask.confirm(() => save.mutate(given));
  });
  useHotkeys([["mod + Enter", () => submit()]], []);
  const merge = (merged: V) => {
    rebase(merged);
    save.reset();
  };
  return (
    <section aria-label={title}>
      <PageHead title={title} about={props.about} up={up} />
      <div className={classes.layout}>
        <form className={classes.fields} onSubmit={submit} noValidate>
          {isRefused && <Lacking right={props.write} />}
          {draft.isRestored && <Restored hasSecrets={props.secrets !== undefined} />}
          <Stack gap="md">{props.fields(form)}</Stack>
          <ReasonRequests request={ask.request}>{props.extra?.(draft.values)}</ReasonRequests>
          {ask.input}
          <div className={classes.foot}>
            <SaveButton
              label={props.saveLabel}
              changes={isEdit && isChanged ? Object.keys(draft.changed).length : undefined}
              loading={save.isPending || ask.isWaiting}
              disabled={(isEdit && !isChanged) || isOvertaken || isGone || isRefused}
            />
            <BackButton to={up.to} />
          </div>
        </form>
        <div className={classes.side}>
          {isGone && props.query !== undefined && <GoneInput query={props.query} up={up.to} />}
          {save.isError && !isRace(save.error) && !isGone && (
            <Refusal error={save.error} isWrite failed={props.failed ?? texts.couldNotSave} />
          )}
          {save.isError && isRace(save.error) && !isOvertaken && <Rereading />}
          {isOvertaken && <Race base={base.values} theirs={theirs} mine={form.values} merge={merge} />}
          {isEdit && <WhatChanges changes={changesOf(draft.before, draft.after)} />}
          {(!isEdit || isChanged) && (
            <CodePanel
              plan={[withReason(props.plan(draft.changed, mark), reason), ...(props.following?.(draft.values) ?? [])]}
            />
          )}
        </div>
      </div>
      <Leaving blocker={blocker} />
    </section>
  );
}

/** @param changes number of changed members; undefined without changes, and for a new object */
function SaveButton(props: { label: string; changes: number | undefined; loading: boolean; disabled: boolean }) {
  const { label, changes, ...state } = props;
  return (
    <Button type="submit" size="sm" {...state}>
      {changes === undefined ? label : texts.saveLabel(label, changes)}
    </Button>
  );
}

function GoneInput({ query, up }: { query: Reading; up: string }) {
  return (
    <Gone query={query} loss={LOSS}>
      <A to={`${up}?tab=history`}>{texts.showHistory}</A>
    </Gone>
  );
}

/** Contents of the form, and how they differ from the state on which the edit is based. */
function useDraft<V extends object>(props: FormScreenProps<V>) {
  const { edited, members } = props;
  const kept = useKept<V>();
  // State on which the edit is based: others may change the object in the meantime.
  const [base, setBase] = useState<Edited<V>>(() => kept?.base ?? edited ?? { values: props.initial, mark: "" });
  const isEdit = edited !== undefined;
  const initial = isEdit ? base.values : props.initial;
  const form = useForm<V>({
    mode: "controlled",
    initialValues: kept === undefined ? (props.begin ?? initial) : { ...initial, ...kept.values },
    ...(props.validate === undefined ? {} : { validate: props.validate as never }),
    validateInputOnBlur: true,
  });
  const values = useDeferredValue(form.values);
  const before = useMemo(() => members(base.values), [base, members]);
  const after = useMemo(() => members(values), [values, members]);
  const changed = isEdit ? changedMembers(before, after) : after;
  const isChanged = !isSame(members(initial), members(form.values));
  useOffer(props, isChanged, form.values, isEdit ? base : undefined);
  const isMoved = isEdit && edited.mark !== base.mark;
  // Changes by others may touch no member of the form; a count is an example.
  const theirs = isMoved && !isSame(members(edited.values), before) ? edited.values : undefined;
  const mark = isMoved && theirs === undefined ? edited.mark : base.mark;
  const rebase = (merged: V) => {
    if (edited === undefined) return;
    setBase(edited);
    form.setValues(merged);
  };
  const isRestored = kept !== undefined;
  return { form, base, mark, theirs, values, before, after, changed, isChanged, isRestored, rebase };
}

/** Asks before the page is left, as long as something on it would be lost. */
function useStaying(isUnsaved: () => boolean) {
  return useBlocker({
    shouldBlockFn: isUnsaved,
    enableBeforeUnload: () => isUnsaved() && !isFormKept(),
    withResolver: true,
  });
}

/** Returns the contents that were kept here before a sign-in replaced the page. */
function useKept<V extends object>() {
  const [kept] = useState(() => keptForm() as { values: Partial<V>; base: Edited<V> | undefined } | undefined);
  useEffect(() => dropForm(), []);
  return kept;
}

/** Keeps the contents of the form during a sign-in that leaves the page. */
function useOffer<V extends object>(
  { secrets = [] }: Pick<FormScreenProps<V>, "secrets">,
  isChanged: boolean,
  values: V,
  base: Edited<V> | undefined,
): void {
  const latest = useRef<() => { values: unknown; base: unknown } | undefined>(() => undefined);
  useLayoutEffect(() => {
    const kept = Object.entries(values).filter(([name]) => !(secrets as readonly string[]).includes(name));
    latest.current = () => (isChanged ? { values: Object.fromEntries(kept), base } : undefined);
  });
  useEffect(() => offerForm(() => latest.current()), []);
}

function BackButton({ to }: { to: string }) {
  const navigate = useNavigate();
  return (
    <Button variant="default" size="sm" onClick={() => void navigate(asLink(partsOf(to)))}>
      {texts.cancel}
    </Button>
  );
}

function useSave<V extends object>(
  props: FormScreenProps<V>,
  { mark, reason }: { mark: string; reason: string },
  base: V | undefined,
) {
  const place = usePlace();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const done = useRef(false);
  const save = useMutation({
    mutationFn: async (values: V) => {
      const all = props.members(values);
      const write = (members: Members, at: string) => send(withReason(props.plan(members, at), reason), place);
      if (base === undefined) {
        const answer = await write(all, mark);
        for (const plan of props.following?.(values) ?? []) await send(plan, place);
        return answer;
      }
      const before = props.members(base);
      const changed = changedMembers(before, all);
      const isOther = (now: Edited<V>) => !isSame(props.members(now.values), before);
      if (props.isUnguarded === true) {
        const now = await props.fresh?.();
        if (now !== undefined && isOther(now)) throw new Overtaken(texts.conflictFound);
      }
      try {
        return await write(changed, mark);
      } catch (error) {
        const now = isRace(error) ? await props.fresh?.() : undefined;
        if (now === undefined || now.mark === mark || isOther(now)) throw error;
        return write(changed, now.mark);
      }
    },
    onSuccess: async (answer, values) => {
      done.current = true;
      await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === "v1" || queryKey[0] === "v2" });
      const to = props.saved(answer, values);
      const { name, path = to } = props.object?.(answer, values) ?? {};
      const text = base === undefined ? texts.createdObject(name) : texts.savedObject(name);
      notifyDone({ text, to: path, navigate });
      if (to !== undefined) void navigate(asLink(partsOf(to)));
    },
    onError: (error) => {
      if (isRace(error)) void props.query?.refetch();
    },
  });
  return { save, isDone: () => done.current };
}

/** Conflict that was detected before the write was sent. */
class Overtaken extends Error {}

/** Checks whether the write failed because the object has changed. */
function isRace(error: unknown): boolean {
  if (error instanceof Overtaken) return true;
  return (
    ownerIn(error) === undefined && error instanceof TesseraError && (error.status === 409 || error.status === 412)
  );
}
