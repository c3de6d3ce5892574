/** Makes the browser download an address. If the server refuses, the page stays open. */
export function saveFrom(address: string, fileName = ""): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = fileName;
  link.click();
}

/** Saves a small text as a download, from memory. */
export function saveTextFile(fileName: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  saveFrom(url, fileName);
  URL.revokeObjectURL(url);
}

/** By then the download has started, and the browser has its own copy of the bytes. */
const startedMs = 60_000;

/** Saves bytes of any size. */
export function saveBlob(fileName: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  saveFrom(url, fileName);
  setTimeout(() => URL.revokeObjectURL(url), startedMs);
}
