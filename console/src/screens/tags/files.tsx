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
import * as texts from "../../texts/tags.ts";
import { screenNames } from "../../texts/names.ts";

type Mode = "merge" | "replace";

const TYPES = { csv: "text/csv", ndjson: "application/x-ndjson" } as const;

/** The screen of files. */
export function TagFiles() {
  const place = usePlace();
  const mayWrite = useMay({ resource: "organization", access: "write" });
  return (
    <section aria-label={screenNames.tags.exportAndImport}>
      <PageHead
        title={screenNames.tags.exportAndImport}
        about={texts.filesHint}
        up={{ to: place.path("tags"), title: screenNames.tags.tags }}
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
    onError: (error) => notifyRefusal(error, { title: texts.exportFailed }),
  });
  return (
    <Card title={texts.exportLabel}>
      <Stack gap="sm">
        <Text size="sm">{texts.csvHint}</Text>
        <Group gap="xs">
          {(["csv", "ndjson"] as const).map((format) => (
            <Button
              key={format}
              variant="default"
              leftSection={<Icon name="down" size={14} />}
              loading={save.isPending && save.variables === format}
              onClick={() => save.mutate(format)}
            >
              {format === "csv" ? texts.csv : texts.jsonLines}
            </Button>
          ))}
        </Group>
        <Text size="xs" c="dimmed" className="mono">
          {texts.exportCommand(organization)}
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
    <Card title={texts.importLabel}>
      <Stack gap="sm">
        <FileInput
          label={texts.file}
          description={texts.fileHint}
          placeholder={texts.chooseAFile}
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
            {texts.preview}
          </Button>
          {shown !== undefined && (
            <Button loading={begin.isPending} onClick={() => begin.mutate()}>
              {texts.importLabel}
            </Button>
          )}
        </Group>
        {mode === "replace" && <Alert variant="outline" color="yellow" py={6} title={texts.replaceWarning} />}
        <Text size="xs" c="dimmed" className="mono">
          {`tessera tag import ${file?.name ?? "FILE"} --mode ${mode} --organization ${organization}`}
        </Text>
        <Anchor size="xs" href={`${SERVER_ADDRESS}/openapi.json`}>
          {texts.fileFormat}
        </Anchor>
      </Stack>
    </Card>
  );
}

function ModeField({ mode, change }: { mode: Mode; change: (mode: Mode) => void }) {
  return (
    <SegmentedControl
      aria-label={texts.importMode}
      size="xs"
      value={mode}
      onChange={(next) => change(next === "replace" ? "replace" : "merge")}
      data={[
        { value: "merge", label: texts.modeMerge },
        { value: "replace", label: texts.modeReplace },
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
    if (file === null) throw new Error(texts.fileMissing);
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
