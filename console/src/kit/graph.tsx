/** Drawing of access: columns of names with lines between them, and a list of lists for keyboards and screen readers. */
import { VisuallyHidden } from "@mantine/core";
import { useMemo, type CSSProperties } from "react";
import { NODE_HEIGHT, placeGraph, type Graph, type PlacedNode } from "./graph-layout.ts";
import classes from "./graph.module.css";
import { Icon } from "./icons.tsx";
import { A } from "./link.tsx";
import * as texts from "../texts/kit-graphs.ts";

/** The drawing. */
export function AccessGraph({ graph }: { graph: Graph }) {
  const { columns, lines, height } = useMemo(() => placeGraph(graph), [graph]);
  return (
    <figure className={classes.graph} aria-label={graph.label}>
      <div className={classes.drawing} style={variables({ "--graph-height": `${height}px` })}>
        {/* The list says the same. */}
        <svg
          className={classes.lines}
          viewBox={`0 0 100 ${height}`}
          preserveAspectRatio="none"
          aria-hidden="true"
          focusable="false"
        >
          {lines.map(({ path, isDeciding }, index) => (
            <path key={index} d={path} data-deciding={isDeciding} vectorEffect="non-scaling-stroke" />
          ))}
        </svg>
        <ol className={classes.columns}>
          {columns.map(({ title, nodes, start, width }) => (
            <li
              key={title}
              className={classes.column}
              style={variables({ "--column-start": `${start}%`, "--column-width": `${width}%` })}
            >
              <p className={classes.title}>{title}</p>
              <ul className={classes.nodes}>
                {nodes.map((node) => (
                  <Node key={node.id} node={node} />
                ))}
              </ul>
            </li>
          ))}
        </ol>
      </div>
    </figure>
  );
}

function Node({ node }: { node: PlacedNode }) {
  const { icon, text, note, to, isDeciding = false, isAllowed, top, leadsTo } = node;
  const state = isAllowed === undefined ? undefined : isAllowed ? "allowed" : "denied";
  return (
    <li
      className={classes.node}
      style={variables({ "--node-top": `${top}px`, "--node-height": `${NODE_HEIGHT}px` })}
      data-deciding={isDeciding}
      data-state={state}
    >
      <Icon name={icon} size={15} />
      <span className={classes.texts}>
        <span className={classes.name} title={text}>
          {to === undefined ? <bdi>{text}</bdi> : <A to={to}>{<bdi>{text}</bdi>}</A>}
        </span>
        {note !== undefined && (
          <span className={classes.note} title={note}>
            {note}
          </span>
        )}
      </span>
      {isAllowed !== undefined && <VisuallyHidden>{isAllowed ? texts.allowed : texts.denied}</VisuallyHidden>}
      {isDeciding && <VisuallyHidden>{texts.deciding}</VisuallyHidden>}
      {leadsTo.length > 0 && <VisuallyHidden>{texts.leadsTo(leadsTo)}</VisuallyHidden>}
    </li>
  );
}

/** Variables of the style sheet: React's types have none. */
function variables(values: Readonly<Record<`--${string}`, string>>): CSSProperties {
  return values;
}
