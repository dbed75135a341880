/** Actions for a job: pause, resume, cancel, undo. */
import { Button, Group } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { usePlace } from "../../base/place.ts";
import { useCommands } from "../../kit/commands.ts";
import { Icon, type IconName } from "../../kit/icons.tsx";
import { notifyRefusal } from "../../kit/notify-refusal.tsx";
import { send } from "../../kit/plan.ts";
import { useMay } from "../../kit/rights.ts";
import { useSession } from "../../base/session.ts";
import { isGoingOn, type JobRow } from "./queries.ts";
import { titleOf } from "./words.ts";

type Verb = "pause" | "resume" | "cancel" | "undo";

const VERBS = {
  pause: { title: "Pause", icon: "clock", operation: "pauseTagJob" },
  resume: { title: "Go on", icon: "right", operation: "resumeTagJob" },
  cancel: { title: "Give up", icon: "close", operation: "cancelTagJob" },
  undo: { title: "Undo", icon: "history", operation: "undoTagJob" },
} as const satisfies Record<Verb, { title: string; icon: IconName; operation: string }>;

/** Buttons that the state of the job allows. `undone` receives the ID of the job that reverts it. */
export function JobActions({ job, undone }: { job: JobRow; undone: (id: string) => void }) {
  const place = usePlace();
  const session = useSession();
  const queries = useQueryClient();
  const isWriter = useMay({ resource: "organization", access: "write" });
  const isOwn = session?.SignedIn === true && session.Token.AccessorID === job.attributes["accessor-id"];
  const act = useMutation({
    mutationFn: async (verb: Verb) => {
      const { operation } = VERBS[verb];
      return send({ operation, path: { tag_job_id: job.id }, command: ["job", verb, job.id] }, place);
    },
    onSuccess: async (answer, verb) => {
      await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === "v2" });
      if (verb === "undo") undone((answer as { data: { id: string } }).data.id);
    },
    onError: (error) => notifyRefusal(error, { isWrite: true }),
  });
  const verbs = isWriter || isOwn ? verbsOf(job) : [];
  useCommands(
    verbs.map((verb) => {
      const { title, icon } = VERBS[verb];
      return { title: `${title}: ${titleOf(job)}`, icon, act: () => act.mutate(verb) };
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
          onClick={() => act.mutate(verb)}
        >
          {VERBS[verb].title}
        </Button>
      ))}
    </Group>
  );
}

function verbsOf(job: JobRow): readonly Verb[] {
  const { status, changed } = job.attributes;
  if (isGoingOn(job)) return ["pause", "cancel"];
  if (status === "paused") return ["resume", "cancel"];
  return changed > 0 ? ["undo"] : [];
}
