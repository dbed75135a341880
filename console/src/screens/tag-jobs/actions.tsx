/** Actions for a job: pause, resume, cancel, undo. */
import { Button, Group } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { usePlace } from "../../base/place.ts";
import { useCommands } from "../../kit/commands.ts";
import { Icon, type IconName } from "../../kit/icons.tsx";
import { notifyRefusal } from "../../kit/notify-refusal.tsx";
import { send } from "../../kit/plan.ts";
import { useMay } from "../../kit/rights.ts";
import { useSession } from "../../base/session.ts";
import { isGoingOn, type JobRow } from "./queries.ts";
import { UndoDialog } from "./undo-dialog.tsx";
import { titleOf } from "./words.ts";
import * as texts from "../../texts/tag-jobs.ts";

type Verb = "pause" | "resume" | "cancel" | "undo";

const VERBS = {
  pause: { title: texts.pause, icon: "clock", operation: "pauseTagJob" },
  resume: { title: texts.resume, icon: "right", operation: "resumeTagJob" },
  cancel: { title: texts.cancelJob, icon: "close", operation: "cancelTagJob" },
  undo: { title: texts.undo, icon: "history", operation: "undoTagJob" },
} as const satisfies Record<Verb, { title: string; icon: IconName; operation: string }>;

interface JobActionsProps {
  readonly job: JobRow;
  /** Receives the ID of the job that reverts it. */
  undone(id: string): void;
  /** Whether the changes are shown before an undo: not right after the job, whose preview the user has just seen. */
  readonly hasPreview?: boolean;
}

/** Buttons that the state of the job allows. */
export function JobActions({ job, undone, hasPreview = false }: JobActionsProps) {
  const place = usePlace();
  const session = useSession();
  const queries = useQueryClient();
  const isWriter = useMay({ resource: "organization", access: "write" });
  const isOwn = session?.SignedIn === true && session.Token.AccessorID === job.attributes["accessor-id"];
  const [isAsking, setAsking] = useState(false);
  const act = useMutation({
    mutationFn: async (verb: Verb) => {
      const { operation } = VERBS[verb];
      return send({ operation, path: { tag_job_id: job.id }, command: ["job", verb, job.id] }, place);
    },
    onSuccess: async (answer, verb) => {
      await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === "v2" });
      setAsking(false);
      if (verb === "undo") undone((answer as { data: { id: string } }).data.id);
    },
    onError: (error) => notifyRefusal(error, { isWrite: true }),
  });
  const start = (verb: Verb) => (verb === "undo" && hasPreview ? setAsking(true) : act.mutate(verb));
  const verbs = isWriter || isOwn ? verbsOf(job) : [];
  useCommands(
    verbs.map((verb) => {
      const { title, icon } = VERBS[verb];
      return { title: texts.command(title, titleOf(job)), icon, act: () => start(verb) };
    }),
  );
  if (verbs.length === 0) return null;
  return (
    <Group gap="xs">
      {verbs.map((verb) => (
        <Button
          key={verb}
          variant="default"
          loading={act.isPending && act.variables === verb}
          leftSection={<Icon name={VERBS[verb].icon} size={14} />}
          onClick={() => start(verb)}
        >
          {VERBS[verb].title}
        </Button>
      ))}
      {isAsking && (
        <UndoDialog
          job={job}
          isPending={act.isPending}
          close={() => setAsking(false)}
          undo={() => act.mutate("undo")}
        />
      )}
    </Group>
  );
}

function verbsOf(job: JobRow): readonly Verb[] {
  const { status, changed } = job.attributes;
  if (isGoingOn(job)) return ["pause", "cancel"];
  if (status === "paused") return ["resume", "cancel"];
  return changed > 0 ? ["undo"] : [];
}
