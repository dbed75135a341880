/** The keys, and where to read more. */
import { Anchor, Kbd, Modal, Stack, Table, Text } from "@mantine/core";
import * as texts from "../texts/app.ts";

const KEYS: readonly (readonly [string, string])[] = [
  [texts.paletteKeys, texts.paletteAction],
  ["?", texts.helpAction],
  ["/", texts.searchAction],
  [texts.rowKeys, texts.rowAction],
  [texts.endKeys, texts.endAction],
  ["Enter", texts.openAction],
  [texts.selectKeys, texts.selectAction],
  [texts.selectManyKeys, texts.selectManyAction],
  ["B", texts.bulkAction],
  ["F", texts.filterAction],
  ["D", texts.panelAction],
  ["E", texts.editAction],
  ["G T", texts.goToAction],
  [texts.saveKeys, texts.saveAction],
  ["Esc", texts.closeAction],
];

/** The dialog. */
export function HelpDialog({ close }: { close: () => void }) {
  return (
    <Modal opened onClose={close} title={texts.shortcutsTitle} size="md">
      <Stack gap="md">
        <Table verticalSpacing={6}>
          <Table.Tbody>
            {KEYS.map(([keys, what]) => (
              <Table.Tr key={keys}>
                <Table.Td w={150}>
                  {keys.split(" ").map((key, index) =>
                    key === "" || key === "or" ? (
                      ` ${key} `
                    ) : (
                      <Kbd key={`${key}${index}`} size="xs" mr={4}>
                        {key}
                      </Kbd>
                    ),
                  )}
                </Table.Td>
                <Table.Td>{what}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Text size="sm" c="dimmed">
          {texts.otherClients}
          <code>{texts.tessera}</code>
          {texts.otherClientsAnd}
          <Anchor href="../docs" inherit underline="always">
            {texts.api}
          </Anchor>
          {texts.otherClientsCode}
        </Text>
      </Stack>
    </Modal>
  );
}
