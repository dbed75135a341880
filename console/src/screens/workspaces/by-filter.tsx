/** Puts tags on all workspaces that the list is asked for, or takes them off. */
import { Button, SegmentedControl, Text } from "@mantine/core";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { Search } from "../../base/address.ts";
import { Icon } from "../../kit/icons.tsx";
import { askedOf } from "../../kit/filter.ts";
import { JobDialog } from "../tag-jobs/job-dialog.tsx";
import { filterText } from "../tag-jobs/words.ts";
import { TagsByName } from "../tags/tags-by-name.tsx";
import { fieldsOfAsked, filterOfFields } from "./filter.ts";
import { WORKSPACE_LIST } from "./list-of-workspaces.tsx";
import { useMayTagWorkspaces } from "./rights.ts";

/** The button and its dialog. */
export function ByFilter() {
  const [isOpen, setOpen] = useState(false);
  const { search, filters } = askedOf(WORKSPACE_LIST, useSearch({ strict: false }));
  const mayTag = useMayTagWorkspaces({ ...filters, ...(search === "" ? {} : { "search[name]": search }) });
  if (!mayTag) return null;
  return (
    <>
      <Button variant="default" leftSection={<Icon name="tag" size={14} />} onClick={() => setOpen(true)}>
        Tag all found
      </Button>
      {isOpen && <ByFilterDialog close={() => setOpen(false)} />}
    </>
  );
}

function ByFilterDialog({ close }: { close: () => void }) {
  const search = useSearch({ strict: false }) as Search;
  const [action, setAction] = useState<"add" | "remove">("add");
  const [names, setNames] = useState<readonly string[]>([]);
  const filter = { workspaces: filterOfFields(fieldsOfAsked(askedOf(WORKSPACE_LIST, search))) };
  const isAll = Object.keys(filter.workspaces).length === 0;
  return (
    <JobDialog
      title={action === "add" ? "Put tags on all that are found" : "Take tags off all that are found"}
      startLabel={action === "add" ? "Put on" : "Take off"}
      isOpen
      close={close}
      attributes={names.length === 0 ? undefined : { action, tags: names.map(tagOf), filter }}
    >
      <SegmentedControl
        size="xs"
        aria-label="What is done"
        value={action}
        onChange={(next) => setAction(next === "remove" ? "remove" : "add")}
        data={[
          { value: "add", label: "Put on" },
          { value: "remove", label: "Take off" },
        ]}
      />
      <TagsByName
        label="Tags"
        description="Names, or keys with values: env=prod. What the pool lacks is born."
        value={names}
        onChange={setNames}
      />
      <Text size="sm" style={{ whiteSpace: "pre-line", overflowWrap: "anywhere" }}>
        {isAll ? "On all workspaces of the organization." : `On ${filterText(filter)}`}
      </Text>
    </JobDialog>
  );
}

/** `env=prod` is a key with its value; a flat tag may not hold that sign in this field. */
function tagOf(text: string): { name: string; value?: string } {
  const at = text.indexOf("=");
  return at <= 0 ? { name: text } : { name: text.slice(0, at), value: text.slice(at + 1) };
}
