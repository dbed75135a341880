/** Where identities are typed, of a token as of a role. */
import { SimpleGrid, Textarea, type TextareaProps } from "@mantine/core";

/** Both fields; each is given what `form.getInputProps` says. */
export function IdentityFields({ services, nodes }: { services: TextareaProps; nodes: TextareaProps }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Textarea
        label="Service identities"
        description="One in a line, with datacenters behind a colon."
        placeholder="web:dc1,dc2"
        autosize
        minRows={2}
        maxRows={8}
        {...services}
      />
      <Textarea
        label="Node identities"
        description="One in a line, with its datacenter."
        placeholder="web-1:dc1"
        autosize
        minRows={2}
        maxRows={8}
        {...nodes}
      />
    </SimpleGrid>
  );
}
