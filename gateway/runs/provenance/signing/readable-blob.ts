/**
 * The library's builder reads blobs synchronously, as browser workers can. Node cannot, so these blobs keep
 * their bytes.
 */
export function readableBlob(content: Uint8Array): Blob {
  const blob = (part: Uint8Array): unknown => ({
    size: part.length,
    part,
    slice: (start: number, end: number) => blob(part.subarray(start, end)),
  });
  return blob(content) as Blob;
}

/** Installs the reader for such blobs in this thread. */
export function installBlobReader(): void {
  Object.assign(globalThis, {
    FileReaderSync: class {
      readAsArrayBuffer = ({ part }: { part: Uint8Array }) => new Uint8Array(part).buffer;
    },
  });
}
