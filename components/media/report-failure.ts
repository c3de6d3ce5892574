/**
 * Props of a media element that call `onFailed` if its file cannot be loaded. An element in the server's HTML
 * may have failed before React added listeners, so its state is checked once.
 */
export function reportFailure(onFailed: () => void) {
  return {
    onError: onFailed,
    ref: (element: HTMLImageElement | HTMLMediaElement | null) => {
      if (element && hasFailed(element)) onFailed();
    },
  };
}

function hasFailed(element: HTMLImageElement | HTMLMediaElement): boolean {
  if (element instanceof HTMLMediaElement) return element.error !== null;
  return element.complete && element.naturalWidth === 0;
}
