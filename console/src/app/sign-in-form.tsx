/** The ways to sign in: single sign-on first, then a token, then a JWT. */
import { Alert, Button, Divider, PasswordInput, SegmentedControl, Stack, Text } from "@mantine/core";
import { useState, type SyntheticEvent } from "react";
import { Icon } from "../kit/icons.tsx";
import { later } from "../kit/later.tsx";
import { wordsOf } from "../kit/refusal.tsx";
import { BASE_PATH } from "../base/address.ts";
import { hasForm, keepForm } from "../base/kept-form.ts";
import { signIn, startOidc, type Credentials, type SignedOut, type SignInMethod } from "../base/session.ts";
import classes from "../kit/sign-in.module.css";
import * as texts from "../texts/app.ts";

const OtherMethod = later(async () => (await import("./other-method.tsx")).OtherMethod);
const JwtForm = later(async () => (await import("./jwt-form.tsx")).JwtForm);

/** The form by which one signs in; on its own page, or over a page whose session has ended. */
export function SignInForm({ session, isOver = false }: { session: SignedOut; isOver?: boolean }) {
  const { Methods = [] } = session;
  const buttons = Methods.filter(({ Type }) => Type === "oidc");
  const jwt = Methods.filter(({ Type }) => Type === "jwt");
  const [way, setWay] = useState("token");
  const [isOther, setOther] = useState(false);
  const isToken = way === "token" || jwt.length === 0;
  const { failure, isBusy, attempt } = useAttempt();
  const submit = (given: Credentials) => void attempt(async () => signIn(given));
  const leave = (method: SignInMethod) =>
    void attempt(async () => {
      const to = await startOidc(method, pathHere());
      keepForm();
      location.assign(to);
    });
  return (
    <Stack gap="md">
      <Providers methods={buttons} isBusy={isBusy} leave={leave} />
      {buttons.length > 0 && isOver && <Leaves />}
      {buttons.length > 0 && <Divider label={isOver ? texts.orStay : texts.or} />}
      {jwt.length > 0 && (
        <SegmentedControl
          size="xs"
          fullWidth
          value={way}
          onChange={setWay}
          data={[
            { value: "token", label: texts.token },
            { value: "jwt", label: texts.jwt },
          ]}
        />
      )}
      {isToken ? (
        <TokenForm isBusy={isBusy} submit={submit} failure={isOther ? undefined : failure} />
      ) : (
        <JwtForm methods={jwt} isBusy={isBusy} submit={submit} />
      )}
      <Button variant="subtle" size="xs" aria-expanded={isOther} onClick={() => setOther(!isOther)}>
        {texts.otherMethod}
      </Button>
      {isOther && (
        <OtherMethod
          isEnterprise={session.Edition !== "community"}
          isOver={isOver}
          isBusy={isBusy}
          submit={submit}
          leave={leave}
        />
      )}
      <Failure failure={isToken && !isOther ? undefined : failure} />
    </Stack>
  );
}

/** Tries to sign in, and keeps why that failed. */
function useAttempt() {
  const [failure, setFailure] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const attempt = async (act: () => Promise<unknown>) => {
    setBusy(true);
    setFailure(undefined);
    try {
      await act();
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return { failure, isBusy, attempt };
}

interface ProvidersProps {
  readonly methods: readonly SignInMethod[];
  readonly isBusy: boolean;
  leave(method: SignInMethod): void;
}

/** A button for each provider that one signs in at. */
function Providers({ methods, isBusy, leave }: ProvidersProps) {
  return methods.map((method) => (
    <Button
      key={nameOf(method)}
      size="sm"
      fullWidth
      disabled={isBusy}
      leftSection={<Icon name="method" />}
      onClick={() => leave(method)}
    >
      {texts.signInWith(nameOf(method))}
    </Button>
  ));
}

/** Reason of the failure. There from the beginning, so that it is read out; empty it has no place. */
function Failure({ failure }: { failure: unknown }) {
  const words = failure === undefined ? undefined : wordsOf(failure);
  return (
    <div aria-live="assertive" style={words === undefined ? { position: "absolute" } : undefined}>
      {words !== undefined && (
        <Alert color="red" variant="outline" title={words.title}>
          {words.detail}
        </Alert>
      )}
    </div>
  );
}

/** A form that gives what one signs in with. */
export interface FormProps {
  readonly isBusy: boolean;
  submit(credentials: Credentials): void;
}

function TokenForm({ isBusy, submit, failure }: FormProps & { failure: unknown }) {
  const [secret, setSecret] = useState("");
  const send = (event: SyntheticEvent) => {
    event.preventDefault();
    submit({ SecretID: secret.replaceAll(/\s/g, "") });
  };
  return (
    <form onSubmit={send}>
      <Stack gap="sm">
        <PasswordInput
          wrapperProps={{ className: classes.secret }}
          error={failure !== undefined && <span role="alert">{lineOf(failure)}</span>}
          aria-invalid={failure !== undefined}
          label={texts.token}
          description={texts.secretIdHint}
          placeholder="00000000-0000-0000-0000-000000000000"
          value={secret}
          onChange={(event) => setSecret(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          required
          withAsterisk={false}
          data-autofocus
          autoFocus
        />
        <Button type="submit" size="sm" loading={isBusy} disabled={secret.trim() === ""}>
          {texts.signIn}
        </Button>
      </Stack>
    </form>
  );
}

/** Title and cause of a failure in one line, as the message of a field. */
function lineOf(failure: unknown): string {
  const { title, detail } = wordsOf(failure);
  return detail === "" ? title : `${title}. ${detail}`;
}

/** Said over a page that a provider would take the place of. */
export function Leaves() {
  return (
    <Text size="xs" c="dimmed">
      {hasForm() ? texts.leavesForm : texts.leavesPage}
    </Text>
  );
}

/** Returns the display name of a method, or its name when it has none. */
export function nameOf({ DisplayName, Name }: SignInMethod): string {
  return DisplayName === undefined || DisplayName === "" ? Name : DisplayName;
}

function pathHere(): string {
  return location.pathname.startsWith(BASE_PATH) ? location.pathname + location.search : BASE_PATH;
}
