/** The page and the forms of an auth method. */
import { Badge, Text } from "@mantine/core";
import { usePlace } from "../../base/place.ts";
import { CodeText } from "../../kit/code-text.tsx";
import { Placed } from "../../kit/facts.tsx";
import { Icon } from "../../kit/icons.tsx";
import { KindCreate, KindEdit, KindObject } from "../../kit/kind-screens.tsx";
import { LinkButton } from "../../kit/link.tsx";
import { Card, Field, Fields, WithFacts } from "../../kit/object-screen.tsx";
import { useMay } from "../../kit/rights.ts";
import { useSearch } from "@tanstack/react-router";
import type { Search } from "../../base/address.ts";
import { effectiveTab } from "../effective/tab.tsx";
import { NewAuthMethod } from "./create.tsx";
import { useDefaultTtl } from "./default-ttl.ts";
import { AUTH_METHOD_KIND } from "./kind.tsx";
import { TYPES, type AuthMethod } from "./named.ts";
import * as texts from "../../texts/auth-methods.ts";

/** The screen of an auth method. */
export function AuthMethodObject() {
  return (
    <KindObject
      kind={AUTH_METHOD_KIND}
      typed={({ Name }) => Name}
      about={({ Name, DisplayName }) => (DisplayName ? <span className="mono">{Name}</span> : undefined)}
      marks={({ Type }) => <Badge>{TYPES[Type]}</Badge>}
      tools={(method) => <NewRule method={method} />}
      overview={(method) => <Overview method={method} />}
      tabs={({ Name }) => [effectiveTab({ "auth-method": Name })]}
    />
  );
}

/** The screen that makes one. */
export function AuthMethodCreate() {
  const { from } = useSearch({ strict: false }) as Search;
  return from === undefined ? <NewAuthMethod /> : <KindCreate kind={AUTH_METHOD_KIND} />;
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
      {texts.newBindingRule}
    </LinkButton>
  );
}

function Overview({ method }: { method: AuthMethod }) {
  const standard = useDefaultTtl(method.Type);
  return (
    <WithFacts
      facts={
        <Card title={texts.detailsTitle}>
          <Fields>
            <Field name={texts.description}>{method.Description}</Field>
            <Field name={texts.ttl}>
              {method.MaxTokenTTL ?? ((standard ?? texts.ttlDefault) || texts.neverExpires)}
            </Field>
            <Field name={texts.locality}>{method.TokenLocality}</Field>
            <Field name={texts.mapping}>
              {method.NamespaceRules?.map(({ BindNamespace, Selector = "" }, index) => (
                <div key={index}>
                  {BindNamespace}
                  {Selector !== "" && (
                    <Text span inherit c="dimmed">
                      {texts.mappingIf}
                      <span className="mono">{Selector}</span>
                    </Text>
                  )}
                </div>
              ))}
            </Field>
          </Fields>
          <Placed {...method} />
        </Card>
      }
    >
      <Card title={texts.configuration}>
        <CodeText text={JSON.stringify(method.Config, undefined, 2)} what={texts.configurationCopied} />
      </Card>
    </WithFacts>
  );
}
