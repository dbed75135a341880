/** Drawing of the uses of a policy, a role or an auth method. */
import { Text } from "@mantine/core";
import { useMemo } from "react";
import { usePlace } from "../base/place.ts";
import { AccessGraph } from "./graph.tsx";
import type { NamedLink } from "./links.tsx";
import { Card } from "./object-screen.tsx";
import { graphOfMethod, graphOfPolicy, graphOfRole } from "./uses-graph.ts";
import type { UsesAnswer } from "./uses.tsx";
import * as texts from "../texts/kit-objects.ts";

interface DrawingProps {
  readonly of: "policy" | "role" | "auth-method";
  readonly id: string;
  readonly name: string;
  readonly uses: UsesAnswer;
  /** Policies of a role. */
  readonly links: readonly NamedLink[];
}

/** The card with the drawing, and the number of tokens at its end. */
export function UsesDrawing({ of, id, name, uses, links }: DrawingProps) {
  const place = usePlace();
  const graph = useMemo(() => {
    const drawn = { id, name, place };
    if (of === "policy") return graphOfPolicy(uses, drawn);
    return of === "role" ? graphOfRole(uses, drawn, links) : graphOfMethod(uses, drawn);
  }, [of, id, name, place, uses, links]);
  const through = uses.ThroughRoles;
  return (
    <Card title={texts.pathsTitle}>
      {through !== undefined && through.Count > 0 && (
        <Text size="sm" mb="sm">
          {texts.usesThrough(uses.Tokens?.Count ?? 0, uses.Roles?.Count ?? 0, through.Count, through.More === true)}
        </Text>
      )}
      <AccessGraph graph={graph} />
    </Card>
  );
}
