/** The library's builder reads blobs as browsers' workers do, at once, for which Node has no way: blobs that know their bytes. */
export function readableBlob(content: Uint8Array): Blob {
  const blob = (part: Uint8Array): unknown => ({
    size: part.length,
    part,
    slice: (start: number, end: number) => blob(part.subarray(start, end)),
  });
  return blob(content) as Blob;
}

/** Gives this thread what reads them. */
export function installBlobReader(): void {
  Object.assign(globalThis, {
    FileReaderSync: class {
      readAsArrayBuffer = ({ part }: { part: Uint8Array }) => new Uint8Array(part).buffer;
    },
  });
}
