/** Fields for identities and templated policies, for tokens and roles. */
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { usePlace } from "../base/place.ts";
import { EntryRows } from "./entry-rows.tsx";
import { templatesQuery } from "./templates-query.ts";
import * as texts from "../texts/kit-forms.ts";

/** Texts of one entry per line, as `form.getInputProps` gives them. */
interface LinesProps {
  readonly value?: string;
  onChange(value: string): void;
  readonly error?: ReactNode;
}

interface IdentityFieldsProps {
  readonly services: LinesProps;
  readonly nodes: LinesProps;
  readonly templates: LinesProps;
}

/** Fields for all kinds. */
export function IdentityFields({ services, nodes, templates }: IdentityFieldsProps) {
  const names = useQuery(templatesQuery(usePlace())).data?.map(({ TemplateName }) => TemplateName) ?? [];
  return (
    <>
      <EntryRows
        label={texts.serviceIdentities}
        singular={texts.serviceIdentity}
        columns={[
          { label: texts.serviceName, placeholder: texts.serviceNameExample },
          { label: texts.datacentersLabel, placeholder: texts.datacentersAll },
        ]}
        {...asRows(services)}
      />
      <EntryRows
        label={texts.nodeIdentities}
        singular={texts.nodeIdentity}
        columns={[
          { label: texts.nodeName, placeholder: texts.nodeNameExample },
          { label: texts.datacenter, placeholder: texts.datacenterExample },
        ]}
        {...asRows(nodes)}
      />
      <EntryRows
        label={texts.templatedPolicies}
        singular={texts.templatedPolicy}
        columns={[
          { label: texts.template, placeholder: texts.templateExample, choices: names },
          { label: texts.templateName, placeholder: texts.templateNameExample },
          { label: texts.datacentersLabel, placeholder: texts.datacentersAll },
        ]}
        {...asRows(templates)}
      />
    </>
  );
}

/** Lines with colons between the fields, as rows. Empty fields at the end have no colon. */
function asRows({ value = "", onChange, error }: LinesProps) {
  return {
    value: value === "" ? [] : value.split("\n").map((line) => line.split(":")),
    onChange: (rows: readonly (readonly string[])[]) => onChange(rows.map(lineOf).join("\n")),
    error,
  };
}

function lineOf(row: readonly string[]): string {
  return row
    .map((text) => text.replaceAll(/[:\n]/g, "").trim())
    .join(":")
    .replace(/:+$/, "");
}
