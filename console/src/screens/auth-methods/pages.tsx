/** The page and the forms of an auth method. */
import { Badge, Text } from "@mantine/core";
import { usePlace } from "../../base/place.ts";
import { CodeText } from "../../kit/code-text.tsx";
import { Icon } from "../../kit/icons.tsx";
import { KindCreate, KindEdit, KindObject } from "../../kit/kind-screens.tsx";
import { LinkButton } from "../../kit/link.tsx";
import { Card, Cards, Field, Fields } from "../../kit/object-screen.tsx";
import { useMay } from "../../kit/rights.ts";
import { AUTH_METHOD_KIND } from "./kind.tsx";
import { TYPES, type AuthMethod } from "./named.ts";

/** The screen of an auth method. */
export function AuthMethodObject() {
  return (
    <KindObject
      kind={AUTH_METHOD_KIND}
      about={({ Name, DisplayName }) => (DisplayName ? <span className="mono">{Name}</span> : undefined)}
      marks={({ Type }) => <Badge>{TYPES[Type]}</Badge>}
      tools={(method) => <NewRule method={method} />}
      overview={(method) => <Overview method={method} />}
    />
  );
}

/** The screen that makes one. */
export function AuthMethodCreate() {
  return <KindCreate kind={AUTH_METHOD_KIND} />;
}

/** The screen that changes one. */
export function AuthMethodEdit() {
  return <KindEdit kind={AUTH_METHOD_KIND} />;
}

function NewRule({ method }: { method: AuthMethod }) {
  const place = usePlace();
  if (!useMay({ resource: "acl", access: "write" })) return null;
  return (
    <LinkButton
      to={`${place.path("binding-rules", "new")}?method=${encodeURIComponent(method.Name)}`}
      variant="default"
      leftSection={<Icon name="plus" size={14} />}
    >
      New binding rule
    </LinkButton>
  );
}

function Overview({ method }: { method: AuthMethod }) {
  return (
    <Cards>
      <Card title="Configuration">
        <CodeText text={JSON.stringify(method.Config, undefined, 2)} what="the configuration" />
      </Card>
      <Card title="About it">
        <Fields>
          <Field name="Description">{method.Description}</Field>
          <Field name="Tokens live for">{method.MaxTokenTTL ?? "until somebody logs out"}</Field>
          <Field name="Tokens count">{method.TokenLocality}</Field>
          <Field name="Tokens lie in">
            {method.NamespaceRules?.map(({ BindNamespace, Selector = "" }, index) => (
              <div key={index}>
                {BindNamespace}
                {Selector !== "" && (
                  <Text span inherit c="dimmed">
                    {" when "}
                    <span className="mono">{Selector}</span>
                  </Text>
                )}
              </div>
            ))}
          </Field>
          <Field name="Namespace">{method.Namespace}</Field>
          <Field name="Partition">{method.Partition}</Field>
          <Field name="Index" hint="Of its last change">
            {method.ModifyIndex}
          </Field>
        </Fields>
      </Card>
    </Cards>
  );
}
