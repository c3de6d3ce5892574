/**
 * Props of a media element: `onFailed` is called when its file cannot be loaded. The element of a page from the server may
 * have failed before React listens, so it is asked once more.
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
