/** Dialogs for an ended session and for a session that another token replaced. */
import { Alert, Button, Group, Modal, Text } from "@mantine/core";
import type { SessionState, SignedOut } from "../base/session.ts";
import { SignInForm } from "./sign-in-form.tsx";

/** Sign-in form over the page, which stays as it is. */
export function SignInAgain({ session }: { session: SignedOut }) {
  return (
    <Modal opened onClose={() => undefined} withCloseButton={false} title="Your session has ended" size="sm">
      <Text size="sm" c="dimmed" mb="md">
        Sign in to go on. By a token or a JWT nothing on this page is lost.
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
      title="You are somebody else now"
      size="sm"
    >
      <Alert color="yellow" variant="outline" mb="md">
        In this browser somebody has signed in with another token
        {description === undefined || description === "" ? "" : ` (${description})`}. Nothing was done with it from this
        page. What you do from now on is done by that one.
      </Alert>
      <Group gap="xs">
        <Button onClick={accept} data-autofocus>
          Go on as that one
        </Button>
        <Button variant="default" onClick={() => location.reload()}>
          Read the page anew
        </Button>
      </Group>
    </Modal>
  );
}
