/** An archive of small files, as `tar` reads it (ustar). */

const BLOCK = 512;

/** Puts files into an archive. Names are short and plain. */
export function tarOf(files: Readonly<Record<string, string>>, seconds: number): Buffer {
  const parts = Object.entries(files).flatMap(([name, text]) => {
    const content = Buffer.from(text);
    return [header(name, content.length, seconds), content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)];
  });
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

function header(name: string, size: number, seconds: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, "0")}\0`;
  block.write(name, 0, 100);
  block.write(octal(0o600, 8), 100);
  block.write(octal(0, 8), 108);
  block.write(octal(0, 8), 116);
  block.write(octal(size, 12), 124);
  block.write(octal(seconds, 12), 136);
  // The sum is taken with spaces in its own place.
  block.write("        0", 148);
  block.write("ustar\x0000", 257);
  block.write(
    `${octal(
      block.reduce((sum, byte) => sum + byte, 0),
      7,
    )} `,
    148,
  );
  return block;
}
