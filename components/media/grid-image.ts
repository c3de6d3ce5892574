/** One image to show; its size, where known, keeps its place free while it loads. */
export interface GridImage {
  url: string;
  width: number | null;
  height: number | null;
  alt: string;
  /** A smaller picture of it, where there is one: enough where little room is. */
  preview?: string | null;
}
