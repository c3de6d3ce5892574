/** Makes the browser download an address. If the server refuses, the page stays open. */
export function saveFrom(address: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = "";
  link.click();
}
