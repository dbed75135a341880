/**
 * Small bar charts whose bars are filters. Drawn by hand: uPlot takes 51 kB and draws on a canvas, which has no buttons, and the
 * library of Mantine's charts (Recharts) takes 686 kB.
 */
import { VisuallyHidden } from "@mantine/core";
import { useState, type KeyboardEvent, type PointerEvent } from "react";
import classes from "./bars.module.css";
import * as texts from "../texts/kit-graphs.ts";

interface BarPart {
  readonly title: string;
  readonly count: number;
  /** Color of the part. */
  readonly tone: "plain" | "quiet" | "danger";
}

export interface Bar {
  readonly id: string;
  readonly title: string;
  /** Text below the bar; empty for none. */
  readonly mark: string;
  readonly parts: readonly BarPart[];
  readonly isChosen: boolean;
}

interface BarsProps {
  readonly label: string;
  readonly bars: readonly Bar[];
  /** Chooses bars from one to another; without `isRange` they are the same. */
  choose(from: number, to: number): void;
  /** Whether several bars in a row can be chosen. */
  readonly isRange?: boolean;
}

/** Indexes of the first and the last bar that a pointer or the keyboard has reached, in the order of reaching them. */
type Range = readonly [from: number, to: number];

function ordered([from, to]: Range): Range {
  return [Math.min(from, to), Math.max(from, to)];
}

/** The focused bar, the range that is being chosen ([-1, -1] for none), and the handlers that change both. */
function useChoice({ bars, choose, isRange = false }: BarsProps) {
  const [at, setAt] = useState(0);
  const [range, setRange] = useState<Range | undefined>();
  const finish = (chosen: Range) => {
    setRange(undefined);
    choose(...ordered(chosen));
  };
  const press = (index: number) => (event: PointerEvent<HTMLButtonElement>) => {
    // A finger would keep the pointer on the first bar.
    if (event.currentTarget.hasPointerCapture(event.pointerId))
      event.currentTarget.releasePointerCapture(event.pointerId);
    setRange([index, index]);
  };
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const isBackward = getComputedStyle(event.currentTarget).direction === "rtl" ? "ArrowRight" : "ArrowLeft";
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    event.preventDefault();
    const next = Math.min(bars.length - 1, Math.max(0, at + (event.key === isBackward ? -1 : 1)));
    setRange(event.shiftKey && isRange ? [range?.[0] ?? at, next] : undefined);
    setAt(next);
    event.currentTarget.querySelectorAll("button")[next]?.focus();
  };
  const handlersOf = (index: number) => ({
    onFocus: () => setAt(index),
    onPointerDown: press(index),
    onPointerEnter: () => {
      if (range !== undefined && isRange) setRange([range[0], index]);
    },
    // A mouse and a key both click: keys have chosen a range before.
    onClick: () => finish(range ?? [index, index]),
    onPointerUp: () => {
      // A click is of one bar alone.
      if (range !== undefined && range[0] !== index) finish([range[0], index]);
    },
  });
  const leave = () => setRange(undefined);
  return { focused: at, range: range === undefined ? ([-1, -1] as const) : ordered(range), move, leave, handlersOf };
}

/** The chart, and a table of its numbers for screen readers. */
export function Bars(props: BarsProps) {
  const { label, bars } = props;
  const { focused, range, move, leave, handlersOf } = useChoice(props);
  const [first, last] = range;
  const most = Math.max(1, ...bars.map(totalOf));
  return (
    <figure className={classes.chart} aria-label={label}>
      {/* Its buttons have the focus. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div className={classes.bars} onKeyDown={move} onPointerLeave={leave}>
        {bars.map((bar, index) => (
          <button
            key={bar.id}
            type="button"
            className={classes.bar}
            tabIndex={index === Math.min(focused, bars.length - 1) ? 0 : -1}
            aria-label={sentenceOf(bar)}
            aria-pressed={bar.isChosen}
            title={sentenceOf(bar)}
            data-ranged={index >= first && index <= last}
            {...handlersOf(index)}
          >
            <Column bar={bar} most={most} />
          </button>
        ))}
      </div>
      <VisuallyHidden>
        <Numbers label={label} bars={bars} />
      </VisuallyHidden>
    </figure>
  );
}

/** The drawing of one bar. @param most the total of the highest bar */
function Column({ bar, most }: { readonly bar: Bar; readonly most: number }) {
  return (
    <>
      <span className={classes.column}>
        {bar.parts.map(({ title, count, tone }) => (
          <span key={title} data-tone={tone} style={{ height: `${(100 * count) / most}%` }} />
        ))}
      </span>
      <span className={classes.mark}>
        <bdi>{bar.mark}</bdi>
      </span>
    </>
  );
}

function Numbers({ label, bars }: Pick<BarsProps, "label" | "bars">) {
  return (
    <table>
      <caption>{label}</caption>
      <tbody>
        {bars.map((bar) => (
          <tr key={bar.id}>
            <th scope="row">{bar.title}</th>
            {bar.parts.map(({ title, count }) => (
              <td key={title}>{texts.part(title, count)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function totalOf({ parts }: Bar): number {
  return parts.reduce((sum, { count }) => sum + count, 0);
}

function sentenceOf({ title, parts }: Bar): string {
  return texts.bar(
    title,
    parts.map(({ title: what, count }) => texts.part(what, count)),
  );
}
