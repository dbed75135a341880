/** Fields for identities and templated policies, for tokens and roles. */
import { SimpleGrid, Textarea, type TextareaProps } from "@mantine/core";

interface IdentityFieldsProps {
  readonly services: TextareaProps;
  readonly nodes: TextareaProps;
  readonly templates: TextareaProps;
}

/** Fields for all kinds. Each takes the properties that `form.getInputProps` returns. */
export function IdentityFields({ services, nodes, templates }: IdentityFieldsProps) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Textarea
          label="Service identities"
          description="One in a line, with datacenters behind a colon."
          placeholder="web:dc1,dc2"
          {...ROWS}
          {...services}
        />
        <Textarea
          label="Node identities"
          description="One in a line, with its datacenter."
          placeholder="web-1:dc1"
          {...ROWS}
          {...nodes}
        />
      </SimpleGrid>
      <Textarea
        label="Templated policies"
        description="One in a line, with what fills its gap, and datacenters, behind colons."
        placeholder="builtin/service:web"
        {...ROWS}
        {...templates}
      />
    </>
  );
}

const ROWS = { autosize: true, minRows: 2, maxRows: 8 } as const;
