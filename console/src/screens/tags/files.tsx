/** The tags of an organization as a file: taken away, or brought in after it was shown what that changes. */
import { Alert, Anchor, Button, FileInput, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { SERVER_ADDRESS } from "../../base/address.ts";
import { usePlace } from "../../base/place.ts";
import { Icon } from "../../kit/icons.tsx";
import { asLink, partsOf } from "../../kit/link.tsx";
import { notifyRefusal } from "../../kit/notify-refusal.tsx";
import { Card, Cards } from "../../kit/object-screen.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { Refusal } from "../../kit/refusal.tsx";
import { useMay } from "../../kit/rights.ts";
import { ImportPreview, type FilePreview } from "./import-preview.tsx";

type Mode = "merge" | "replace";

const TYPES = { csv: "text/csv", ndjson: "application/x-ndjson" } as const;

/** The screen of files. */
export function TagFiles() {
  const place = usePlace();
  const mayWrite = useMay({ resource: "organization", access: "write" });
  return (
    <section aria-label="Export and import">
      <PageHead
        title="Export and import"
        about="Tags, keys and values, reserved keys and rules, with the workspaces and projects that have them."
        up={{ to: place.path("tags"), title: "Tags" }}
      />
      <Cards>
        <Export />
        {mayWrite && <Import />}
      </Cards>
    </section>
  );
}

function Export() {
  const place = usePlace();
  const organization = place.organization ?? "";
  const save = useMutation({
    mutationFn: async (format: "csv" | "ndjson") => {
      const { body } = await place.client.request("exportTags", {
        path: { organization_name: organization },
        query: { format: format === "csv" ? "csv" : "jsonl" },
        timeout: 600_000,
      });
      // Lines of JSON that are but one line were read as JSON.
      const text = typeof body === "string" ? body : `${JSON.stringify(body)}\n`;
      download(`${organization}-tags.${format}`, new Blob([text], { type: TYPES[format] }));
    },
    onError: (error) => notifyRefusal(error, { title: "Not exported" }),
  });
  return (
    <Card title="Export">
      <Stack gap="sm">
        <Text size="sm">
          A spreadsheet reads the CSV; text that it would take for a formula has an apostrophe in front.
        </Text>
        <Group gap="xs">
          {(["csv", "ndjson"] as const).map((format) => (
            <Button
              key={format}
              variant="default"
              leftSection={<Icon name="down" size={14} />}
              loading={save.isPending && save.variables === format}
              onClick={() => save.mutate(format)}
            >
              {format === "csv" ? "CSV" : "Lines of JSON"}
            </Button>
          ))}
        </Group>
        <Text size="xs" c="dimmed" className="mono">
          tessera tag export --format csv --organization {organization}
        </Text>
      </Stack>
    </Card>
  );
}

function Import() {
  const { organization } = usePlace();
  const [file, setFile] = useState<File | null>(null);
  const [mode, setMode] = useState<Mode>("merge");
  const { preview, begin, again } = useImport(file, mode);
  const shown = (preview.data as { data: { attributes: FilePreview } } | undefined)?.data.attributes;
  return (
    <Card title="Import">
      <Stack gap="sm">
        <FileInput
          label="File"
          description="CSV, or lines of JSON"
          placeholder="Choose a file"
          accept=".csv,.ndjson,.jsonl,text/csv"
          value={file}
          onChange={(chosen) => {
            setFile(chosen);
            again();
          }}
        />
        <ModeField
          mode={mode}
          change={(next) => {
            setMode(next);
            again();
          }}
        />
        {shown !== undefined && <ImportPreview preview={shown} />}
        {preview.isError && <Refusal error={preview.error} />}
        {begin.isError && <Refusal error={begin.error} isWrite />}
        <Group gap="xs">
          <Button
            variant={shown === undefined ? "filled" : "default"}
            disabled={file === null}
            loading={preview.isPending}
            onClick={() => preview.mutate()}
          >
            Show what changes
          </Button>
          {shown !== undefined && (
            <Button loading={begin.isPending} onClick={() => begin.mutate()}>
              Import
            </Button>
          )}
        </Group>
        {mode === "replace" && (
          <Alert variant="outline" color="yellow" py={6} title="What the file does not have is taken away." />
        )}
        <Text size="xs" c="dimmed" className="mono">
          tessera tag import {file?.name ?? "FILE"} --mode {mode} --organization {organization}
        </Text>
        <Anchor size="xs" href={`${SERVER_ADDRESS}/openapi.json`}>
          The API’s document says what a file holds
        </Anchor>
      </Stack>
    </Card>
  );
}

function ModeField({ mode, change }: { mode: Mode; change: (mode: Mode) => void }) {
  return (
    <SegmentedControl
      aria-label="How it is imported"
      size="xs"
      value={mode}
      onChange={(next) => change(next === "replace" ? "replace" : "merge")}
      data={[
        { value: "merge", label: "Add and change" },
        { value: "replace", label: "Replace: take away, too" },
      ]}
    />
  );
}

/** Shows what an import would change, and begins it. */
function useImport(file: File | null, mode: Mode) {
  const place = usePlace();
  const navigate = useNavigate();
  const preview = useMutation({ mutationFn: async () => ask(true) });
  const begin = useMutation({
    mutationFn: async () => ask(false),
    onSuccess: (answer) => {
      const { id } = (answer as { data: { id: string } }).data;
      void navigate(asLink(partsOf(place.path("tag-jobs", id))));
    },
  });
  const ask = async (isPreview: boolean) => {
    if (file === null) throw new Error("no file is chosen");
    const { body } = await place.client.request("importTags", {
      path: { organization_name: place.organization ?? "" },
      query: { mode, ...(isPreview ? { preview: "true" } : {}) },
      body: await file.text(),
      headers: { "content-type": /\.csv$/i.test(file.name) ? TYPES.csv : TYPES.ndjson },
      timeout: 120_000,
      retries: 0,
    });
    return body as unknown;
  };
  /** Forgets the answers: they were about another file or mode. */
  const again = () => {
    preview.reset();
    begin.reset();
  };
  return { preview, begin, again };
}

function download(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
