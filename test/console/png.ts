/** Makes a picture of a screen small: with a palette, which a screen of few colours needs no more than. */
import { crc32, deflateSync, inflateSync } from "node:zlib";

/** Colours that a palette has. */
const MOST = 256;

/** Number of the most used colors, such as of grounds and letters, that the palette has exactly. */
const EXACT = 48;

/** Two colours as near as that, in the square of their distance, are taken for one. */
const ALIKE = 120;

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** @param png as the browser makes it: eight bits for each of red, green and blue */
export function withPalette(png: Buffer): Buffer {
  const { width, height, pixels } = pixelsOf(png);
  const counts = new Map<number, number>();
  for (const colour of pixels) {
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const byUse = [...counts].toSorted(([, one], [, other]) => other - one).map(([colour]) => colour);
  const palette = paletteOf(byUse);
  const places = new Map(byUse.map((colour) => [colour, nearest(colour, palette).index]));
  const indexed = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      indexed[y * (width + 1) + 1 + x] = places.get(pixels[y * width + x] ?? 0) ?? 0;
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", head),
    chunk("PLTE", colours),
    chunk("IDAT", deflateSync(indexed, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** The colours that are used most as they are, then those that are like none of them: a seldom one is a sign or a word. */
function paletteOf(byUse: readonly number[]): readonly number[] {
  const palette = byUse.slice(0, EXACT);
  for (const colour of byUse.slice(EXACT)) {
    if (palette.length === MOST) break;
    if (nearest(colour, palette).distance > ALIKE) palette.push(colour);
  }
  return palette;
}

function nearest(colour: number, palette: readonly number[]): { index: number; distance: number } {
  let found = { index: 0, distance: Infinity };
  for (const [index, each] of palette.entries()) {
    const red = (each >> 16) - (colour >> 16);
    const green = ((each >> 8) & 255) - ((colour >> 8) & 255);
    const blue = (each & 255) - (colour & 255);
    const distance = red * red + green * green + blue * blue;
    if (distance < found.distance) found = { index, distance };
  }
  return found;
}

/** The colours of all pixels, row by row. @throws Error unless it is a picture as the browser makes it */
function pixelsOf(png: Buffer): { width: number; height: number; pixels: Uint32Array } {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  if (!png.subarray(24, 29).equals(Buffer.from([8, 2, 0, 0, 0]))) throw new Error("not 24 bits of colour");
  const packed: Buffer[] = [];
  for (let at = SIGNATURE.length; at < png.length; at += png.readUInt32BE(at) + 12) {
    if (png.toString("latin1", at + 4, at + 8) === "IDAT")
      packed.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  const filtered = inflateSync(Buffer.concat(packed));
  const stride = width * 3;
  const rows = Buffer.alloc(height * stride);
  for (let y = 0; y < height; y += 1) {
    const filter = filtered[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x;
      const left = x < 3 ? 0 : (rows[at - 3] ?? 0);
      const above = y === 0 ? 0 : (rows[at - stride] ?? 0);
      const corner = x < 3 || y === 0 ? 0 : (rows[at - stride - 3] ?? 0);
      rows[at] = (filtered[y * (stride + 1) + 1 + x] ?? 0) + foretold(filter, left, above, corner);
    }
  }
  const pixels = new Uint32Array(width * height);
  for (let index = 0, at = 0; index < pixels.length; index += 1, at += 3) {
    pixels[index] = ((rows[at] ?? 0) << 16) | ((rows[at + 1] ?? 0) << 8) | (rows[at + 2] ?? 0);
  }
  return { width, height, pixels };
}

/** Value that a filter of PNG subtracts from a byte. */
function foretold(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  if (filter !== 4) return 0;
  const guess = left + above - corner;
  const [toLeft, toAbove, toCorner] = [left, above, corner].map((each) => Math.abs(guess - each)) as [
    number,
    number,
    number,
  ];
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}
