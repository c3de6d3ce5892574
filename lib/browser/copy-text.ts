/** Copies text to the clipboard, even on a page loaded over plain http. Rejects if the browser refuses. */
export async function copyText(text: string): Promise<void> {
  // On plain http `navigator.clipboard` is missing. On https it may need a permission that the older command
  // does not need.
  const isWritten =
    "clipboard" in navigator && (await navigator.clipboard.writeText(text).then(isDone, isRefused));
  if (!isWritten && !copiesByCommand(text))
    throw new Error("This browser does not allow copying. Select the text and copy it by hand.");
}

const isDone = () => true;
const isRefused = () => false;

/** `execCommand` fires a `copy` event. The listener puts the text into the event. */
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
