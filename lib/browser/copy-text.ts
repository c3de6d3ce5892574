/** Puts text on the clipboard, also for a page that came over plain http. Rejects when the browser refuses. */
export async function copyText(text: string): Promise<void> {
  if ("clipboard" in navigator) return navigator.clipboard.writeText(text);
  // Such a page has no `clipboard`, but may use the command that asks the page what to copy.
  const fill = (event: ClipboardEvent) => {
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
  };
  document.addEventListener("copy", fill);
  const copied = document.execCommand("copy");
  document.removeEventListener("copy", fill);
  if (!copied) throw new Error("Copying is not allowed in this browser.");
}
