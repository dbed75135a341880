/** Reads protobuf's wire format: the fields of a message by their numbers, each as often as it is there. */

/** A varint or a fixed number, or the bytes of text or of a message. */
export type Field = bigint | Buffer;

export function readFields(bytes: Buffer): Map<number, Field[]> {
  const fields = new Map<number, Field[]>();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at++);
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new Error("a field is longer than its message");
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const wire = tag & 7;
    let value: Field;
    if (wire === 0) value = varint();
    else if (wire === 1) value = take(8).readBigUInt64LE();
    else if (wire === 2) value = take(Number(varint()));
    else if (wire === 5) value = BigInt(take(4).readUInt32LE());
    else throw new Error(`no such wire type: ${wire}`);
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value]);
  }
  return fields;
}

/** The messages of a field. */
export function messagesOf(fields: Map<number, Field[]>, number: number): Map<number, Field[]>[] {
  return (fields.get(number) ?? []).map((each) => readFields(each as Buffer));
}
