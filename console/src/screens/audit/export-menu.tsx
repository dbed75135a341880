/** All records that fit, as a file. */
import { Button, Menu } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { usePlace } from "../../base/place.ts";
import { download } from "../../kit/csv.ts";
import { Icon } from "../../kit/icons.tsx";
import { notifyRefusal } from "../../kit/notify-refusal.tsx";
import { makeFile } from "./files.ts";
import { operationOf, type Filters } from "./queries.ts";
import * as texts from "../../texts/audit.ts";

/** A browser makes a file of so many without trouble. */
const MOST = 200_000;

/** The menu. */
export function ExportMenu({ filters }: { filters: Filters }) {
  const place = usePlace();
  const [progress, setProgress] = useState(0);
  const run = useMutation({
    mutationFn: async (format: "jsonl" | "csv") => {
      setProgress(0);
      const { operation, path, query } = operationOf(place, filters);
      const headers = { accept: "application/x-ndjson" };
      const lines = place.client.lines(operation, { path, query, headers });
      return { ...(await makeFile({ lines, format, most: MOST, onProgress: setProgress })), format };
    },
    onSuccess({ blob, records, isCut, format }) {
      const of = place.organization ?? `${place.scope.partition}-${place.scope.namespace.replace("*", "all")}`;
      download(blob, `audit-${of}-${new Date().toISOString().slice(0, 10)}.${format}`);
      notifications.show({
        title: texts.exported(records),
        message: isCut ? texts.exportCut : texts.exportOrder,
        color: isCut ? "yellow" : "teal",
      });
    },
    onError: (error) => notifyRefusal(error, { title: texts.exportFailed }),
  });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" disabled={run.isPending} rightSection={<Icon name="down" size={13} />}>
          {run.isPending ? texts.exporting(progress) : texts.exportLabel}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => run.mutate("csv")}>{texts.exportCsv}</Menu.Item>
        <Menu.Item onClick={() => run.mutate("jsonl")}>{texts.exportJsonLines}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
