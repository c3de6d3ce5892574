/** One image to show; its size, where known, keeps its place free while it loads. */
export interface GridImage {
  url: string;
  width: number | null;
  height: number | null;
  alt: string;
}
