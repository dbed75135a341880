/** Dialogs for an ended session and for a session that another token replaced. */
import { Alert, Button, Group, Modal, Text } from "@mantine/core";
import type { SessionState, SignedOut } from "../base/session.ts";
import { SignInForm } from "./sign-in-form.tsx";
import * as texts from "../texts/app.ts";

/** Sign-in form over the page, which stays as it is. */
export function SignInAgain({ session }: { session: SignedOut }) {
  return (
    <Modal opened onClose={() => undefined} withCloseButton={false} title={texts.sessionEnded} size="sm">
      <Text size="sm" c="dimmed" mb="md">
        {texts.sessionEndedHint}
      </Text>
      <SignInForm session={session} isOver />
    </Modal>
  );
}

/** Notice that another window signed in with another token: a browser has one session for all its windows. */
export function SomebodyElse({ session, accept }: { session: SessionState; accept: () => void }) {
  const description = session.SignedIn ? session.Token.Description : undefined;
  return (
    // Only a button accepts the other token: a key pressed by habit does not.
    <Modal
      opened
      onClose={() => undefined}
      closeOnEscape={false}
      closeOnClickOutside={false}
      withCloseButton={false}
      title={texts.otherTokenTitle}
      size="sm"
    >
      <Alert color="yellow" variant="outline" mb="md">
        {texts.otherTokenWarning(description ?? "")}
      </Alert>
      <Group gap="xs">
        <Button onClick={accept} data-autofocus>
          {texts.continueWithToken}
        </Button>
        <Button variant="default" onClick={() => location.reload()}>
          {texts.reloadPage}
        </Button>
      </Group>
    </Modal>
  );
}
