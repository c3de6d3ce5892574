/** Saves what an address answers as a file, by the browser itself; a refusal leaves the page as it is. */
export function saveFrom(address: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = "";
  link.click();
}
