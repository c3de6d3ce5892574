/** Puts text on the clipboard, also for a page that came over plain http. Rejects when the browser refuses. */
export async function copyText(text: string): Promise<void> {
  // A page that came over plain http has no `clipboard`; elsewhere a permission can be missing that the older command does without.
  const isWritten =
    "clipboard" in navigator && (await navigator.clipboard.writeText(text).then(isDone, isRefused));
  if (!isWritten && !copiesByCommand(text)) throw new Error("Copying is not allowed in this browser.");
}

const isDone = () => true;
const isRefused = () => false;

/** The command asks the page what to copy. */
function copiesByCommand(text: string): boolean {
  const fill = (event: ClipboardEvent) => {
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
  };
  document.addEventListener("copy", fill);
  const isCopied = document.execCommand("copy");
  document.removeEventListener("copy", fill);
  return isCopied;
}
