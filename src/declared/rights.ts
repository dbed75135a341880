/** Rights as answers of the server name them, in words. */
type Item = Readonly<Record<string, unknown>>;

/** Returns a right as text, such as `write service web… in namespace team`. */
export function rightText(right: Item): string {
  const text = (name: string) => (typeof right[name] === "string" ? right[name] : "");
  const end = (name: string) => (right[name] === true ? "…" : "");
  const segment = text("Segment") + end("Prefix");
  const place = ["Namespace", "Partition"].flatMap((name) => {
    const where = text(name) + end(`${name}Prefix`);
    return where === "" || where === "default" ? [] : [` in ${name.toLowerCase()} ${where}`];
  });
  return `${text("Access")} ${text("Resource")}${segment === "" ? "" : ` ${segment}`}${place.join("")}`;
}
