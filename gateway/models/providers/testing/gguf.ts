/** llama.cpp's model file format, version 3, as far as a small model needs it. */
export type GgufValue =
  | { flag: boolean }
  | { text: string }
  | { integer: number }
  | { float: number }
  | { texts: string[] }
  | { integers: number[] }
  | { floats: number[] };

export interface GgufTensor {
  name: string;
  /** The fastest dimension first. */
  shape: number[];
  values: Float32Array;
}

/** A tensor filled with one value. */
export function floats(shape: number[], value: number): Omit<GgufTensor, "name"> {
  return { shape, values: new Float32Array(shape.reduce((product, size) => product * size, 1)).fill(value) };
}

const version = 3;
const alignment = 32;
/** The format's codes for these types. */
const types = { uint32: 4, int32: 5, float: 6, flag: 7, text: 8, array: 9 };
const tensorOfFloats = 0;

const uint32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
const uint64 = (value: number) => Buffer.from(BigUint64Array.of(BigInt(value)).buffer);
const float32 = (value: number) => Buffer.from(Float32Array.of(value).buffer);
const text = (value: string) => Buffer.concat([uint64(Buffer.byteLength(value)), Buffer.from(value)]);
const aligned = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(-bytes.length & (alignment - 1))]);

export function ggufFile(metadata: [string, GgufValue][], tensors: GgufTensor[]): Buffer {
  const entries = metadata.map(([name, value]) => Buffer.concat([text(name), valueBytes(value)]));
  const data = tensors.map(({ values }) => aligned(Buffer.from(values.buffer)));
  let offset = 0;
  const descriptions = tensors.map(({ name, shape }, index) => {
    const at = offset;
    offset += data[index]?.length ?? 0;
    const sizes = shape.map(uint64);
    return Buffer.concat([text(name), uint32(shape.length), ...sizes, uint32(tensorOfFloats), uint64(at)]);
  });
  const head = [Buffer.from("GGUF"), uint32(version), uint64(tensors.length), uint64(metadata.length)];
  return Buffer.concat([aligned(Buffer.concat([...head, ...entries, ...descriptions])), ...data]);
}

function valueBytes(value: GgufValue): Buffer {
  if ("flag" in value) return Buffer.concat([uint32(types.flag), Buffer.of(value.flag ? 1 : 0)]);
  if ("text" in value) return Buffer.concat([uint32(types.text), text(value.text)]);
  if ("integer" in value) return Buffer.concat([uint32(types.uint32), uint32(value.integer)]);
  if ("float" in value) return Buffer.concat([uint32(types.float), float32(value.float)]);
  if ("texts" in value) return list(types.text, value.texts.map(text));
  if ("integers" in value) return list(types.int32, value.integers.map(uint32));
  return list(types.float, value.floats.map(float32));
}

function list(type: number, items: Buffer[]): Buffer {
  return Buffer.concat([uint32(types.array), uint32(type), uint64(items.length), ...items]);
}
