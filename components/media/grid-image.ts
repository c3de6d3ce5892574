/** An image. Its size, if known, reserves the space while it loads. */
export interface GridImage {
  url: string;
  width: number | null;
  height: number | null;
  alt: string;
  /** A smaller version for small spaces, if there is one. */
  preview?: string | null;
}
