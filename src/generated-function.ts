/**
 * Makes a function from generated text: the only place that does. Objects of all rows of a query then share one shape, and
 * each is made in one step. Decision 43 has the figures.
 *
 * @param parameters names of its parameters
 * @param body text that consists of the program's own names, quoted by `JSON.stringify`; nothing from outside may get in
 */
export function generateFunction<F>(parameters: readonly string[], body: string): F {
  // oxlint-disable-next-line typescript/no-implied-eval -- see above
  return new Function(...parameters, body) as F;
}
